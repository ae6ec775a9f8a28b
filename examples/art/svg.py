"""The few words of SVG that the pictures are written in."""

from __future__ import annotations

Stop = tuple[float, str, float]
"""Offset, colour and opacity, offset and opacity from 0 to 1."""


def tag(name: str, *children: str, **attributes: str | float) -> str:
    """An element; underscores in attribute names become hyphens, and a last one is dropped (`class_`, `in_`)."""
    named = (f'{key.rstrip("_").replace("_", "-")}="{_written(value)}"' for key, value in attributes.items())
    return f"<{' '.join([name, *named])}>{''.join(children)}</{name}>"


def _written(value: str | float) -> str:
    return value if isinstance(value, str) else f"{round(value, 2):g}"


def document(width: int, height: int, *layers: str) -> str:
    """A picture of layers, the first at the back; one pixel is one unit."""
    box = f"0 0 {width} {height}"
    return tag("svg", *layers, xmlns="http://www.w3.org/2000/svg", width=width, height=height, viewBox=box)


def path(line: str, **attributes: str | float) -> str:
    """A shape or a line, in SVG's path language."""
    return tag("path", d=" ".join(line.split()), **attributes)


def stroke(line: str, colour: str, width: float, **attributes: str | float) -> str:
    """A line without a filling."""
    return path(line, stroke=colour, stroke_width=width, fill="none", **attributes)


def ellipse(cx: float, cy: float, rx: float, ry: float, **attributes: str | float) -> str:
    """An ellipse by its middle and radii."""
    return tag("ellipse", cx=cx, cy=cy, rx=rx, ry=ry, **attributes)


def circle(cx: float, cy: float, r: float, **attributes: str | float) -> str:
    """A circle by its middle and radius."""
    return tag("circle", cx=cx, cy=cy, r=r, **attributes)


def rect(x: float, y: float, width: float, height: float, **attributes: str | float) -> str:
    """A rectangle by its corner and size."""
    return tag("rect", x=x, y=y, width=width, height=height, **attributes)


def group(*layers: str, **attributes: str | float) -> str:
    """Layers that share attributes."""
    return tag("g", *layers, **attributes)


def at(x: float, y: float, *layers: str, scale: float = 1.0) -> str:
    """Layers moved to a place and scaled."""
    return group(*layers, transform=f"translate({x} {y}) scale({scale})")


def across(name: str, *stops: Stop) -> str:
    """A gradient from left to right."""
    return tag("linearGradient", *map(_stop, stops), id=name, x1=0, x2=1, y1=0, y2=0)


def down(name: str, *stops: Stop) -> str:
    """A gradient from top to bottom."""
    return tag("linearGradient", *map(_stop, stops), id=name, x1=0, x2=0, y1=0, y2=1)


def around(name: str, *stops: Stop, **attributes: str | float) -> str:
    """A gradient from the middle outwards."""
    return tag("radialGradient", *map(_stop, stops), id=name, **attributes)


def _stop(stop: Stop) -> str:
    offset, colour, opacity = stop
    return tag("stop", offset=offset, stop_color=colour, stop_opacity=opacity)


def blur(name: str, deviation: float) -> str:
    """A filter that softens, with room around for what it spreads."""
    room = {"x": "-80%", "y": "-80%", "width": "260%", "height": "260%"}
    return tag("filter", tag("feGaussianBlur", stdDeviation=deviation), id=name, **room)
