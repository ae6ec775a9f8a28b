"""What a package says, beyond its shape: ids that meet, brands that resolve, words that do not contradict each other.

The checks read the JSON as it came and pass over what has the wrong shape, so that a package with faults of both kinds
hears of all of them at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from compositor._values import Json
from compositor.errors import PathRefused
from compositor.workspace._paths import checked_path
from compositor.workspace._problem_list import ProblemList, Step, nearest
from compositor.workspace.assets import SUFFIXES
from compositor.workspace.standing import claim_fault
from compositor.workspace.tokens import brand_problems
from compositor.workspace.wording import says

_IDS = (
    "assets[].id",
    "claims[].id",
    "evaluation.criteria[].id",
    "examples[].id",
    "references[].id",
    "rules.required_disclosures[].id",
    "sources[].id",
)
"""Routes of ids, each unique among its own."""

_REFERENCES = {
    "brand.logos[].asset": "assets[].id",
    "brief.messaging.key_messages[].asset": "assets[].id",
    "brief.messaging.key_messages[].claims[]": "claims[].id",
    "claims[].disclosures[]": "rules.required_disclosures[].id",
    "claims[].sources[].source": "sources[].id",
    "examples[].asset": "assets[].id",
    "references[].asset": "assets[].id",
}
"""Routes that name an id → the route of the ids that they may name."""

_LINKS = (
    "brand.url",
    "brief.messaging.cta.url",
    "brief.messaging.key_messages[].cta.url",
    "delivery.unsubscribe",
)
"""Routes of addresses that go into the deliverable as links."""

_SAID = (
    "brief.messaging.cta.text",
    "brief.messaging.headline",
    "brief.messaging.key_messages[].cta.text",
    "brief.messaging.key_messages[].headline",
    "brief.messaging.key_messages[].text",
    "brief.messaging.tagline",
    "brief.must_include[]",
    "delivery.preheader",
    "delivery.subject",
)
"""Routes of words that the deliverable must carry."""

MERGE_TAGS = {
    "handlebars": re.compile(r"\{\{.+?\}\}"),
    "mailchimp": re.compile(r"\*\|.+?\|\*"),
    "salesforce": re.compile(r"%%.+?%%"),
}
"""`delivery.merge_tags` → what a merge tag of that syntax looks like."""

_Places = list[tuple[tuple[Step, ...], Json]]


def check_meaning(package: Mapping[str, Json], problems: ProblemList) -> None:
    """Add everything that is wrong with what the package says."""
    for check in (_ids, _references, _assets, _showing, _brand, _links, _asset_address, _wording, _claims, _edit):
        check(package, problems)


def places(package: Json, route: str) -> _Places:
    """Every value on a route such as `claims[].sources[].source`, with the steps that lead to it."""
    found: _Places = [((), package)]
    for part in route.split("."):
        name = part.removesuffix("[]")
        found = [((*at, name), item[name]) for at, item in found if isinstance(item, Mapping) and name in item]
        if part.endswith("[]"):
            lists = [(at, items) for at, items in found if isinstance(items, list)]
            found = [((*at, index), item) for at, items in lists for index, item in enumerate(items)]
    return found


def _texts(package: Json, route: str) -> list[tuple[tuple[Step, ...], str]]:
    return [(at, value) for at, value in places(package, route) if isinstance(value, str)]


def _ids(package: Json, problems: ProblemList) -> None:
    for route in _IDS:
        seen: set[str] = set()
        for at, name in _texts(package, route):
            if name in seen:
                problems.add("duplicate-id", at, f"the id {name[:80]!r} is taken already", "give each its own id")
            seen.add(name)


def _references(package: Json, problems: ProblemList) -> None:
    for route, named in _REFERENCES.items():
        known = [name for _, name in _texts(package, named)]
        for at, name in _texts(package, route):
            if name not in known:
                near = nearest(name[:80], known)
                cure = f"did you mean {near!r}?" if near else f"add it to $.{named.rpartition('[]')[0]}"
                problems.add("unknown-id", at, f"there is no {name[:80]!r} in $.{named.rpartition('[]')[0]}", cure)


def _assets(package: Json, problems: ProblemList) -> None:
    for at, asset in places(package, "assets[]"):
        if isinstance(asset, Mapping) and (asset.get("path") is None) == (asset.get("sha256") is None):
            cure = "give a path beside the request file, or the digest of a stored blob"
            problems.add("asset-source", at, "an asset has exactly one of path and sha256", cure)
    for at, path in _texts(package, "assets[].path"):
        try:
            checked_path(path)
        except PathRefused as refusal:
            cure = "use a path relative to the request file, such as art/logo.png"
            problems.add("asset-path", at, f"the path is refused: {refusal.reason}", cure)
    for at, media_type in _texts(package, "assets[].media_type"):
        if media_type not in SUFFIXES:
            cure = f"use one of {', '.join(SUFFIXES)}"
            problems.add("asset-type", at, f"{media_type[:80]!r} is not a kind of picture that can be used", cure)


def _showing(package: Json, problems: ProblemList) -> None:
    for route, parts in {"references[]": ("asset", "note"), "examples[]": ("asset", "text", "note")}.items():
        for at, item in places(package, route):
            if isinstance(item, Mapping) and all(item.get(part) is None for part in parts):
                problems.add("nothing-shown", at, "it shows nothing", f"give it one of {', '.join(parts)}")


def _brand(package: Json, problems: ProblemList) -> None:
    brand = package.get("brand")
    if isinstance(brand, Mapping):
        problems.found.extend(brand_problems(brand))


def _links(package: Json, problems: ProblemList) -> None:
    syntax = next((name for _, name in _texts(package, "delivery.merge_tags")), "none")
    for route in _LINKS:
        for at, address in _texts(package, route):
            if any(tag.match(address) for name, tag in MERGE_TAGS.items() if name != syntax):
                cure = "name their syntax in $.delivery.merge_tags"
                problems.add("merge-tag", at, f"{address[:80]!r} is a merge tag of another syntax", cure)
            elif not _leads_somewhere(address):
                cure = "write https://…, mailto:…, tel:… or a merge tag"
                problems.add("link", at, f"{address[:80]!r} is not an address that may stand in a deliverable", cure)


def _leads_somewhere(address: str) -> bool:
    if any(tag.match(address) for tag in MERGE_TAGS.values()):
        return True
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return bool(parts.hostname) if parts.scheme == "https" else parts.scheme in {"mailto", "tel"} and bool(parts.path)


def _asset_address(package: Json, problems: ProblemList) -> None:
    for at, address in _texts(package, "delivery.asset_base_url"):
        if not address.startswith("https://") or not _leads_somewhere(address) or not address.endswith("/"):
            cure = "write it as https://assets.shop.test/pictures/"
            problems.add("asset-address", at, "the address of assets begins with https:// and ends with a slash", cure)


def _wording(package: Json, problems: ProblemList) -> None:
    """Words that must be said and may not be said; inside a required disclosure they are allowed."""
    required = [text for _, text in _texts(package, "rules.required_disclosures[].text")]
    for _, prohibited in _texts(package, "rules.prohibited_claims[].text"):
        for route in _SAID:
            for at, words in _texts(package, route):
                if says(words, prohibited, apart_from=required):
                    message = f"these words must be said, and {prohibited[:80]!r} is prohibited"
                    problems.add("contradiction", at, message, "change one of the two")


def _claims(package: Mapping[str, Json], problems: ProblemList) -> None:
    """What the deliverable must say rests on claims that may be made there and then."""
    known = {claim["id"]: claim for _, claim in places(package, "claims[]") if _is_claim(claim)}
    territory = [place for _, place in _texts(package, "audience.territory[]")]
    segments = [segment for _, segment in _texts(package, "audience.segments[]")]
    on = next((day for _, day in _texts(package, "delivery.send_on")), None)
    for at, name in _texts(package, "brief.messaging.key_messages[].claims[]"):
        if name in known and (fault := claim_fault(known[name], territory=territory, segments=segments, on=on)):
            cure = "renew the claim, or take it and what rests on it out of the message"
            problems.add("unusable-claim", at, f"the message rests on the claim {name[:80]!r}: {fault}", cure)


def _is_claim(value: Json) -> bool:
    """Whether it has the shape of a claim, as far as its standing depends on it."""
    if not isinstance(value, Mapping) or not isinstance(value.get("id"), str):
        return False
    single, lists = ("status", "expires"), ("markets", "audiences")
    return all(isinstance(value.get(key), str | None) for key in single) and all(
        isinstance(value.get(key), list | None) and all(isinstance(item, str) for item in value.get(key) or ())
        for key in lists
    )


def _edit(package: Json, problems: ProblemList) -> None:
    edits, has_edit = package.get("operation") == "edit", package.get("edit") is not None
    if edits and not has_edit:
        problems.add("edit", ("edit",), "an edit says what it starts from", "add base_version and instruction")
    if has_edit and not edits:
        cure = 'set "operation": "edit", or remove the block'
        problems.add("edit", ("edit",), "only the operation edit has this block", cure)
