"""How it looks: phone, dark, zoom, contrast, names."""

import pathlib

from checks import check, count, holds, opened, panel
from devtools import wait

AUDIT = (pathlib.Path(__file__).resolve().parent / "audit.js").read_text()


def audit(page, where):
    found = page.js(AUDIT)
    holds(not found["faults"], f"{where}: {found['faults']}")
    return found["texts"]


@check("names, roles and contrast, light and dark")
def looks(bench):
    texts = 0
    page = bench.fresh()
    wait(lambda: count(page) >= 0, "the list")
    for dark in (False, True):
        page.dark(dark)
        name = "dark" if dark else "light"
        bench.picture(f"list-{name}")
        texts += audit(page, f"list, {name}")
        if count(page):
            page.on("grid", "Flows", "grid => grid.focus()")
            page.press("g")
            page.press("Enter")
            for tab in ("Overview", "Request", "Response", "TLS", "Timing"):
                page.click("tab", tab)
                wait(lambda: (panel(page) or "").strip(), tab)
                texts += audit(page, f"{tab}, {name}")
            bench.picture(f"flow-{name}")
            page.press("Escape")
        page.press("?")
        wait(lambda: page.nodes("dialog"), "the help")
        texts += audit(page, f"help, {name}")
        page.press("Escape")
        page.press("r")
        wait(lambda: page.nodes("navigation", "Gate runs"), "gate runs")
        texts += audit(page, f"runs, {name}")
        page.press("r")
    return f"{texts} texts with at least 4.5"


@check("a phone has rows of two lines, and a flow the whole screen", needs_more=True)
def phone(bench):
    page, mark = opened(bench, "/json")
    page.size(390, 844)
    page.until("innerWidth === 390 && document.querySelector('#detail').getBoundingClientRect().width >= 385", "the flow over the whole width")
    texts = audit(page, "flow on a phone")
    bench.picture("phone-flow")
    page.click("button", "‹ Back")
    wait(lambda: not page.nodes("region", "Flow"), "the list")
    page.filter("")
    wait(lambda: count(page) > 1, "flows")
    page.until("document.querySelector('.row:not([hidden])').getBoundingClientRect().height >= 44", "rows of two lines")
    texts += audit(page, "list on a phone")
    bench.picture("phone-list")
    page.size(1280, 800)
    page.until("document.querySelector('.row:not([hidden])').getBoundingClientRect().height < 30", "rows of one line again")
    return f"{texts} texts, nothing wider than 390 px"


@check("at 200 % nothing is lost")
def zoom(bench):
    page = bench.fresh()
    page.size(640, 400, 2)
    page.until("innerWidth === 640", "the zoom")
    audit(page, "200 %")
    for name in ("Clear", "Pause", "Export"):
        box = page.on("button", name, "one => (({left, right, top, bottom}) => ({left, right, top, bottom}))(one.getBoundingClientRect())")
        holds(box["left"] >= 0 and box["right"] <= 640, f"{name} is at {box}")
    room = page.on("grid", "Flows", "grid => grid.clientHeight")
    holds(room > 100, f"{room} px are left for the list")
    bench.picture("zoom")
    return f"{room} px for the list"


@check("forced colours keep the chosen row visible")
def forced(bench):
    page = bench.fresh()
    page.media(forced_colors="active")
    if count(page):
        page.on("grid", "Flows", "grid => grid.focus()")
        page.press("g")
        outline = page.js("getComputedStyle(document.querySelector('.row[aria-selected=true]')).outlineStyle")
        holds(outline == "solid", f"its outline is {outline}")
    bench.picture("forced")
    page.media(forced_colors="none")
    return "an outline"
