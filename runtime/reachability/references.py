"""What a text refers to: its tokens, and which of them name a file, a symbol, a commit, an issue.

Words of prose refer to nothing here: "read the config again" names neither a file nor a tool.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from ...compiler.pinning import Root

# Signs that combine with a letter are part of its word: accents, and vowels of India and Thailand.
_LETTER = r"\w\u0300-\u036f\u0900-\u0e7f"
TOKEN: Final = re.compile(rf"[{_LETTER}./\\:#@+~%$-]+")
WORD: Final = re.compile(rf"[{_LETTER}]+")
LONGEST: Final = 1_024  # characters of a token; what is longer is data, and names nothing


def tokens_in(text: str) -> Iterator[str]:
    """The tokens of *text*, each once, in order."""
    for token in dict.fromkeys(TOKEN.findall(text)):
        if len(token) <= LONGEST:
            yield token


# --- readable text: terminals' colours and JSON's escapes hide what stands beside them

_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


def readable(text: str) -> str:
    """*text* with characters in the place of `\\u` escapes, and without colours."""
    if "\\" in text and "\\u" in text:  # one sign is found much faster than two, and most have none
        text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
    return _COLOUR.sub(" ", text) if "\x1b" in text else text


def readings(text: str) -> Iterator[str]:
    """*text* to read, and once more with characters in the place of `%` escapes, where it may have
    some: what is one in an address is none in a format."""
    text = readable(text)
    yield text
    if "%" in text and _PERCENT.search(text):
        yield _PERCENT.sub(_unescaped, text)


def _unescaped(match: re.Match[str]) -> str:
    return bytes.fromhex(match[0].replace("%", "")).decode(errors="replace")


def composed(text: str) -> str:
    """*text* with accents in their letters, since `é` is spelled in two ways."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


# --- the spellings of a token

_ENDS = ".:#@+~%$-"
_LINE_BREAKS = re.compile(r"\\+[nrt]")
# Scripts that put no space between words: a path stands directly beside them.
_UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff"
    r"\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_RUN = re.compile(f"[^{_UNSPACED}]+")
_START = re.compile(f"[{_UNSPACED}]*")
_ENDING = re.compile(rf".*?\.[A-Za-z0-9]{{1,8}}(?=(?:[:#][L\d:-]*)?\.?[{_UNSPACED}])")


def spellings(token: str) -> Iterator[str]:
    """The texts that *token* may stand for, itself first: Windows' separators turned, an escaped
    line break before it taken off, a sentence in a script without spaces cut off."""
    bases = [token]
    if "\\" in token:
        bases += [token.replace("\\", "/"), *filter(None, _LINE_BREAKS.split(token))]
    for base in bases:
        yield base
        if not base.isascii():
            yield from _unspaced(base)


def _unspaced(token: str) -> Iterator[str]:
    if _RUN.fullmatch(token) is None:
        for rest in (token, _START.sub("", token, count=1)):
            yield rest
            if ending := _ENDING.match(rest):
                yield ending[0]
        yield from _RUN.findall(token)


def trimmed(token: str) -> str:
    """*token* without the punctuation around it; the dot of `.github` and `./a` belongs to it."""
    return token.rstrip(_ENDS).lstrip(":#@+%$")


# --- paths

_PLACE = re.compile(r"(?:::.*|(?::\d+(?:[:-]\d+)*)|#L?\d+(?:-L?\d+)?)$")
_URL = re.compile(r"[a-z][a-z0-9+.-]+://[^/#]*([^#]*)")  # one letter is a drive
_DRIVE = re.compile(r"[/\\]*([A-Za-z]):(?=[/\\])")


def path_of(token: str) -> str | None:
    """*token* as a path in one form, a place in the file cut off; None where it leads out of the
    project. An absolute path begins with `/`, one below a folder that is not known with `~/`: in a
    home, or at a URL."""
    path = token.removeprefix("file://")
    if url := _URL.match(path):
        path = f"~{url[1]}"
    return normal(_PLACE.sub("", path))


def normal(path: str) -> str | None:
    """Without `.`, `..` and doubled separators: `""` is the root itself, `/c:` a drive."""
    if drive := _DRIVE.match(path):
        path = f"/{drive[1].lower()}:{path[drive.end() :]}"
    parts: list[str] = []
    for part in path.replace("\\", "/").split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return ("/" if path.startswith(("/", "\\")) else "") + "/".join(parts)


# --- what a token names

_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HASH = re.compile(r"(?=[0-9]*[A-Fa-f])(?=[A-Fa-f]*[0-9])(?:[0-9a-f]{7,64}|[0-9A-F]{7,64})")
_TICKET = re.compile(r"[A-Z][A-Z0-9]+-[0-9]+")
_NO_TICKET = re.compile(r"(?:UTF|SHA|ISO|RFC|GPT|MD|HTTP|CVE|PEP|GH|PR)-")
_DOTTED = re.compile(r"[\w.@+~$-]*[^\W_][\w-]*\.([A-Za-z][A-Za-z0-9]{0,7})|\.[a-z][\w.-]{2,}")
# By its ending `main.rs` is told from `self.open`; some attributes are called like endings.
_ATTRIBUTE = re.compile(r"(?:cls|req|request|res|resp|response|self|super|this)\.")
_ENDINGS = frozenset(
    "bash bat c cc cfg clj cmake conf cpp cs css csv cxx dart diff dockerfile env erl ex exs fish "
    "go goal gradle groovy h hcl hpp hs htm html ini ipynb java jl js json jsonl jsx kt kts lock "
    "log lua m md mjs mk ml mod nix patch pdf php pl png proto ps1 py pyi r rb rs rst sass scala "
    "scss sh snap sql sum svelte svg swift tex tf toml ts tsv tsx txt vue xml yaml yml zig "
    "zsh".split()
)
_QUALIFIED = re.compile(r"[^\W\d]\w*(?:::[^\W\d]\w*)+")
_SNAKE = re.compile(r"_*[^\W_]+(?:_+[^\W_]+)+_*")
_CAMEL = re.compile(r"_*[^\W\d_]*(?:[a-z0-9][A-Z]|[A-Z]{2}[a-z])\w*")
# They have a capital inside and are words all the same.
_PROPER = frozenset(
    "DevOps GitHub GitLab GraphQL iOS JavaScript LaTeX macOS MongoDB MySQL NumPy OpenAI PostgreSQL "
    "PyPI TypeScript YouTube WebSocket".split()
)


def named_by(token: str) -> Root | None:
    """What *token* names in a text; None where it is a word, a number, or two words with a slash
    between them."""
    token = trimmed(token)
    if len(token) < 3:
        return None
    if _UUID.fullmatch(token) or _URL.match(token):
        return Root("id", token)
    if _HASH.fullmatch(token):
        return Root("hash", token)
    if _TICKET.fullmatch(token) and not _NO_TICKET.match(token):
        return Root("id", token)
    if _QUALIFIED.fullmatch(token):
        return Root("symbol", token)
    if "/" in token or "\\" in token or _is_file(_PLACE.sub("", token)):
        return _path_root(token)
    if WORD.fullmatch(token) and token not in _PROPER and _is_symbol(token):
        return Root("symbol", token)
    return None


def _is_file(name: str) -> bool:
    dotted = None if _ATTRIBUTE.match(name) else _DOTTED.fullmatch(name)
    return dotted is not None and (dotted[1] is None or dotted[1].lower() in _ENDINGS)


def _is_symbol(word: str) -> bool:
    if _SNAKE.fullmatch(word):
        return len(word) >= 6
    return len(word) >= 4 and _CAMEL.fullmatch(word) is not None


def _path_root(token: str) -> Root | None:
    path = path_of(token)
    if not path or path == "/" or not any(char.isalpha() for char in path):
        return None
    parts = path.strip("/").split("/")
    clear = token.startswith((".", "/", "\\")) or token.endswith("/") or "." in parts[-1]
    if clear or len(parts) > 2 or any(not part.isalpha() for part in parts):
        return Root("directory" if token.endswith("/") else "path", path)
    return None


# --- issues, which take a word before the number or a sign

_BEFORE = (
    r"#|(?<!\w)(?:GH-|issues?[ /#_-]{1,2}|pulls?/|pull request |merge_requests/"
    r"|[PM]R |ticket |bug )"
    r"|(?<!\w)(?:(?:issue|pr|pull|pull_request|ticket)(?:_?number|_id)?|number)\"?: ?\"?"
)
ISSUES: Final = re.compile(rf"(?:{_BEFORE})([0-9]{{1,9}})(?![\w.]?\w)", re.IGNORECASE)
# `owner/name#12`, or an address that ends so; `/api/v1/issues/12` tells no repository.
_REPOSITORY = re.compile(
    r"(?P<url>://\S+/)?([\w.-]+/(?!(?:v?\d+|-|blob|tree)/)[\w.-]+)"
    r"(?(url)/(?:-/)?(?:issues|pulls?|merge_requests)/|#)\d+\Z"
)
_LONGEST_ADDRESS = 256  # characters before an issue that may say its repository


def repository(issue: re.Match[str]) -> str:
    """The repository of an issue that was found; empty where its text does not say it."""
    text, end = issue.string, issue.start()
    start = max(end - _LONGEST_ADDRESS, 0)
    start = max(start, *(text.rfind(space, start, end) + 1 for space in " \n"))
    said = _REPOSITORY.search(text, start, issue.end())
    return said[2] if said else ""


def roots_in(text: str) -> Iterator[Root]:
    """What *text* names, each once; its prose names nothing."""
    seen: set[Root] = set()
    for reading in readings(text):
        for root in _named(composed(reading)):
            if root not in seen:
                seen.add(root)
                yield root


def _named(text: str) -> Iterator[Root]:
    for issue in ISSUES.finditer(text):
        yield Root("issue", f"{repository(issue)}#{issue[1]}")
    for token in tokens_in(text):
        for spelling in spellings(token):
            if (root := named_by(spelling)) is not None:
                yield root
