"""Pages with a planted layout fault each, and clean ones that a careless check would complain about.

Every page is the inside of a body, 400 pixels wide, without margin. `PICTURE` is a picture of 200 × 100 pixels.
"""

from __future__ import annotations

PICTURE = "https://assets.invalid/picture.png"

PLANTED = {
    "clipped-text": """
        <div style="width:200px;height:24px;overflow:hidden;font-size:20px">A headline far too long for its box</div>
        ---
        <div style="width:120px;overflow:hidden;white-space:nowrap">One line that runs out of its box</div>
        ---
        <div style="height:30px;overflow:hidden">
          <p style="margin:0">Kept</p>
          <p style="margin:0">Lost below</p>
        </div>
        ---
        <table style="font-size:0"><tr><td>
          <div style="font-size:16px;height:9px;overflow:hidden">Cut in half inside a mail's table</div>
        </td></tr></table>
        ---
        <div style="overflow:clip;height:14px"><span style="font-size:30px;line-height:1">Tall letters</span></div>
    """,
    "shortened-text": """
        <div style="width:90px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">Too long for it</div>
        ---
        <p style="max-width:60px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">Order number 18273</p>
        ---
        <a style="display:block;width:50px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">Buy it now</a>
    """,
    "overlapping-text": """
        <div style="position:absolute;left:10px;top:100px;font-size:30px">First text</div>
        <div style="position:absolute;left:30px;top:110px;font-size:30px">Second text</div>
        ---
        <h1 style="margin:0 0 -34px">A headline</h1>
        <p style="margin:0">A paragraph pulled up over it</p>
        ---
        <div style="height:20px">One line, another line, and then a third one that does not fit into this box</div>
        <div>The next text</div>
        ---
        <p>Sum</p>
        <p style="transform:translateY(-38px)">Moved</p>
    """,
    "covered-text": """
        <p>Under a box</p>
        <div style="position:absolute;left:0;top:0;width:300px;height:60px;background:#333"></div>
        ---
        <p>Under a picture</p>
        <img src="PICTURE" alt="" style="position:absolute;left:0;top:0;height:100px">
        ---
        <div style="height:2000px"></div>
        <p>Far below the window</p>
        <div style="position:absolute;left:0;top:2000px;width:300px;height:80px;background:#fff"></div>
        ---
        <style>
          .card { position: relative }
          .card::after { content: ""; position: absolute; inset: 0; background: #123 }
        </style>
        <div class="card"><p>Under the layer of its own card</p></div>
        ---
        <div style="position:relative;z-index:0">
          <div style="background:#fed;padding:9px">
            <span style="position:relative;z-index:-1">Behind its parent</span>
          </div>
        </div>
        ---
        <p>Under a curtain</p>
        <div style="position:fixed;inset:0;background:#fff"></div>
        ---
        <p>Under a layer that no pointer meets</p>
        <div style="pointer-events:none;position:absolute;left:0;top:0;width:300px;height:60px;background:#333"></div>
    """,
    "text-off-page": """
        <div style="position:absolute;left:350px;white-space:nowrap">Runs off the side</div>
        ---
        <p style="white-space:nowrap">A single line that is too long for any window of four hundred pixels</p>
        ---
        <p style="margin-left:-40px;width:300px">Hangs out to the left of the page</p>
        ---
        <div style="overflow-x:hidden;width:600px"><p style="margin-left:390px;width:100px">Half outside</p></div>
    """,
    "sideways-scroll": """
        <table width="600"><tr><td>Wide</td></tr></table>
        ---
        <div style="width:401.9px;height:10px;background:#eee"></div>
        ---
        <img src="PICTURE" alt="" width="500" height="250">
        ---
        <div style="margin-right:-30px;height:20px;background:#ddd">Pulled out</div>
    """,
    "broken-image": """
        <img src="https://assets.invalid/damaged.png" alt="A chart">
        ---
        <img src="photos/summer.jpg" alt="Summer" width="200" height="100">
        ---
        <img src="" alt="Nothing">
        ---
        <img src="data:image/png;base64,AAAA" alt="Half a picture">
    """,
    "refused-image": """
        <img src="https://elsewhere.example/photo.png" alt="Photo">
        ---
        <img src="https://assets.invalid/unknown.png" alt="Unknown" width="100">
        ---
        <img srcset="https://elsewhere.example/sharp.png 1x" alt="Sharp">
    """,
    "distorted-image": """
        <img src="PICTURE" alt="" width="100" height="100">
        ---
        <img src="PICTURE" alt="" style="width:180px;height:100px">
        ---
        <img src="PICTURE" alt="" height="50" width="150">
    """,
    "upscaled-image": """
        <img src="PICTURE" alt="" width="380">
        ---
        <img src="PICTURE" alt="" style="height:150px">
        ---
        <img src="PICTURE" alt="" style="width:240px;height:140px;object-fit:cover">
    """,
}
"""Code of the finding → pages, divided by a line of dashes."""

CLEAN = """
    <h1 style="font:700 40px/0.9 sans-serif;letter-spacing:-1px;margin:0">Tight leading<br>in a headline</h1>
    <p style="margin:0">directly followed by text</p>
    ---
    <div style="line-height:0.8;overflow:hidden;font-size:30px">no ink is cut here</div>
    ---
    <p style="text-transform:uppercase;line-height:1;overflow:hidden;height:16px;margin:0">Capitals</p>
    ---
    <div style="display:none;font-size:1px">A preheader</div>
    <p>Shown</p>
    ---
    <div style="max-height:0;overflow:hidden">A preheader of another mail</div>
    <p>Shown</p>
    ---
    <div style="max-height:0;max-width:0;opacity:0;overflow:hidden;font-size:1px;color:#fff">One more</div>
    <p>Shown</p>
    ---
    <div style="position:absolute;left:-9999px">For screen readers</div>
    <p>Shown</p>
    ---
    <span style="position:absolute;clip:rect(0,0,0,0);width:1px;height:1px;overflow:hidden">For screen readers</span>
    <p>Shown</p>
    ---
    <div style="height:60px;overflow:auto"><p>One</p><p>Two</p><p>Three, which can be scrolled to</p></div>
    ---
    <p>A word<sup>1</sup> with a <a href="https://example.com/">link</a>,<br>a break, and <b>bold</b><i> text</i></p>
    ---
    <div style="position:relative">
      <p>Under a link that spans the card</p>
      <a href="#a" style="position:absolute;inset:0"></a>
    </div>
    ---
    <p>Below a veil</p>
    <div style="position:absolute;inset:0;background:#0002;height:60px"></div>
    ---
    <div style="width:300px;overflow:hidden"><img src="PICTURE" alt="" width="200"><p>Words</p></div>
    ---
    <p>Small copies are sharp</p>
    <img src="PICTURE" alt="" width="100" height="50">
    ---
    <img src="PICTURE" alt="" width="200" height="100" style="padding:20px 0;border-left:9px solid">
    ---
    <img src="PICTURE" alt="" width="133" height="66">
    <img src="PICTURE" alt="" width="6" height="6">
    ---
    <div style="overflow:hidden;width:300px;white-space:nowrap">
      <div style="display:inline-block;width:300px">First slide</div>
      <div style="display:inline-block;width:300px">Second slide</div>
    </div>
    ---
    <div style="position:fixed;top:0;left:0;right:0"><div style="background:#eee">A bar</div></div>
    <p style="margin-top:40px">Text</p>
    <div style="height:1500px"></div>
    <p>Text below</p>
    ---
    <div style="height:4000px"></div>
    <p>Far down, and in the open</p>
    <p style="pointer-events:none">Not to be pressed</p>
    ---
    <div style="transform:rotate(-8deg);width:200px">A sticker</div>
    <p>Its neighbour</p>
    ---
    <div style="overflow:hidden;height:20px"><p style="position:absolute;top:90px">Not cut by it</p></div>
"""


def pages(text: str) -> list[str]:
    """The pages of a text above."""
    return [page.strip().replace("PICTURE", PICTURE) for page in text.split("---")]
