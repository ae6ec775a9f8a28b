"""The browser: pages drawn and measured by a jailed, shared, bounded Chromium."""

from __future__ import annotations

from compositor.adapters.browser._chromium import Chromium
from compositor.adapters.browser._find import BROWSER_VARIABLE, find_browser

__all__ = ["BROWSER_VARIABLE", "Chromium", "find_browser"]
