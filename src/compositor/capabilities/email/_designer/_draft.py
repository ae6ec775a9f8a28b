"""One draft: the two files that a view and constraints make."""

from __future__ import annotations

import json
from collections.abc import Mapping

from compositor._values import thaw
from compositor.capabilities import View
from compositor.capabilities.email._deliverable import PLAN, SOURCE
from compositor.capabilities.email._designer._arrange import plan_email
from compositor.capabilities.email._designer._document import document
from compositor.capabilities.email._designer._material import Material
from compositor.capabilities.email._designer._repair import Constraints
from compositor.capabilities.email._designer._style import style_of


def draft(view: View, constraints: Constraints) -> Mapping[str, str]:
    """Path → content, the plan first."""
    data = thaw(view.data)
    plan = plan_email(Material.of(data, constraints.without), constraints.kept)
    style = style_of(data, layout=plan.layout, constraints=constraints)
    return {
        PLAN: json.dumps(plan.as_json(), ensure_ascii=False, indent=2) + "\n",
        SOURCE: document(plan, style, constraints),
    }
