"""A hundred thousand flows, five hundred new ones a second."""

import os
import pathlib

from checks import check, count, holds
from devtools import wait

LARGE = (pathlib.Path(__file__).resolve().parent / "large.js").read_text()


# What else runs on the machine holds frames up: a quiet moment shows what the page takes.
TRIES = 6
# Milliseconds that 19 of 20 frames stay below.
SMOOTH = 100
# Milliseconds of the processor that the page's own thread may take for a frame, where others keep the processors busy and the
# time between frames is theirs: so much that frames would still come in time.
WORK = 40


def busy():
    return os.getloadavg()[0] > (os.cpu_count() or 1)


def work(page):
    """Seconds of the processor that the page's thread has taken."""
    return next(one["value"] for one in page.call("Performance.getMetrics")["metrics"] if one["name"] == "TaskDuration")


def smoothest(page, script):
    """Median and 95th percentile of frames, and the processor's time for one, in milliseconds: of the first try that is
    smooth, else of the best."""
    best = None
    for _ in range(TRIES):
        before = work(page)
        times = page.js(script)
        if len(times) > 10:
            each = (work(page) - before) * 1000 / len(times)
            one = (times[int(len(times) * 0.95)], times[len(times) // 2], each)
            best = min(best or one, one)
            if best[0] < SMOOTH:
                break
    holds(best, "hardly any frames in 2.5 s")
    return best[1], best[0], best[2]


@check("a hundred thousand flows and 500 a second")
def large(bench):
    page = bench.another()
    page.call("Page.addScriptToEvaluateOnNewDocument", source=LARGE)
    page.go(bench.base)
    wait(lambda: count(page) >= 100_000, "100,000 flows")
    page.until("[...document.querySelectorAll('.row:not([hidden])')].some(row => row.textContent.includes('/v1/items/100000'))", "the last row")
    elements = page.js("document.querySelectorAll('*').length")
    holds(elements < 1500, f"{elements} elements")
    saw = [f"{elements} elements"]
    page.call("Performance.enable", timeDomain="threadTicks")
    page.js("flood(500)")
    for name, script in [
        ("following", "measure(2500)"),
        ("scrolling", "measure(2500, at => { const grid = document.querySelector('[role=grid]'); grid.scrollTop = grid.scrollHeight / 3 + at * 4 })"),
        ("jumping", "measure(2500, at => { const grid = document.querySelector('[role=grid]'); grid.scrollTop = (Math.floor(at / 100) * 7919 % 100) / 100 * grid.scrollHeight })"),
    ]:
        p50, p95, each = smoothest(page, script)
        saw.append(f"{name} p50 {p50:.0f} p95 {p95:.0f} ms, {each:.1f} ms of the processor")
        held = p95 < SMOOTH or busy() and each < WORK
        holds(held, f"{name}: every twentieth frame takes more than {p95:.0f} ms, in the best of {TRIES} tries ({each:.1f} ms of the processor)")
    # Nothing moves while they come.
    page.js("document.querySelector('[role=grid]').scrollTop = 500000")
    place = "JSON.stringify([...document.querySelectorAll('.row:not([hidden])')].map(row => [row.id, Math.round(row.getBoundingClientRect().top)]).filter(one => one[1] > 70 && one[1] < 700).sort())"
    page.until("(rows => rows.some(row => row.id === 'flow-19240') && rows.every(row => row.textContent.includes('/v1/')))([...document.querySelectorAll('.row')])", "rows of the place")
    before, total = page.js(place), count(page)
    wait(lambda: count(page) > total + 500, "500 more")
    after = page.js(place)
    holds(after == before, f"rows moved: {before[:90]} … to {after[:90]} …")
    page.js("flood(0)")
    page.filter("status:404")
    wait(lambda: 8000 < count(page) < 12_000, "a part of them")
    page.js("flood(500)")
    some = count(page)
    wait(lambda: count(page) > some + 20, "new ones that match")
    page.js("flood(0)")
    page.call("HeapProfiler.collectGarbage")
    heap = page.js("performance.memory.usedJSHeapSize") / 1e6
    holds(heap < 60, f"{heap:.0f} MB of heap")
    saw.append(f"heap {heap:.0f} MB")
    holds(page.js("document.querySelectorAll('*').length") < 1500, "elements have piled up")
    holds(not page.faults, page.faults)
    bench.picture("large", page)
    return ", ".join(saw)


@check("an empty list teaches how to begin")
def empty(bench):
    page = bench.another()
    page.call("Page.addScriptToEvaluateOnNewDocument", source=LARGE.replace("let number = 100000", "let number = 0"))
    page.go(bench.base)
    text = page.until("!document.querySelector('.empty').hidden && document.querySelector('.empty').innerText", "words")
    for word in ("127.0.0.1:8080", "curl -x", "pinproof ca export", "--listen 0.0.0.0:8080", "http://pinproof.test/", "Waiting"):
        holds(word in text, f"{word} is not in {text!r}")
    bench.picture("empty", page)
    page.js("flood(20)")
    wait(lambda: count(page) > 0, "the first flow")
    page.js("flood(0)")
    page.until("document.querySelector('.empty').hidden", "the words to go")
    return "proxy, curl, phone; gone with the first flow"


@check("an empty list shows a phone the way in, where it can come in")
def phone(bench):
    page = bench.another()
    script = LARGE.replace("let number = 100000", "let number = 0").replace('proxy: ["', 'devices: ["192.168.1.5:8080", "10.0.0.7:8080"], proxy: ["')
    page.call("Page.addScriptToEvaluateOnNewDocument", source=script)
    page.go(bench.base)
    text = page.until("document.querySelector('.device')?.innerText", "the phone's part")
    for word in ("http://192.168.1.5:8080/ or http://10.0.0.7:8080/", "http://pinproof.test/"):
        holds(word in text, f"{word} is not in {text!r}")
    code = page.js("[document.querySelector('.qr').alt, new URL(document.querySelector('.qr').src).pathname].join(' ')")
    holds(code == "QR code of http://192.168.1.5:8080/ /assets/device.svg", code)
    holds(not page.faults, page.faults)
    return text.replace("\n", " ")
