"""Where the keyboard is: after every action it is somewhere, and what scrolls is scrolled by it."""

import time

from checks import check, count, holds, opened, shows
from devtools import wait

FOCUS = "(one => one === document.body ? 'nothing' : (one.getAttribute('role') ?? one.localName) + ' ' + (one.getAttribute('aria-label') ?? one.textContent).slice(0, 30))(document.activeElement)"


def goes(page, what, word):
    """The focus goes to something whose role or name has the word, and stays there."""
    wait(lambda: word in page.js(FOCUS), f"the focus at {word!r} after {what}, it is at {page.js(FOCUS)!r}", 5)
    time.sleep(0.4)
    holds(word in page.js(FOCUS), f"after {what} the focus is at {page.js(FOCUS)!r}")


def use(page, name):
    page.on("button", name, "one => { one.focus(); one.click() }")


@check("the focus stays where it was used", needs_more=True)
def stays(bench):
    page, _ = opened(bench, "/json", "Response")
    use(page, "Wrap")
    goes(page, "Wrap", "button Wrap")
    use(page, "Wrap")
    use(page, "Note")
    goes(page, "Note", "textarea")
    page.type("look here")
    use(page, "Keep")
    goes(page, "Keep", "button Note")
    use(page, "Compare…")
    goes(page, "Compare…", "button Compared")
    opened(bench, "/broken")
    use(page, "Compare")
    goes(page, "Compare", "h2 Two flows")
    use(page, "‹ Back")
    goes(page, "Back", "button Compare")
    page.on("button", "More", "one => one.focus()")
    page.press("ArrowDown")
    goes(page, "ArrowDown at a menu", "menuitem")
    page.press("Escape")
    page.on("button", "More", "one => one.click()")
    page.click("menuitem", "Compare two sessions")
    goes(page, "Compare two sessions", "h2 Two sessions")
    page.press("Escape")
    goes(page, "Escape", "Flows" if not page.nodes("region", "Flow") else "Compare")
    return "Wrap, Keep, Compare…, Back, a menu, two sessions"


@check("a dialog is scrolled by keys")
def dialog(bench):
    page = bench.fresh()
    page.on("grid", "Flows", "grid => grid.focus()")
    page.press("?")
    wait(lambda: page.nodes("dialog"), "the help")
    page.size(1280, 500)
    page.press("End")
    page.until("document.querySelector('.dialog-body').scrollTop > 100", "the help to be scrolled")
    page.press("Escape")
    goes(page, "Escape", "grid Flows")
    return "the help, by End"


def type_filter(page, text):
    """Types a filter letter by letter, and means it. Returns how long it took, in seconds."""
    page.on("searchbox", "Filter", "box => { box.focus(); box.select() }")
    began = time.monotonic()
    for letter in text:
        page.type(letter)
    page.press("Escape")
    page.press("Enter")
    took = time.monotonic() - began
    page.until(f"location.search.includes('{text.replace(':', '%3A')}')", text)
    page.on("searchbox", "Filter", "box => box.focus()")
    page.press("Escape")
    return took


@check("Back undoes a filter, and not every key of it")
def back(bench):
    # Half a filter that stands for more than a second is one that Back returns to: a machine may be that slow.
    for _ in range(10):
        page = bench.fresh()
        before = page.js("history.length")
        slowest = max([type_filter(page, text) for text in ("method:GET", "method:POST")])
        if slowest < 1:
            break
    holds(page.js("history.length") <= before + 2, f"{page.js('history.length') - before} entries")
    page.js("history.back()")
    wait(lambda: page.on("searchbox", "Filter", "box => box.value") == "method:GET", "method:GET again")
    page.js("history.back()")
    wait(lambda: page.on("searchbox", "Filter", "box => box.value") == "", "no filter again")
    return "two filters, two steps"


@check("a list that follows goes on with it in a window of another size", needs_more=True)
def resized(bench):
    page = bench.fresh()
    bench.origin.ask(*(f"/json?size{number}" for number in range(60)))
    wait(lambda: count(page) >= 60, "60 flows")
    page.press("G")
    end = "(grid => grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 2)(document.querySelector('[role=grid]'))"
    for width, height in ((390, 844), (640, 400), (1280, 500)):
        page.size(width, height)
        page.until(end, f"the end at {width} × {height}")
    mark = bench.mark()
    bench.origin.ask(f"/json?m={mark}")
    shows(page, mark)
    page.until(end, "the end")
    page.size(320, 256)
    holds(page.until("document.documentElement.scrollWidth") <= 320, f"the page is {page.js('document.documentElement.scrollWidth')} px wide at 320")
    return "390, 640, 1280 and 320 px"
