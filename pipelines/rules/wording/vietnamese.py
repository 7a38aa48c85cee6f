"""VIETNAMESE: thoughts and progress notes in Vietnamese."""

from pipelines.rules.wording.wording import Wording, literals

VIETNAMESE = Wording(
    language="vi",
    script="latin",
    asker=(r"người dùng (?:\w+ )?(?:hỏi|muốn|yêu cầu|nói|cần|viết|đang|đã|không)",),
    plan=(
        r"\b(?:tôi|mình|cần|nên|phải|hãy)(?: \w+){0,2} (?:trả lời|giải thích|đề cập|tránh|viết ngắn)|"
        r"trả lời (?:ngắn|bằng|trực tiếp)|câu hỏi (?:là|về)",
    ),
    task=(),
    talk=(r"(?:ừm+|khoan|đợi đã|được rồi|để xem)[,.:!… ]|(?:hm+|vậy|à|ok|okay)[,.:!…]",),
    check=(r"(?:kiểm tra lại|đúng rồi|chính xác|tôi nghĩ|mình nghĩ|có lẽ|tôi nhớ)",),
    progress=(
        r"(?:được, |vâng, |dạ, |xin chờ[,.] )*(?:để|cho phép|tôi|mình|em|trước tiên|bây giờ)(?: tôi| mình|"
        r" em)?(?: sẽ| đang| xin| thử)* (?:kiểm tra|tra cứu|tìm|xem|tra|đọc|mở|xác nhận)\b",
        r"(?:đang (?:tìm|kiểm tra|tra cứu|đọc))\b|(?:xin )?(?:vui lòng )?(?:chờ|đợi) (?:một chút|chút|giây lát)",
    ),
    report=(r"(?:tôi |mình )?đã (?:tìm thấy|kiểm tra|tra cứu|xem)\b",),
    work=(r"\b(?:tôi|mình|em)\b.*\b(?:tra|tìm|kiểm tra|xem)\b",),
    openings=literals(
        "^tôi |^mình |"
        "^để |^tôi sẽ|^mình sẽ|^người dùng|^ừm|^khoan|^đang |^xin chờ|^trước tiên|^bây giờ|"
        "^câu hỏi|"
        "người dùng|ừm|khoan,|đợi đã|để tôi|để mình|để em|tôi sẽ kiểm tra|tôi sẽ tìm|tôi sẽ tra|tôi sẽ xem"
        "|đang tìm|đang kiểm tra|đang tra cứu|chờ một chút|đợi một chút|đã tìm thấy|cho phép tôi"
    ),
    asides=literals("Khoan, |Đợi đã|Người dùng |người dùng "),
)
