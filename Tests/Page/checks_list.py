"""The list: rows as they come, the filter, keys."""

import time

from checks import check, count, holds, opened, rows, shows
from devtools import wait


@check("everything has its role and name")
def roles(bench):
    page = bench.fresh()
    for role, name in [("grid", "Flows"), ("searchbox", "Filter"), ("button", "Clear"), ("button", "Pause"), ("button", "Export"), ("list", "Runs"), ("columnheader", "Status"), ("columnheader", "Path")]:
        page.node(role, name)
    return f"grid with {count(page)} flows, searchbox, three buttons, list of runs"


@check("a flow is in the list within half a second", needs_more=True)
def live(bench):
    page = bench.fresh()
    times = []
    for _ in range(5):
        mark = bench.mark()
        before = time.monotonic()
        bench.origin.ask(f"/json?m={mark}")
        asked = time.monotonic()
        shows(page, mark)
        times.append(time.monotonic() - asked)
        holds(asked - before < 10, f"the request itself took {asked - before:.1f} s")
    best = sorted(times)[len(times) // 2]
    holds(best < 0.5, f"half of them took more than {best * 1000:.0f} ms")
    return f"median {best * 1000:.0f} ms"


@check("a filter narrows the list, and the address keeps it", needs_more=True)
def narrow(bench):
    page = bench.fresh()
    marks = [bench.mark(), bench.mark()]
    bench.origin.ask(*(f"/json?m={mark}" for mark in marks))
    shows(page, marks[1])
    whole = count(page)
    page.filter(f"url:{marks[0]}")
    wait(lambda: count(page) == 1, "one flow")
    shows(page, marks[0])
    holds(marks[0] in page.js("location.search"), page.js("location.href"))
    bench.origin.ask("/json?other")
    page.go(page.js("location.href"))
    wait(lambda: count(page) == 1, "one flow after loading again")
    wait(lambda: "p95" in page.js("document.querySelector('footer [role=status]').textContent"), "bytes and durations of it")
    page.filter("")
    wait(lambda: count(page) > whole, "all flows again")
    return f"1 of {whole}, also after loading again"


@check("a wrong filter stays marked whatever the list does", needs_more=True)
def stays_wrong(bench):
    page = bench.fresh()
    mark = bench.mark()
    bench.origin.ask(f"/json?m={mark}")
    shows(page, mark)
    page.filter("hots:api")
    marked = "document.querySelector('[role=searchbox]').getAttribute('aria-invalid') === 'true'"
    page.until(marked, "the field to be marked")
    shown = count(page)
    page.js("fetch('/api/flows?filter=url:%s', { method: 'DELETE' }).then(() => true)" % mark)
    wait(lambda: count(page) == shown - 1, "the flow to go")
    holds(page.js(marked), "the mark is gone, and the filter still wrong")
    page = bench.fresh("?filter=hots:api")
    page.until(marked, "the field to be marked, from the address")
    wait(lambda: count(page) == shown - 1, "all flows beside it")
    page.filter("")
    return f"{shown - 1} flows, and the mistake"


@check("a wrong filter keeps the rows and says where it is wrong")
def wrong(bench):
    page = bench.fresh()
    before = count(page)
    page.filter("host:* mehtod:GET")
    wait(lambda: page.on("searchbox", "Filter", "box => box.getAttribute('aria-invalid')") == "true", "the field to be marked")
    text = wait(lambda: page.js("document.querySelector('[role=alert]:not([hidden])')?.textContent"), "words under it")
    holds("8" in text, f"no column 8 in {text!r}")
    holds(count(page) == before, f"{count(page)} rows, were {before}")
    bench.picture("wrong-filter")
    if page.nodes("button", "Write method:"):
        page.click("button", "Write method:")
        wait(lambda: page.on("searchbox", "Filter", "box => box.getAttribute('aria-invalid')") is None, "the field to be right")
        holds(page.on("searchbox", "Filter", "box => box.value") == "host:* method:GET", "the correction is not in the box")
    page.filter("")
    return text


@check("keys and values are completed")
def completion(bench):
    page = bench.fresh()
    page.filter("stat")
    wait(lambda: page.nodes("option"), "completions")
    page.press("ArrowDown")
    page.press("Enter")
    wait(lambda: page.on("searchbox", "Filter", "box => box.value") == "status:", "the key")
    page.until("document.querySelector('[role=option]')?.textContent.startsWith('status:')", "values")
    page.press("ArrowDown")
    page.press("Enter")
    value = page.on("searchbox", "Filter", "box => box.value")
    holds(value.startswith("status:") and len(value) > 8, f"the box has {value!r}")
    page.filter("")
    return f"stat → {value.strip()}"


@check("chips write into the box")
def chips(bench):
    page = bench.fresh()
    page.click("button", "failed")
    wait(lambda: page.on("searchbox", "Filter", "box => box.value") == "is:failed", "is:failed in the box")
    holds(page.on("button", "failed", "chip => chip.getAttribute('aria-pressed')") == "true", "the chip is not pressed")
    page.click("button", "failed")
    wait(lambda: page.on("searchbox", "Filter", "box => box.value") == "", "an empty box")
    return "is:failed in and out"


@check("keys move, open, close, and leave typing alone", needs_more=True)
def keys(bench):
    page, mark = opened(bench, "/json")
    page.press("Escape")
    wait(lambda: not page.nodes("region", "Flow"), "the flow to close")
    holds(page.js("document.activeElement.getAttribute('role')") == "grid", "the focus is not in the list")
    page.press("/")
    wait(lambda: page.js("document.activeElement.type") == "search", "the focus in the filter")
    page.filter("")
    page.type("jjk?")
    holds(page.on("searchbox", "Filter", "box => box.value") == "jjk?", "keys act while somebody types")
    page.filter("")
    page.press("Escape")
    page.press("Escape")
    # The list with the filter that has just been taken out has one.
    wait(lambda: count(page) > 1, "all flows")
    page.press("g")
    first = page.js("document.querySelector('[aria-selected=true].row')?.id")
    page.press("j")
    second = page.js("document.querySelector('[aria-selected=true].row')?.id")
    page.press("ArrowUp")
    back = page.js("document.querySelector('[aria-selected=true].row')?.id")
    holds(first and first == back, f"g chose {first}, j {second}, ArrowUp {back}")
    holds(page.js("document.querySelector('[role=grid]').getAttribute('aria-activedescendant')") == back, "aria-activedescendant is another row")
    page.press("?")
    wait(lambda: page.nodes("dialog"), "the help")
    bench.picture("help")
    page.press("Escape")
    wait(lambda: not page.nodes("dialog"), "the help to close")
    return "/ j k g Enter Escape ?"


@check("nothing that is read moves while flows come", needs_more=True)
def still(bench):
    page = bench.fresh()
    bench.origin.ask(*(f"/json?fill{number}" for number in range(80)))
    wait(lambda: count(page) >= 80, "80 flows")
    page.press("G")
    wait(lambda: page.js("(grid => grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 2)(document.querySelector('[role=grid]'))"), "the end")
    # Flows of before count as well: only the last one says that all have come.
    shows(page, "fill79")
    page.press("k", 3)
    page.wheel(-400)
    wait(lambda: page.nodes("button", "↓ newest"), "a button to the newest")
    place = "JSON.stringify([...document.querySelectorAll('.row:not([hidden])')].map(row => [row.id, Math.round(row.getBoundingClientRect().top)]).filter(one => one[1] > 70 && one[1] < 700).sort())"
    chosen = page.js("document.querySelector('[role=grid]').getAttribute('aria-activedescendant') ?? document.querySelector('.row[aria-selected=true]')?.id")
    # A wheel turns over several frames.
    last = [None, None]
    wait(lambda: (last.append(page.js(place)), last.pop(0), last[0] == last[1])[2], "the list to stand still")
    before, total = page.js(place), count(page)
    bench.origin.ask(*(f"/json?late{number}" for number in range(40)))
    wait(lambda: count(page) >= total + 40, "40 flows more")
    holds(page.js(place) == before, "rows moved")
    label = wait(lambda: next((node["name"]["value"] for node in page.nodes("button") if "new" in node["name"]["value"] and "↓" in node["name"]["value"]), None), "the button")
    holds("40 new" in label, f"the button says {label!r}")
    page.click("button", label)
    shows(page, "late39")
    return f"{total} + 40 flows: {label}; chosen {chosen}"


@check("Pause holds the list still", needs_more=True)
def pause(bench):
    page = bench.fresh()
    page.click("button", "Pause")
    wait(lambda: page.on("button", "Pause", "one => one.getAttribute('aria-pressed')") == "true", "Pause to be pressed")
    mark, before = bench.mark(), count(page)
    bench.origin.ask(f"/json?m={mark}")
    page.until("/paused, [1-9]/.test(document.querySelector('.status-words').textContent)", "the flow to be counted")
    holds(count(page) == before, "the list went on")
    page.click("button", "Pause")
    shows(page, mark)
    return "one held back, then shown"


@check("Clear asks first and clears what is filtered", needs_more=True)
def clear(bench):
    page, mark = opened(bench, "/json")
    page.press("Escape")
    page.click("button", "Clear")
    wait(lambda: page.nodes("dialog", "Clear"), "a question")
    page.click("button", "Cancel")
    wait(lambda: not page.nodes("dialog"), "the question to close")
    holds(count(page) == 1, "cleared without an answer")
    page.click("button", "Clear")
    page.click("button", "Delete 1")
    wait(lambda: count(page) == 0, "none")
    page.filter("")
    wait(lambda: count(page) > 0, "the others")
    return f"1 deleted, {count(page)} are left"
