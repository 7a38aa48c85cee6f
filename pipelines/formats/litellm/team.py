"""The metadata that a team sends along: in the request, in the spend-logs header, in `x-` headers, in tags; not the gateway's own keys."""

from pipelines.formats.litellm.names import SESSION_GENERATED
from pipelines.formats.record import DECLARED
from pipelines.formats.values import Mapping, mapping

REMEDIATION = "remediation"
"""The team's own key under which a remediation layer may log its actions."""
_OWN_KEYS = (
    "headers",
    "trace_id",
    "used_client_oauth_token",
    "spend_logs_metadata",
    "session_id",
    SESSION_GENERATED,
    "litellm_session_id_omitted",
    "requester_metadata",
    "user_id",
    "tags",
)


def own_metadata(*sources: object) -> Mapping:
    """The team's own keys of several metadata objects, the first that has a value for a key wins; the gateway's own keys are left out."""
    merged: Mapping = {}
    for source in sources:
        for key, value in mapping(source).items():
            if key not in _OWN_KEYS and not key.startswith("user_api_key") and _says_something(key, value):
                merged.setdefault(key, value)
    return merged


def _says_something(key: str, value: object) -> bool:
    """Whether it is a value at all and, under a key that is read, a string; anything else hides no other source's."""
    return value not in (None, "") and (key not in DECLARED or isinstance(value, str))


def header_metadata(headers: object) -> Mapping:
    """`x-` headers as metadata keys (`x-engine-version` is `engine_version`), for the keys that a team may set."""
    named = {key[2:].replace("-", "_"): value for key, value in mapping(headers).items() if key.startswith("x-")}
    return {key: value for key, value in named.items() if key in DECLARED}


def tag_metadata(tags: object) -> Mapping:
    """Request tags of the form `key:value`, for the keys that a team may set."""
    pairs = [tag.partition(":") for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []
    return {key.strip(): value.strip() for key, colon, value in pairs if colon and key.strip() in DECLARED}
