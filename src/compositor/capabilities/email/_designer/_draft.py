"""One draft: the two files that a view and constraints make."""

from __future__ import annotations

import json
from collections.abc import Mapping

from compositor._values import thaw
from compositor.capabilities import View
from compositor.capabilities.email._assets import base_url
from compositor.capabilities.email._deliverable import PLAN, SOURCE
from compositor.capabilities.email._designer._arrange import plan_email, wished
from compositor.capabilities.email._designer._document import document
from compositor.capabilities.email._designer._material import Material
from compositor.capabilities.email._designer._repair import Constraints
from compositor.capabilities.email._designer._style import style_of
from compositor.capabilities.email._designer._wish import Wish, made_heroes


def draft(view: View, constraints: Constraints, files: Mapping[str, bytes] | None = None) -> Mapping[str, str]:
    """Path → content, the plan first.

    Args:
        view: of the email.
        constraints: under which it is made.
        files: the workspace, which may hold a picture that was made for it.
    """
    data = thaw(view.data)
    plan = plan_email(_material(view, constraints, files or {}), constraints.kept)
    style = style_of(data, layout=plan.layout, constraints=constraints)
    return {
        PLAN: json.dumps(plan.as_json(), ensure_ascii=False, indent=2) + "\n",
        SOURCE: document(plan, style, constraints),
    }


def wish(view: View, constraints: Constraints, files: Mapping[str, bytes]) -> Wish | None:
    """The picture that should be made first, or None; one that was made and cannot be used is not made again."""
    made = any(made_heroes(files, base_url(view)))
    return None if made else wished(_material(view, constraints, files))


def _material(view: View, constraints: Constraints, files: Mapping[str, bytes]) -> Material:
    return Material.of(thaw(view.data), constraints.without, tuple(made_heroes(files, base_url(view))))
