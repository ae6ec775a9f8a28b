"""The names of an email's files, labels and screens: one place."""

from __future__ import annotations

from compositor.workspace import Screen

SOURCE = "email.mjml"
PLAN = "plan.json"
OUTSIDE = "outside.html"
"""An HTML mail that came from outside: it is verified as it stands, without a source."""
HTML = "email.html"
TEXT = "email.txt"
DELIVERY = "delivery.json"
EML = "email.eml"
"""Both parts and the pictures in one file, for mail programs."""
PICTURES = "pictures/"
"""The folder of pictures that were made for this mail, each `NAME.png` or `NAME.jpg`."""

ORIGIN = "source"
"""The label of what the mail was built from; its fact `path` says which file that is."""
LAYOUT = "layout/"
"""The folder of labels that hold what was measured on each screen."""
PREVIEW = "preview/"
"""The folder of labels of the pictures that the writer looked at."""
PICTURE = "picture/"
"""The folder of labels of the pictures that were made; their facts say by whom."""

DESKTOP = Screen(name="desktop", width=600)
MOBILE = Screen(name="mobile", width=375)
NARROW = Screen(name="narrow", width=320)
SCREENS = (DESKTOP, MOBILE, NARROW)
"""600 px is the body width of MJML and of most mail; 375 and 320 the phones and the limit of WCAG 2.2, 1.4.10."""
