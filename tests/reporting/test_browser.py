"""A report in headless Chromium, with no network: what people see on a desk and on a phone."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from svara_sim.reporting import PALETTE, build_index, render

from .conftest import FULL_STORY, MakeNotebook

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None and os.environ.get("CI") != "true", reason="chromium is not on PATH"),
]

# what the page says of itself, asked from inside
PROBE = """<script>
const images = [...document.images];
document.title = JSON.stringify({
  images: images.length,
  shown: images.filter(i => i.complete && i.naturalWidth > 0 && i.getBoundingClientRect().width > 100).length,
  wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  text: parseFloat(getComputedStyle(document.querySelector("main p")).fontSize),
});
</script></body>"""


def open_page(page: Path, profile: Path, *options: str) -> str:
    """Open a file and return the page's source after it has run."""
    assert BROWSER is not None, "CI must have Chromium: apt-get install chromium"
    quiet = ["no-first-run", "disable-background-networking", "disable-component-update", "disable-sync"]
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    command += [f"--{option}" for option in quiet]
    command += ["--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={profile}", *options, page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout


def requests_of(net_log: Path) -> set[str]:
    """Addresses that a page, and not the browser for its own ends, asked for over a network."""
    events = json.loads(net_log.read_text(encoding="utf-8"))["events"]
    asked = (event.get("params", {}) for event in events)
    addresses = (p.get("url", "") for p in asked if p.get("initiator", "not an origin") != "not an origin")
    return {address for address in addresses if re.match(r"(https?|wss?|ftp):", address)}


def test_the_check_sees_a_request(tmp_path: Path) -> None:
    page, log = tmp_path / "bad.html", tmp_path / "net.json"
    page.write_text('<img src="https://example.org/x.png" alt="x">', encoding="utf-8")
    open_page(page, tmp_path / "p", f"--log-net-log={log}", "--dump-dom")
    assert requests_of(log) == {"https://example.org/x.png"}


@pytest.fixture
def report(make_notebook: MakeNotebook, project: Path) -> Path:
    make_notebook("story", *FULL_STORY)
    path = render("story").path
    build_index()
    return project / path


def probed(page: Path, folder: Path) -> Path:
    """A copy that may run the probe; the report itself allows no script at all."""
    text = page.read_text(encoding="utf-8")
    open_policy, n = re.subn(r"<meta [^>]*Content-Security-Policy[^>]*>", "", text)
    assert n == 1
    copy = folder / f"probed-{page.name}"
    copy.write_text(open_policy.replace("</body>", PROBE), encoding="utf-8")
    return copy


def test_a_report_opens_offline_at_both_widths(report: Path, tmp_path: Path) -> None:
    log, picture = tmp_path / "net.json", tmp_path / "page.png"
    open_page(report, tmp_path / "p1", f"--log-net-log={log}", f"--screenshot={picture}", "--window-size=1280,1600")
    assert requests_of(log) == set()
    with Image.open(picture) as screen:
        pixels = np.asarray(screen.convert("RGB"), dtype=int)
    blue = [int(PALETTE[0][i : i + 2], 16) for i in (1, 3, 5)]
    assert (np.abs(pixels - blue).max(axis=2) < 8).sum() > 500, "the line of the figure is on the screen"

    for page in (report, report.with_name("index.html")):
        for width in (1280, 400):
            source = open_page(
                probed(page, tmp_path), tmp_path / f"p{width}", "--dump-dom", f"--window-size={width},1600"
            )
            title = re.search(r"<title>(.*?)</title>", source)
            assert title is not None
            seen = json.loads(title.group(1))
            assert seen["images"] == seen["shown"] == 1, page.name
            assert seen["wide"] <= 0, f"{page.name} scrolls sideways at {width}"
            assert seen["text"] >= 16
