"""What the checks share: browser, relay, a page that is open, and the list of all checks."""

import importlib
import itertools
import pathlib
import urllib.parse

from devtools import Browser, Failure, wait
from origin import Origin
from relay import Relay

PICTURES = pathlib.Path(__file__).resolve().parent.parent.parent / ".build/page"
MODULES = ["checks_list", "checks_detail", "checks_safety", "checks_reach", "checks_looks", "checks_large",
           "checks_onboarding", "checks_focus"]

_found = []


def check(name, needs_more=False):
    """A check is a sentence and a function that says what it saw, or raises `Failure`."""

    def keep(function):
        _found.append((name, function, needs_more))
        return function

    return keep


def all_checks():
    for module in MODULES:
        importlib.import_module(module)
    return _found


def holds(condition, saw):
    if not condition:
        raise Failure(saw)


class Bench:
    def __init__(self, url, more):
        self.url, self.relay, self.numbers = url, Relay(), itertools.count(1)
        self.base = "{0.scheme}://{0.netloc}/".format(urllib.parse.urlsplit(url))
        self.origin = Origin(more) if more else None
        self.pages = []

    def __enter__(self):
        self.browser = Browser(self.relay.address).__enter__()
        self.page = self.browser.page(self.url)
        wait(lambda: self.page.nodes("grid", "Flows"), "a grid named Flows")
        return self

    def __exit__(self, *problem):
        self.browser.__exit__(*problem)

    def fresh(self, query=""):
        """The page as if it had just been opened, its wishes forgotten."""
        self.page.js("localStorage.clear()")
        self.page.go(self.base + query)
        self.page.until("document.querySelector('[role=grid]') !== null && document.querySelector('.status-words')?.textContent.includes('flows')", "the list")
        # The words are written at once, the rows and their number with the next frame.
        self.page.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
        return self.page

    def another(self, query="", **options):
        page = self.browser.page(self.base + query, **options)
        self.pages.append(page)
        wait(lambda: page.nodes("grid", "Flows"), "a grid named Flows in another tab")
        return page

    def after(self):
        """Leaves nothing behind for the next check."""
        self.relay.mend()
        for page in self.pages:
            page.close()
        self.pages = []
        self.page.size(1280, 800)
        self.page.dark(False)

    def mark(self):
        """A path that nobody has asked for before."""
        return f"mark{next(self.numbers)}x{id(self) % 99991}"

    def picture(self, name, page=None):
        (page or self.page).picture(PICTURES / f"{name}.png")


def rows(page):
    """The texts of the rows that are on the screen, from top to bottom."""
    return page.js(
        """[...document.querySelectorAll('[role=grid] [role=row][aria-rowindex]')].filter(row => !row.hidden && !row.classList.contains('head'))
        .sort((a, b) => a.ariaRowIndex - b.ariaRowIndex).map(row => row.textContent)"""
    )


def count(page):
    return int(page.on("grid", "Flows", "grid => grid.getAttribute('aria-rowcount')"))


def shows(page, word, limit=30):
    return wait(lambda: next((row for row in rows(page) if word in row), None), f"a row with {word}", limit)


def opened(bench, path, tab="Overview", page=None):
    """A new flow, opened by its filter and the keys."""
    page = page or bench.page
    mark = bench.mark()
    bench.origin.ask(f"{path}?m={mark}")
    page.filter(f"url:{mark}")
    shows(page, mark)
    wait(lambda: count(page) == 1, "one flow")
    open_first(page)
    page.click("tab", tab)
    wait(lambda: page.on("tab", tab, "tab => tab.ariaSelected") == "true", f"the tab {tab}")
    return page, mark


def open_first(page):
    """The first flow of the list, by the keys."""
    page.press("Escape")
    page.press("Escape")
    page.on("grid", "Flows", "grid => grid.focus()")
    page.press("j")
    page.press("Enter")
    wait(lambda: page.nodes("region", "Flow"), "the region Flow")


def panel(page, word=None):
    read = lambda: page.js("document.querySelector('[role=tabpanel]')?.innerText")
    return wait(lambda: word in (text := read() or "") and text, f"{word!r} in the tab") if word else read()
