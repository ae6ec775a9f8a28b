"""One draft: the two files that a view and constraints make."""

from __future__ import annotations

import json
from collections.abc import Mapping

from compositor._values import thaw
from compositor.capabilities import View
from compositor.capabilities.email._assets import base_url
from compositor.capabilities.email._deliverable import PLAN, SOURCE
from compositor.capabilities.email._designer._arrange import plan_email, wished
from compositor.capabilities.email._designer._crops import Crop, cut_pictures, missing
from compositor.capabilities.email._designer._document import document
from compositor.capabilities.email._designer._material import Material
from compositor.capabilities.email._designer._plan import Plan
from compositor.capabilities.email._designer._repair import Constraints
from compositor.capabilities.email._designer._style import style_of
from compositor.capabilities.email._designer._wish import Wish, made_heroes


def draft(view: View, constraints: Constraints, files: Mapping[str, bytes] | None = None) -> Mapping[str, str]:
    """Path → content, the plan first.

    Args:
        view: of the email.
        constraints: under which it is made.
        files: the workspace, which may hold pictures that were made or cut for it.
    """
    plan = cut_pictures(_planned(view, constraints, files or {}), files or {}, base_url(view), constraints.without)
    style = style_of(thaw(view.data), layout=plan.layout, constraints=constraints)
    return {
        PLAN: json.dumps(plan.as_json(), ensure_ascii=False, indent=2) + "\n",
        SOURCE: document(plan, style, constraints),
    }


def wish(view: View, constraints: Constraints, files: Mapping[str, bytes]) -> Wish | None:
    """The picture that should be made first, or None; one that was made and cannot be used is not made again."""
    made = any(made_heroes(files, base_url(view)))
    return None if made else wished(_material(view, constraints, files))


def crops(view: View, constraints: Constraints, files: Mapping[str, bytes]) -> tuple[Crop, ...]:
    """The pictures that should be cut first."""
    return missing(_planned(view, constraints, files), files)


def _planned(view: View, constraints: Constraints, files: Mapping[str, bytes]) -> Plan:
    return plan_email(_material(view, constraints, files), constraints.kept)


def _material(view: View, constraints: Constraints, files: Mapping[str, bytes]) -> Material:
    return Material.of(thaw(view.data), constraints.without, tuple(made_heroes(files, base_url(view))))
