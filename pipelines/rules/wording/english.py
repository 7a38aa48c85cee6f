"""ENGLISH: thoughts and progress notes in English."""

from pipelines.rules.wording.english_openings import OPENINGS
from pipelines.rules.wording.wording import Wording, literals

_SHOULD = (
    r"\b(?:i|we)(?:'ll| will| should| must| need to| have to| can| could| might|"
    r"'m going to| am going to| want to)"
    r"(?: also| just| probably| now| then| simply| only| not| maybe| perhaps| first)*"
)
_WORK = (
    r"(?:check|look|search|pull|fetch|get|find|read|review|open|retrieve|load|query|verify|examine|inspect|"
    r"scan|run|start|gather|"
    r"investigate|analy[sz]e|browse|list|grep|explore|confirm|see|update|create|fix|use|add|write|proceed|"
    r"evaluate|implement|edit)"
)
_WORKING = (
    r"(?:checking|searching|looking (?:at|for|up|into|through|in|over)|reading|fetching|pulling|"
    r"going (?:through|over)|running|loading|"
    r"opening|scanning|querying|retrieving|reviewing|browsing|gathering|inspecting|verifying|calling|"
    r"digging|comparing|editing|updating|"
    r"changing|saving|testing|connecting|contacting|downloading|computing|calculating|analy[sz]ing|"
    r"processing|confirming|locating|"
    r"collecting|counting|examining|consulting|tracking down|grabbing)"
)

ENGLISH = Wording(
    language="en",
    script="latin",
    asker=(
        r"i(?:'m| am|'ve been| have been| was) (?:being )?asked\b",
        r"(?:(?:since|because|given that|in this case,?|here,?|(?:it )?(?:looks|seems|appears)(?: like| that| as if)?) )?"
        r"(?:the|this) (?:user|asker) (?:is |was |has |also |just |only |clearly |probably |likely |then |really |now |"
        r"may |might )*"
        r"(?:ask(?:s|ed|ing)?|want(?:s|ed|ing)?|said|says|request(?:s|ed|ing)?|wrote|writes|mention(?:s|ed)|mean[st]|"
        r"pasted|specified|gave|sent|shared|wonder(?:s|ed|ing)?|"
        r"looking for|needs? (?:a|an|one|two|three|the|some|help|to know)|did ?n[o']t|seems?|has ?n[o']t|marked|greeted|"
        r"would like|used)\b",
        r"user (?:asks|asked|wants|is asking|needs|said|requests|writes)\b",
        r"(?:(?:given|based on|considering|from|looking at|going by) )?the user's (?:question|request|message|query|"
        r"last|first|prompt|intent)\b",
        r"(?:the|this) human (?:asks|asked|wants|is asking|requests|requested)\b",
    ),
    plan=(
        r"^(?:but |hmm,? |oh,? )*(?:wait|hold on)\b.{0,40}\blet me (?:double[- ]?check|re-?check|verify|"
        r"recalculate|re-?read|reconsider|check|"
        r"think|try|compute)\b",
        r"^(?:one|two) words?(?: only)?\.$|^(?:short|brief) (?:reply|answer) in \w+|^use (?:korean|japanese|chinese|"
        r"german|french|spanish|portuguese|italian|russian|arabic|hindi|dutch|english)\b|^(?:just )?the word\b",
        r"\b(?:one|a single|two) (?:word|sentence|line)s? (?:is enough|suffices?|will do|max)\b|"
        r"\b(?:sentences|lines|words) max\b",
        r"\bshould i (?:mention|add|include|explain|note|name|list|give|say|use)\b.*\?",
        r"\b(?:i'll|i will|i'd) (?:return|present|round|stop)\b|^so (?:give|use|answer|reply|respond) |"
        r"\breply in \w+ with\b|\bi'll mention\b",
        r"\b(?:i'll|i will|we'll|we will|i must|we must|i should|we should|i have to|i'll need to) (?:just |simply |also |"
        r"then )*(?:say|give|use|list|name|pick|state|provide|mention|note|offer)\b",
        r"^(?:just|only|simply) (?:give|say|answer|name|return|output|the)\b|^output (?:only|just)\b|^provide (?:a |"
        r"the )?(?:short|brief|concise)\b|^answer (?:politely|briefly|directly|in)\b",
        r"^(?:this is (?:a|an) )?(?:\w+ )?question (?:about|is in|in)\b|^the audience is\b|^policy:|"
        r"^we have (?:a|an) (?:\w+ )?question\b",
        r"\b(?:everything|what|all|as|because|since|if) the user (?:asked|wanted|said|wrote|requested)\b|"
        r"^they(?:'re| are)? (?:did ?n'?t|do ?n'?t|didn't|seem|probably|might|may|anxious|asking|looking|new|said|want)\b",
        r"\b(?:simple|short|brief|plain) (?:explanation|answer|reply|response)s? (?:in \w+ )?(?:needed|required|"
        r"is enough|should|will do)\b",
        r"^i should (?:explain|describe|give|start|cover|list|point out|suggest|recommend|ask|clarify|include|"
        r"address|focus)\b|\bi(?:'ll| will) (?:be (?:gentle|honest|brief|careful|clear)|keep|stick|leave it)\b",
        r"\bno need (?:for|to) (?:more|further|long|any|ask|mention|explain|call|go|elaborate)\b",
        r"^this is (?:just )?a (?:very )?(?:simple|straightforward|basic|factual|quick|easy|"
        r"trivial)\b.*\b(?:question|request|task|query|one)\b",
        r"\b(?:one|two|three|a (?:single|short)) (?:line|sentence|word|paragraph)s? (?:should|will|is|are|"
        r"would) (?:do|be|suffice|enough)\b",
        r"^(?:one|two|three) (?:short )?(?:line|sentence|word|paragraph)s?\.$|^(?:short|brief|concise|"
        r"simple)(?: answer| reply| and \w+)?\.$",
        r"^(?:need|should|must|have)(?: to)? (?:answer|reply|respond|give|produce|keep|write|mention|explain|"
        r"provide|avoid|output|name|list|pick)\b|^my task is to\b|^we're asked (?:for|to)\b|^the query is about [a-z]|"
        r"^we just need (?:a|an|one|two|three) ",
        r"\bi can (?:answer|respond|reply|do) (?:this|that|it|in|with)\b|\bi'll (?:state|reply|respond|answer|say|"
        r"explain) (?:that|it|this|briefly|simply|clearly|with|in)\b",
        r"\blet me (?:reply|respond|answer|keep it|write it|state|phrase)\b|^draft it\b|^provide (?:just|only)\b",
        _SHOULD + r" (?:answer|respond|reply|keep (?:it|this|the)|be (?:brief|concise|careful|honest|clear)|mention|"
        r"avoid (?:\w+ing|the)|say (?:so|that|it|this)|"
        r"recall|structure|format|choose|pick|go with|note that|phrase|double-check|double check|figure (?:this|"
        r"that|it|out)|"
        r"produce|output|craft|reassure|acknowledge|make sure|present|give (?:it|a|the|them|him|her|three|two|"
        r"one)|put it)\b",
        r"\bwe (?:need|have) to (?:answer|produce|respond|write|output|give|provide|generate|reply|create|suggest|"
        r"propose|recommend|come up with|draft|name|list|pick)\b|\bthe (?:instructions?|system prompt|developer message) (?:does|"
        r"do|did|says?|said|limits?|asks?)\b",
        r"\b(?:covers|answers) what (?:the user|she|he|they) asked\b",
        r"\bthe (?:question|request) (?:is|seems) (?:general|broad|vague|ambiguous|simple|factual|short)\b",
        r"\bthe (?:question|prompt|task|request) (?:is about|asks|is asking|is simply|wants|here is)\b",
        r"\b(?:they|she|he) (?:only |just |also |probably )?(?:want(?:s|ed)?|asked?|asks|asking|did ?n'?t ask|"
        r"said)\b",
        r"^(?:answer|reply|respond) (?:in|with|briefly|directly|concisely|using|only)\b",
        r"\b(?:here's|here is|here are) my (?:thinking|thought|reasoning)\b",
        r"\b(?:used (?:up )?my (?:time|budget)|out of (?:time|budget)|(?:limited|remaining) (?:time|budget)|"
        r"must answer now)\b",
        r"^\W*(?:first |second )?draft(?: \d+)?:",
    ),
    task=(
        r"^i need an? (?:\w+ )?(?:pun|title|name|line|word|sentence|rhyme|slogan|joke|synonym|haiku|caption)\b",
        r"^(?:my )?(?:thinking|thoughts|reasoning|internal monologue|scratchpad)(?: process)?:",
        r"^i need to (?:find|figure|understand|determine|calculate|recall|remember|think|name|list|pick|choose)\b",
        r"^(?:okay|ok|alright|so|hmm|right)?,? ?(?:so )?(?:i'm|i am) trying to\b",
        r"^(?:okay,? |ok,? |alright,? )?so,? i(?:'ve| have)(?: got)? (?:this|a|an|to)\b.*\b(?:problem|question|"
        r"task|puzzle)\b",
        r"^(?:okay|ok|alright|right|hmm|so|well|first)[,.]? (?:so |then |now |well |let's see[,.]? )*i (?:need|"
        r"have|want|should|am trying|'m trying)"
        r"(?: to)?\b",
    ),
    talk=(
        r"(?:got it|sure|understood|noted|interesting|(?:easy|simple|quick) one|thought|thinking|reasoning|okay|ok|alright|right|"
        r"looking at the (?:question|request|message))[,.:!] (?:the |this )?(?:user|asker)\b",
        r"let's break (?:this|it) down\b|task: [a-z]|the (?:request|task): [a-z]",
        r"\w+(?:\.\.\.|…)$|\w+\.\.\. ",
        r"h+m+\b",
        r"wait[,.!…—-]|(?:but )?wait a (?:minute|second|moment|sec)\b",
        r"(?:okay|ok|alright)[,.]? ",
        r"(?:right|well|so|now|oh|ah|uh|um|actually)[,.…] |so i(?:'ve got| have| need| am|'m)\b|first things first",
        r"(?:(?:got it|understood|sure)[,.!] )?let's see\b|let me see\b|let me think\b|hold on\b|no wait\b",
        r"(?:but|and) (?:wait|hold on|actually|did they|what if|is that|should i)\b",
        r"(?:maybe|perhaps) (?:i|the user|they|a|an|too|it's|we)\b",
        r"(?:good|great|done|nice|yes|yep|ok|okay|fine)[.,] ?(?:$|i\b|this|so\b|that)",
        r"(?:double[- ]?check|sanity check|quick check|final check)(?:ing)?\b",
        r"alternatively,? (?:i|maybe|perhaps|we could)\b",
    ),
    check=(
        r"^go with (?:that|it|this)\b",
        r"^(?:not asked|not needed|not necessary|leave it|neutral tone|actually no)\b|\bthis needs (?:a|an|some)\b|"
        r"^something (?:with|like)\b",
        r"\b(?:i|we)(?:'d| would) (?:answer|say|go with|mention|put it|give|present|keep|cover|start)\b",
        r"^(?:keep|make) (?:it|this|the answer|the tone|the reply) (?:short|brief|concise|simple|light|plain|"
        r"to one|friendly|under)\b",
        r"\b(?:fix|change|correction|translation) needed\b|^(?:so|therefore) (?:no|yes|not)\b|^use an? (?:everyday|"
        r"simple|short|concrete)\b|^one example\b",
        r"^(?:don't|do not|skip|not too|mention|avoid|warm|formal|casual|use (?:a|an|the|metric|plain)|start with|"
        r"stick to|include|then|or|also|add)\b.{2,48}\.$",
        r"\b(?:could be|or maybe|maybe an?|perhaps an?|i could do|it is\.)(?:$|\W)|\b(?:oder|verdad|right|"
        r"vero|certo|hein|no)\?$",
        r"\b\w+ (?:works|fits|needed|required|suffices|should do|will do|it is)\.$",
        r"\blet me (?:also |just |quickly |not |re-?)*(?:double[- ]?check|verify|recall|re-?read|reconsider|"
        r"compute|work (?:it|this|that) out|"
        r"list what|draft|structure|think|rephrase|try to|start by|break|claim|consider|test|calculate|see if|"
        r"set it up|go with)\b",
        r"^let's (?:tackle|dive into|unpack|think about|work through) (?:this|these|the)\b",
        r"\bi (?:recall|believe|guess|suppose|remember|wonder|think|was going to|'m (?:not sure|a bit|"
        r"pretty sure)|am not sure)\b",
        r"\b(?:should|did|do|can|could) i (?:also |even |really )?(?:explain|mention|include|add|say|use|put|keep|"
        r"need|list|answer)\b.*\?",
        r"\bhow do i\b.*\?",
        r"\bno need to (?:ask|mention|explain|call)\b",
        r"\bso (?:the|my) (?:answer|reply|final answer) (?:is|should|would|will)\b",
        r"\b(?:that(?:'s| is)|is that|which is|looks|seems|sounds) (?:right|correct|fine|good|enough|simple|"
        r"tight)[.?!]?$",
        r"^pick \w+\.$|^keep it to \w+|\bi'll (?:choose|pick|go with)\b",
        r"\bwait[,.?!]|\bhmm+\b",
    ),
    progress=(
        r"(?:sure[,!.] |okay[,!.] |of course[,!.] |just |please )*(?:hang on|give me a (?:moment|second|"
        r"minute|sec)|bear with me)\b",
        r"(?:now )?i(?:'ll| will) (?:now |also |continue by |create (?:an? )?(?:comprehensive|detailed|new)|"
        r"continue (?:from|with|by)|"
        r"make the (?:necessary )?changes|help you \w+ .*\blet me)\b",
        r"i(?:'ll| will|'m going to) (?:just |first |now |quickly )?(?:take|have) a (?:quick |closer |short )?look\b",
        r"(?:(?:perfect|great|good|excellent|okay|ok|alright|"
        r"done)[!,.] )*(?:based on .{3,60}, )?(?:now (?:that )?i(?: now)? have|"
        r"i (?:now |finally )?(?:have|'ve got)|i've (?:now )?(?:got|gathered|collected|"
        r"compiled)) (?:all (?:of )?the (?:information|data|"
        r"details|context|pieces|results|facts)|everything i need|(?:enough|sufficient) (?:information|data|"
        r"context|details)|"
        r"the (?:information|data|details|results|full picture))\b",
        r"(?:renaming|pushing|moving|deploying|restarting|sending|booking|cancelling|creating|deleting|"
        r"installing|building|exporting|importing|recording|setting)\b.*\b(?:now|first)\.?$",
        r"i need to (?:look (?:this |that |it )?up|look (?:at|into|for|in)|search|open|read|pull up|check (?:the|"
        r"your|this|that|my|our)|verify the)\b",
        r"(?:now |now that .*, |first,? |next,? |then,? |great[,!.] |perfect[,!.] |excellent[,!.] |good[,!.] |sure[,!.] |"
        r"okay[,!.] |alright[,!.] |"
        r"of course[,!.] |certainly[,!.] |yes[,!.] |got it[,!.] |thanks[,!.] |no problem[,!.] |absolutely[,!.] |"
        r"understood[,!.] |to .*, )*"
        r"let me (?:first |quickly |just |now |also |go and |go ahead and |see if i can |try to |try and |take a |"
        r"have a )*" + _WORK + r"\b",
        r"(?:now |now that .*, |first,? |next,? |then,? |great[,!.] |perfect[,!.] |excellent[,!.] |sure[,!.] |okay[,!.] |"
        r"alright[,!.] |certainly[,!.] |"
        r"of course[,!.] |got it[,!.] |no problem[,!.] |absolutely[,!.] |understood[,!.] |hold on[,!.] |"
        r"one moment[,!.] |just a moment[,!.] |to .*, )*i(?:'ll| will|"
        r"'m going to| am going to)(?: first| now| then| quickly| just| also| start by| begin by)* "
        r"(?:check|look|search|pull up|fetch|retrieve|query|verify|read|open|scan|inspect|browse|gather|examine|"
        r"review|dig|call the|consult|"
        r"go through|locate|grep|investigate|conduct|analy[sz]e|evaluate|perform|proceed|finalize|continue with|"
        r"apply|implement|confirm|compare|ask|contact|run|update|test|grab|download|load|count|"
        r"searching|reading|checking|reviewing|examining|looking)\b",
        r"(?:okay, |ok, |alright, |sure, |now |currently |still |just )*"
        + _WORKING
        + r"\b.*(?:…|\.\.\.|:|\bnow\b.*|\bfirst\b\.?|\.)$",
        r"i(?:'ve| have) .*\b(?:and )?now i(?:'m| am|'ll| will)\b|i(?:'m| am) going to (?:check|look|search|open|"
        r"read|pull|fetch|review|verify)\b",
        r"(?:one moment|just a moment|hold on a (?:moment|second)|please hold(?: on)?|give me a (?:moment|second)|"
        r"please wait)\b",
        r"(?:hold on, |one moment, |okay, |sure, )?i(?:'m| am) (?:now |just |currently |still |going to |also )*"
        + _WORKING
        + r"\b",
    ),
    report=(
        r"(?:let me|i'll|i will|now to|time to) (?:now |just )?(?:put|compile|write|summari[sz]e|assemble|"
        r"organi[sz]e|prepare|draft|start with|"
        r"begin with) (?:it|this|that|everything|these|section|the (?:answer|summary|report|final|first))\b",
        r"(?:done|found it|got it|i have (?:it|the \w+) now)[.!]$",
        r"(?:okay, |ok, |great, |good, |perfect! |alright, )*(?:i(?:'ve| have) |i )?(?:just |now |also |"
        r"already )*found (?:\d+|one|two|three|four|five|the|it|a|an|some|"
        r"several|no)\b",
        r"(?:okay, |ok, |great, |good, )+(?:it's there|got it|that's it|i have it)\b",
        r"now (?:i'm|i am|looking|checking|reading|searching|let me)\b",
        r"(?:the )?(?:search|lookup|query|tool|call) (?:returned|is done|finished|succeeded|shows|has returned)\b",
        r"i(?:'ve| have) (?:now |just |already |also )*(?:checked|looked|searched|read|reviewed|retrieved|pulled|"
        r"fetched|gone through|opened|"
        r"gathered|examined)\b",
    ),
    work=(
        r"^the (?:search|lookup|query) (?:returned|found|gave|shows)\b",
        r"\b(?:i|i'll|i've|i'm|i will|i have|let me)\b.*\b(?:check|look|search|pull|fetch|open|read|scan|quer|"
        r"consult|retriev|review|"
        r"verif|brows|dig|grab|load|examin|inspect|download|compar|pars|found|appl)\w*|\b(?:let me|i'll|i will) .*find\b",
        r"\bwhile i (?:look|check|search|pull|fetch)\b|^bear with me\b",
    ),
    openings=OPENINGS,
    asides=literals(
        "Hmm|hmm, |Wait, |wait a |wait, |Wait.|Okay so |Okay, so|Hold on|Actually, wait|Let me double|The user said"
        "|The user asked|The user wants|The user might|The user may |The user only|The user also|"
        "The user probably|The user did|The user is |the user said|the user asked|the user wants|"
        "what she asked"
        "|what he asked|what they asked|what the user asked|They asked|Let me not |I was going to "
        "|should I mention|Should I mention|Did I |Maybe I should|But did they"
    ),
)
