"""`python -m compositor`."""

from __future__ import annotations

from compositor.cli import app

app()
