"""Font stacks: the brand's families, then what the usual systems have, then the family of the renderer.

Noto CJK stands last before the generic name, for every script. It is the family that is there wherever emails are drawn
and measured, and its Latin letters are text faces too, so that what is measured is close to what is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_GENERIC = frozenset(
    {"serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "ui-serif", "ui-sans-serif"}
)
_SERIF_NAMES = re.compile(
    r"\b(?:serif|georgia|times|garamond|baskerville|caslon|didot|bodoni|song|ming|mincho)\b", re.IGNORECASE
)
_UNSAFE = re.compile(r"[^\w &.+-]")

_LATIN = {True: ("Georgia",), False: ("Helvetica Neue", "Helvetica", "Arial")}
_SYSTEMS: Mapping[str, Mapping[bool, tuple[str, ...]]] = {
    "TC": {True: ("Songti TC", "PMingLiU"), False: ("PingFang TC", "Microsoft JhengHei")},
    "SC": {True: ("Songti SC", "SimSun"), False: ("PingFang SC", "Microsoft YaHei")},
    "JP": {True: ("Hiragino Mincho ProN", "Yu Mincho"), False: ("Hiragino Sans", "Yu Gothic")},
    "KR": {True: ("AppleMyungjo", "Batang"), False: ("Apple SD Gothic Neo", "Malgun Gothic")},
}
"""Region of the forms → serif? → families that macOS, iOS and Windows have."""


def is_serif(families: Sequence[str]) -> bool:
    """Whether a family list is of serif type; sans-serif where it does not say."""
    named = " ".join(families).replace("sans-serif", "sans").replace("Sans Serif", "Sans")
    return bool(_SERIF_NAMES.search(named))


def family(families: Sequence[str], locale: str) -> str:
    """A CSS font family list for a locale that begins with the brand's families."""
    serif, forms = is_serif(families), _forms(locale)
    own = [_UNSAFE.sub("", name) for name in families if name.lower() not in _GENERIC]
    systems = _SYSTEMS[forms][serif] if forms else _LATIN[serif]
    noto = f"Noto {'Serif' if serif else 'Sans'} CJK {forms or 'JP'}"
    names = dict.fromkeys(name for name in (*own, *systems, noto) if name)
    quoted = (f"'{name}'" if " " in name else name for name in names)
    return ", ".join([*quoted, "serif" if serif else "sans-serif"])


def _forms(locale: str) -> str:
    """The regional forms of a locale's characters, or empty for scripts that have none."""
    language, *rest = locale.split("-")
    if language == "zh":
        return "TC" if "Hant" in rest or rest[-1:] in (["TW"], ["HK"], ["MO"]) else "SC"
    return {"ja": "JP", "ko": "KR"}.get(language, "")
