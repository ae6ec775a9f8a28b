"""The few words that are the designer's own: neutral, functional, and in the reader's language.

Everything else that stands in an email comes from the request.
"""

from __future__ import annotations

from collections.abc import Mapping

UNSUBSCRIBE: Mapping[str, str] = {
    "ar": "إلغاء الاشتراك",
    "cs": "Odhlásit odběr",
    "da": "Afmeld",
    "de": "Abmelden",
    "el": "Διαγραφή",
    "en": "Unsubscribe",
    "es": "Darse de baja",
    "fi": "Peruuta tilaus",
    "fr": "Se désabonner",
    "he": "ביטול הרשמה",
    "hu": "Leiratkozás",
    "id": "Berhenti berlangganan",
    "it": "Annulla iscrizione",
    "ja": "配信停止",
    "ko": "수신 거부",
    "nb": "Meld deg av",
    "nl": "Uitschrijven",
    "no": "Meld deg av",
    "pl": "Wypisz się",
    "pt": "Cancelar subscrição",
    "pt-BR": "Cancelar inscrição",
    "ro": "Dezabonare",
    "sv": "Avsluta prenumeration",
    "th": "ยกเลิกการรับข่าวสาร",
    "tr": "Abonelikten çık",
    "uk": "Відписатися",
    "vi": "Hủy đăng ký",
    "zh-Hans": "退订",
    "zh-Hant": "取消訂閱",
}
"""Language → the words on the link that ends the subscription."""

RIGHT_TO_LEFT = frozenset({"ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"})
"""Languages that are written from right to left."""

_TRADITIONAL = ("TW", "HK", "MO")


def unsubscribe(locale: str) -> str:
    """The unsubscribe words of a locale; those of English where the language is not in the list."""
    language = locale.split("-", maxsplit=1)[0]
    candidates = (_chinese(locale) if language == "zh" else locale, language, "en")
    return next(UNSUBSCRIBE[name] for name in candidates if name in UNSUBSCRIBE)


def _chinese(locale: str) -> str:
    traditional = "Hant" in locale or locale.rsplit("-", maxsplit=1)[-1] in _TRADITIONAL
    return "zh-Hant" if traditional else "zh-Hans"


def direction(locale: str) -> str:
    """`rtl` or `ltr`."""
    return "rtl" if locale.split("-", maxsplit=1)[0] in RIGHT_TO_LEFT else "ltr"
