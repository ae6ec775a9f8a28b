"""The files that the writer finds in the workspace: the request's parts, each with whose words it holds."""

from __future__ import annotations

import json
from collections.abc import Mapping

from compositor._values import Json, thaw
from compositor.capabilities import Given, View
from compositor.capabilities.email._assets import offered
from compositor.workspace import Voice

_PARTS: tuple[tuple[str, Voice, str], ...] = (
    ("brief", "user", "what to say and to achieve"),
    ("audience", "upstream", "who receives it"),
    ("delivery", "upstream", "subject, sender, unsubscribe address and merge tags"),
    ("claims", "upstream", "the statements that may be made, and on what terms"),
    ("sources", "upstream", "the documents that claims rest on"),
    ("rules", "upstream", "required and prohibited words"),
    ("blueprint", "upstream", "the plan that came with the request"),
    ("references", "user", "existing work to look at"),
    ("examples", "brand", "approved design examples"),
    ("edit", "user", "what to change and what to keep"),
)


def given_files(view: View) -> Mapping[str, Given]:
    """The request's parts as JSON files; a part that is absent or withheld has no file."""
    files = {
        f"request/{name}.json": Given(content=_json(value), voice=voice, about=about)
        for name, voice, about in _PARTS
        if (value := view.get(name))
    }
    pictures = [_picture(asset, url) for asset, url in offered(view)]
    if pictures:
        about = "the pictures that may be shown, with the address to write into src"
        files["request/assets.json"] = Given(content=_json(pictures), voice="upstream", about=about)
    return files


def _picture(asset: Mapping[str, Json], url: str) -> Mapping[str, Json]:
    kept = ("id", "role", "alt", "width", "height", "media_type", "focal_point", "rights")
    return {"url": url, **{key: thaw(asset[key]) for key in kept if asset.get(key) is not None}}


def _json(value: Json) -> str:
    return json.dumps(thaw(value), ensure_ascii=False, indent=2) + "\n"
