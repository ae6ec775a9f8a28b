"""What a wish is about, in words → which motif shows it, and whether it is day or night."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

_WORDS = {
    "arches": "architecture arch apartment bank building city door estate exhibition facade gallery gate history hotel"
    " house mortgage museum office opening property street town university wall welcome",
    "arcs": "arc community goal growth kids match milestone playground progress rainbow retro ring run runner school"
    " sport stadium target team together tournament victory",
    "blocks": "agency architect art block brand business conference course design designer education geometric"
    " geometry grid magazine modern poster print shape strategy studio workshop",
    "confetti": "anniversary birthday bonus carnival celebrate celebration confetti congratulation discount festival"
    " gift giveaway happy holiday jubilee party prize reward sale thank win winner",
    "cutouts": "biology body care cell clinic core depth doctor health heart hospital layer medical medicine patient"
    " paper pharmacy research science therapy topography treatment",
    "folds": "couture dress fabric fashion fold elegant launch luxury motion perfume premium ribbon satin silk style"
    " textile velvet",
    "hills": "adventure alpine camp climb country expedition farm field forest hike hill horizon journey landscape"
    " mountain nature outdoor peak road summit tour trail travel valley view walk winter wood",
    "leaves": "botanic botanical bloom eco environment fern flora flower fresh garden green grow herb herbal"
    " jungle leaf natural organic plant recycling spring sustainability sustainable tea tree tropical vegan",
    "lines": "album audio broadcast concert data electricity energy frequency line listen music network orchestra"
    " podcast power pulse radio signal song sound speed stream vibration voice wire",
    "mesh": "ai aurora app automation blockchain code computer cyber digital feature future gradient innovation"
    " internet platform product release saas security software startup technology update upgrade virtual",
    "pattern": "background invitation pattern quiet stationery subtle texture tile tradition wallpaper wrapping",
    "sea": "beach boat coast cruise fish harbour harbor island lake marine ocean port river sail sea seafood"
    " shore summer surf swim swimming tide vacation water wave yacht",
    "sky": "air airline astronomy cloud dream evening flight fly galaxy heaven midnight moon night planet sky sleep"
    " space star starry sunrise sunset weather",
    "still_life": "bakery beauty bottle bowl ceramic coffee collection cook cosmetic craft cream cup dinner drink food"
    " handmade jewellery jewelry kettle kitchen lamp menu object pot pottery product recipe restaurant shop skin"
    " skincare soap store table vase watch wine",
    "window": "bath bed bedroom breakfast calm candle comfort cosy cozy curtain decor furniture home indoor interior"
    " light living mindfulness morning relax room shade shadow sofa spa sunlight vase wellness window yoga",
}
"""Motif → words that ask for it, in the singular."""

_ABSTRACT = ("arcs", "blocks", "cutouts", "folds", "mesh")
"""For a wish that says nothing the painter knows: a shape is no promise, and a mountain is one."""

_HOURS = {
    "night": "dark dusk elegant evening gala luxury midnight moon moonlight night noir premium star starry",
    "day": "airy bright clean day daylight fresh friendly light morning noon spring summer sunny white",
}
"""Words that say whether it is night or day."""

_FROM_ABOUT, _FROM_MOOD = 2, 1
"""What a word counts."""


def motif_for(about: str, mood: str, chance: Random) -> str:
    """The motif that most words ask for, the earlier the better; chance decides where none does."""
    counts: Counter[str] = Counter()
    for text, weight in ((about, _FROM_ABOUT), (mood, _FROM_MOOD)):
        for word in _words(text):
            for motif in _ASKED.get(word, ()):
                counts[motif] += weight
    return counts.most_common(1)[0][0] if counts else chance.choice(_ABSTRACT)


def is_dark(about: str, mood: str) -> bool | None:
    """Whether it is night: the mood says so before the subject does. None where neither does."""
    for text in (mood, about):
        words = set(_words(text))
        night, day = (len(words.intersection(_HOURS[hour].split())) for hour in ("night", "day"))
        if night != day:
            return night > day
    return None


def _words(text: str) -> list[str]:
    """The words of a text, once each, as they would stand in the table."""
    return list(dict.fromkeys(_singular(word) for word in re.findall(r"[a-z]+", text.lower())))


def _singular(word: str) -> str:
    if word in _ASKED:
        return word
    forms = (word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y", word.removesuffix("ing"))
    return next((form for form in forms if form in _ASKED), word)


def _by_word() -> Mapping[str, Sequence[str]]:
    asked: dict[str, list[str]] = {}
    for motif, words in _WORDS.items():
        for word in words.split():
            asked.setdefault(word, []).append(motif)
    return asked


_ASKED = _by_word()
"""Word → the motifs that it asks for."""
