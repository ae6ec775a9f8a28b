"""Drawing: what a page looks like and may do, and that nothing of one page is seen by the next."""

from __future__ import annotations

import io
import struct
from collections.abc import AsyncIterator

import anyio
import pytest
from PIL import Image

from compositor.adapters.browser import Chromium
from compositor.adapters.sandbox import jail_fault
from compositor.errors import PortError
from compositor.verifiers.layout import texts
from compositor.workspace.ports import Fulfil, Page, Rendering, Resource, Screen
from tests.verifiers.test_layout import png

pytestmark = [pytest.mark.browser, pytest.mark.anyio]

WINDOW = Screen(name="window", width=300, height=200)


@pytest.fixture(scope="module")
async def browser(anyio_backend: str) -> AsyncIterator[Chromium]:
    async with Chromium(pages=1) as renderer:  # one page, so that each test finds the tab of the one before
        yield renderer


@pytest.fixture(scope="module")
async def jailed(anyio_backend: str) -> AsyncIterator[Chromium]:
    if reason := await jail_fault():
        pytest.skip(f"no jail here: {reason}")
    async with Chromium(pages=1, isolation="jail") as renderer:
        yield renderer


async def nothing(url: str) -> Resource | None:
    return None


def giving(**pictures: bytes) -> Fulfil:
    """Answers `https://assets.invalid/NAME.png`."""

    async def fulfil(url: str) -> Resource | None:
        name = url.removeprefix("https://assets.invalid/").removesuffix(".png")
        return Resource(data=pictures[name], media_type="image/png") if name in pictures else None

    return fulfil


async def draw(
    renderer: Chromium, body: str, *, fulfil: Fulfil = nothing, scripts: bool = False, screen: Screen = WINDOW
) -> Rendering:
    page = Page(html=f"<!doctype html><body style='margin:0'>{body}", fulfil=fulfil, scripts=scripts)
    (rendering,) = await renderer.render(page, [screen])
    return rendering


def size_of(picture: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def said(rendering: Rendering) -> list[str]:
    return [text.text for text in texts(rendering.facts)]


async def test_a_page_is_drawn_on_each_screen_in_order_and_as_tall_as_it_is(browser: Chromium) -> None:
    page = Page(html="<!doctype html><body style='margin:0'><div style='height:700px'>Tall</div>", fulfil=nothing)
    wide, narrow = await browser.render(page, [Screen(name="wide", width=600), Screen(name="narrow", width=320)])
    assert [wide.screen.name, narrow.screen.name] == ["wide", "narrow"]
    assert [wide.facts["screen"], narrow.facts["screen"]] == ["wide", "narrow"]
    assert size_of(wide.picture) == (wide.width, wide.height) == (600, 800)
    assert size_of(narrow.picture) == (narrow.width, narrow.height) == (320, 800)


async def test_no_screen_is_no_work(browser: Chromium) -> None:
    assert await browser.render(Page(html="", fulfil=nothing), []) == ()


async def test_the_same_page_gives_the_same_bytes(browser: Chromium) -> None:
    body = "<style>p{animation:fade 9s infinite}@keyframes fade{to{opacity:0}}</style><p style='font:20px serif'>Same"
    first, second = await draw(browser, body), await draw(browser, body)
    assert first.picture == second.picture
    assert first.facts == second.facts


async def test_a_page_taller_than_the_limit_is_cut_and_says_so() -> None:
    async with Chromium(height=500) as renderer:
        drawn = await draw(renderer, "<div style='height:9000px'>Tall</div>")
    assert size_of(drawn.picture) == (300, 500)
    assert drawn.facts["truncated"] is True
    assert drawn.facts["document"]["height"] == 9000


async def test_assets_come_from_fulfil_and_all_else_is_refused_by_name(browser: Chromium) -> None:
    body = (
        "<img src='https://assets.invalid/a.png'><img src='https://tracker.example/p.gif'>"
        "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>"
    )
    drawn = await draw(browser, body, fulfil=giving(a=png(40, 30)))
    assert [image["natural"] for image in drawn.facts["images"]][:2] == [[40, 30], [0, 0]]
    assert drawn.refused == ("https://tracker.example/p.gif",)


async def test_a_web_font_from_fulfil_is_waited_for(browser: Chromium) -> None:
    asked: list[str] = []

    async def slow(url: str) -> Resource | None:
        asked.append(url)
        await anyio.sleep(0.2)
        return Resource(data=b"no font", media_type="font/woff2")

    face = "<style>@font-face{font-family:Own;src:url(https://assets.invalid/own.woff2)}p{font-family:Own}</style><p>A"
    drawn = await draw(browser, face, fulfil=slow)
    assert asked == ["https://assets.invalid/own.woff2"]
    assert drawn.facts["fonts"] == [{"family": "Own", "status": "error"}]


async def test_a_lazy_picture_far_below_is_drawn(browser: Chromium) -> None:
    body = "<div style='height:9000px'></div><img loading=lazy src='https://assets.invalid/a.png'>"
    drawn = await draw(browser, body, fulfil=giving(a=png(40, 30)))
    assert drawn.facts["images"][0]["loaded"] is True


async def test_a_picture_for_one_width_alone_is_there_at_that_width(browser: Chromium) -> None:
    html = (
        "<!doctype html><picture><source media='(max-width: 400px)' srcset='https://assets.invalid/small.png'>"
        "<img src='https://assets.invalid/large.png'></picture>"
    )
    page = Page(html=html, fulfil=giving(small=png(10, 10), large=png(50, 50)))
    wide, narrow = await browser.render(page, [Screen(name="wide", width=600), Screen(name="narrow", width=320)])
    assert wide.facts["images"][0]["natural"] == [50, 50]
    assert narrow.facts["images"][0]["natural"] == [10, 10]


async def test_what_fulfil_raises_is_raised_to_the_caller(browser: Chromium) -> None:
    async def broken(url: str) -> Resource | None:
        raise PortError("blobs", "the blob is damaged")

    with pytest.raises(PortError, match="the blob is damaged"):
        await draw(browser, "<img src='https://assets.invalid/a.png'>", fulfil=broken)
    assert said(await draw(browser, "<p>still at work")) == ["still at work"]


async def test_page_scripts_do_not_run_unless_the_page_asks_for_it(browser: Chromium) -> None:
    body = "<p id=p>before</p><script>p.textContent = 'after'</script><noscript>no script</noscript>"
    assert said(await draw(browser, body)) == ["before", "no script"]


async def test_page_scripts_run_in_the_jail_when_asked_for(jailed: Chromium) -> None:
    body = "<p id=p>before</p><script>p.textContent = 'after'</script>"
    assert said(await draw(jailed, body, scripts=True)) == ["after"]


async def test_page_scripts_are_refused_without_a_jail() -> None:
    async with Chromium(isolation="closed") as renderer:
        assert await renderer.prepare() == "closed"
        with pytest.raises(PortError, match="without a jail"):
            await draw(renderer, "<script></script>", scripts=True)
        assert said(await draw(renderer, "<p>plain")) == ["plain"]


async def test_a_script_cannot_lie_to_the_measurement(jailed: Chromium) -> None:
    body = """<p id=p>cut off in this box</p><style>p{height:5px;overflow:hidden}</style><script>
      const none = () => [];
      Range.prototype.getClientRects = none; Element.prototype.getBoundingClientRect = () => ({});
      Document.prototype.createTreeWalker = () => ({ nextNode: () => null }); window.getComputedStyle = none;
      JSON.stringify = () => '{}'; Array.prototype.flatMap = none;
    </script>"""
    drawn = await draw(jailed, body, scripts=True)
    assert said(drawn) == ["cut off in this box"]
    assert [fault["kind"] for fault in drawn.facts["faults"]] == ["clipped"]


async def test_dialogs_popups_and_departures_do_not_hold_a_page_up(jailed: Chromium) -> None:
    body = """<p id=p></p><script>
      alert('wait'); confirm('wait');
      p.textContent = open('https://elsewhere.example/popup') ? 'opened' : 'still here';
      setTimeout(() => { location.href = 'https://elsewhere.example/away' }, 0);
      onbeforeunload = () => 'stay';
    </script>"""
    drawn = await draw(jailed, body, scripts=True)
    assert said(drawn) == ["still here"]


@pytest.mark.parametrize("target", ["https://elsewhere.example/", "data:text/html,gone", "about:blank#gone"])
async def test_a_page_that_refreshes_itself_away_stays(browser: Chromium, target: str) -> None:
    drawn = await draw(browser, f"<meta http-equiv=refresh content='0;url={target}'><p>still here")
    assert said(drawn) == ["still here"]


async def test_a_frame_is_drawn_from_fulfil_alone(browser: Chromium) -> None:
    frames = "<iframe src='https://assets.invalid/in'></iframe><iframe src='file:///etc/hostname'></iframe>"
    drawn = await draw(browser, frames + "<iframe srcdoc='<img src=https://deep.example/x.png>'></iframe>")
    assert {"https://assets.invalid/in", "https://deep.example/x.png"} <= set(drawn.refused)


@pytest.mark.parametrize("fulfilled", [png(20, 20), None], ids=["another picture", "none"])
async def test_a_page_never_sees_a_picture_of_the_page_before(browser: Chromium, fulfilled: bytes | None) -> None:
    body = "<img src='https://assets.invalid/a.png'>"
    await draw(browser, body, fulfil=giving(a=png(10, 10)))
    drawn = await draw(browser, body, fulfil=giving(a=fulfilled) if fulfilled else nothing)
    assert drawn.facts["images"][0]["natural"] == ([20, 20] if fulfilled else [0, 0])


async def test_a_policy_or_a_base_of_one_page_does_not_bind_the_next(browser: Chromium) -> None:
    await draw(
        browser,
        "<meta http-equiv=Content-Security-Policy content=\"img-src 'none'; style-src 'none'\">"
        "<base href='https://first.example/'><img src='https://assets.invalid/a.png'>",
    )
    drawn = await draw(browser, "<img src='https://assets.invalid/a.png'>", fulfil=giving(a=png(10, 10)))
    assert drawn.facts["images"][0]["loaded"] is True


LEAVE = """<p id=p>left</p><script>
  const notes = [];
  try { document.cookie = 'left=1'; notes.push(document.cookie) } catch (e) {}
  try { notes.push(localStorage.getItem('left') ?? ''); localStorage.setItem('left', 'left') } catch (e) {}
  notes.push(window.name, String(history.length), String(window.left ?? ''));
  window.name = 'left'; window.left = 'left'; history.pushState({}, '');
  Object.prototype.left = 'left';
  p.textContent = 'found ' + notes.join('|');
</script>"""


async def test_a_page_with_scripts_leaves_nothing_to_the_next(jailed: Chromium) -> None:
    assert said(await draw(jailed, LEAVE, scripts=True)) == said(await draw(jailed, LEAVE, scripts=True))
    assert said(await draw(jailed, "<p>plain")) == ["plain"]


async def test_a_page_finds_the_same_world_whatever_window_came_before(jailed: Chromium) -> None:
    probe = """<p id=p></p><script>
      p.textContent = [innerWidth, innerHeight, devicePixelRatio, navigator.language, new Date(0).getHours(),
        matchMedia('(prefers-reduced-motion: reduce)').matches,
        matchMedia('(prefers-color-scheme: light)').matches].join();
    </script>"""
    await draw(jailed, "<p>another", screen=Screen(name="tall", width=1111, height=999))
    assert said(await draw(jailed, probe, scripts=True)) == ["300,200,1,en-US,0,true,true"]


async def test_a_moving_picture_is_drawn_as_its_first_frame(browser: Chromium) -> None:
    red, blue = (Image.new("RGB", (20, 20), colour) for colour in ("red", "blue"))
    moving, still = io.BytesIO(), io.BytesIO()
    red.save(moving, "GIF", save_all=True, append_images=[blue], duration=[20, 60_000])
    red.save(still, "GIF")

    async def slowly(url: str) -> Resource | None:
        if "late" in url:  # long after the second frame was due
            await anyio.sleep(0.3)
        return Resource(data=(moving if "moving" in url else still).getvalue(), media_type="image/gif")

    late = "<img src='https://assets.invalid/late.gif'>"
    drawn = await draw(browser, f"<img src='https://assets.invalid/moving.gif'>{late}", fulfil=slowly)
    first = await draw(browser, f"<img src='https://assets.invalid/still.gif'>{late}", fulfil=slowly)
    assert drawn.picture == first.picture


async def test_long_documents_and_odd_characters_pass_unharmed(browser: Chromium) -> None:
    words = "\u2028 </script> ${x} `tick` \\n 🦊 漢字 " + "x" * 200_000
    drawn = await draw(browser, f"<p style='overflow-wrap:anywhere'>{words.replace('<', '&lt;')}</p>")
    assert said(drawn)[0].startswith("</script> ${x} `tick` \\n 🦊 漢字 xxx")
