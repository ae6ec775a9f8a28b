"""Whether a claim may be made: where, to whom, on which day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compositor._values import Json


def claim_fault(
    claim: Mapping[str, Json], *, territory: Sequence[str] = (), segments: Sequence[str] = (), on: str | None = None
) -> str:
    """Why a claim may not be made, or nothing.

    Args:
        claim: of a request.
        territory: where the deliverable goes, as ISO 3166 codes; empty where nobody says.
        segments: to whom; empty where nobody says.
        on: the day it goes out (ISO 8601), or None where it is not known.
    """
    status = claim.get("status") or "approved"
    if status != "approved":
        return f"its status is {status}"
    expires = claim.get("expires")
    if expires and on and str(on) > str(expires):
        return f"it expired on {expires}, and this goes out on {on}"
    if outside := [place for place in territory if not _within(place, claim.get("markets") or ())]:
        return f"it is not approved for {', '.join(outside)}, only for {', '.join(claim['markets'])}"
    audiences = claim.get("audiences") or ()
    if strangers := [segment for segment in segments if audiences and segment not in audiences]:
        return f"it may not be told to {', '.join(strangers)}, only to {', '.join(audiences)}"
    return ""


def _within(place: str, markets: Sequence[str]) -> bool:
    """Whether a place is one of the markets or a part of one: US-CA is a part of US. No markets are all of them."""
    return not markets or place in markets or place.partition("-")[0] in markets
