"""One flow: its tabs, headers, bodies, notes, comparison."""

import threading

from checks import check, count, holds, open_first, opened, panel, shows
from devtools import wait


@check("the flow has its tabs, by mouse and by key", needs_more=True)
def tabs(bench):
    page, mark = opened(bench, "/json")
    for number, name in enumerate(["Overview", "Request", "Response", "Messages", "TLS", "Timing"], 1):
        page.node("tab", name)
        page.press(str(number))
        wait(lambda: page.on("tab", name, "tab => tab.ariaSelected") == "true", f"{name} by its number")
        wait(lambda: (panel(page) or "").strip(), f"something in {name}")
    page.press("[")
    wait(lambda: page.on("tab", "TLS", "tab => tab.ariaSelected") == "true", "the tab before")
    page.press("1")
    holds(mark in panel(page, mark), "the URL is not in the overview")
    bench.picture("overview")
    return "six tabs"


@check("the address brings the flow and its tab back", needs_more=True)
def address(bench):
    page, mark = opened(bench, "/json", "Response")
    page.go(page.js("location.href"))
    wait(lambda: page.nodes("region", "Flow"), "the flow after loading again")
    wait(lambda: page.on("tab", "Response", "tab => tab.ariaSelected") == "true", "the tab after loading again")
    panel(page, "12345678901234567890")
    return page.js("location.search")


@check("JSON keeps its numbers, duplicates and order, and folds", needs_more=True)
def json(bench):
    page, _ = opened(bench, "/json", "Response")
    text = panel(page, "12345678901234567890")
    holds("1.50" in text and text.count('"twice"') == 2, text)
    page.click("button", "Fold all")
    page.until("document.querySelectorAll('.json details[open]').length === 1", "folded lists")
    page.click("button", "Unfold all")
    panel(page, '"deep"')
    bench.picture("json")
    page.click("button", "Raw")
    panel(page, '"kept":1.50')
    page.click("button", "Hex")
    panel(page, "00000000  7b 22 62 69 67")
    bench.picture("hex")
    page.click("button", "Pretty")
    return "tokens as they came; Raw and Hex"


@check("pictures, forms, protocol buffers are shown as what they are", needs_more=True)
def kinds(bench):
    page, _ = opened(bench, "/picture", "Response")
    page.until("document.querySelector('[role=tabpanel] img')?.naturalWidth === 2", "the picture")
    holds(page.js("document.querySelector('[role=tabpanel] img').src.startsWith('blob:')"), "the picture's address is no blob")
    opened(bench, "/protobuf", "Response")
    panel(page, "testing")
    mark = bench.mark()
    bench.origin.ask(f"/form?m={mark}", method="POST", body=b"first=one+two&password=x", headers={"Content-Type": "application/x-www-form-urlencoded"})
    page.filter(f"url:{mark}")
    shows(page, mark)
    wait(lambda: count(page) == 1, "one flow")
    page.js("document.querySelector('.row').click()")
    page.click("tab", "Request")
    panel(page, "one two")
    return "2 × 2 picture, field 2 “testing”, form with “one two”"


@check("events of a stream come while one looks", needs_more=True)
def events(bench):
    page, mark = bench.fresh(), bench.mark()
    stream = threading.Thread(target=bench.origin.ask, args=(f"/events?m={mark}",), daemon=True)
    stream.start()
    page.filter(f"url:{mark}")
    shows(page, mark)
    wait(lambda: count(page) == 1, "one flow")
    page.js("document.querySelector('.row').click()")
    page.click("tab", "Messages")
    read = "[...document.querySelectorAll('.message-row')].map(row => row.innerText).join(' ')"
    page.until(f"/number 1[^]*number 2/.test({read})", "two events")
    page.on("listbox", "Messages", "list => list.focus()")
    page.press("ArrowUp")
    page.until("document.querySelector('.message')?.innerText.includes('number 2')", "the chosen one in full")
    bench.origin.ask("/go")
    page.until(f"/number 3/.test({read})", "the third event, live")
    holds(page.js("document.querySelector('.message').innerText.includes('number 2')"), "another one is chosen now")
    bench.picture("messages")
    page.on("searchbox", "Filter messages", "box => { box.value = 'number 1'; box.dispatchEvent(new Event('input')) }")
    page.until("document.querySelectorAll('.message-row').length === 1", "one of them")
    bench.origin.ask("/go", "/go")
    return "two, then the third; filtered to one"


@check("a body that does not decode is shown as far as it does, else as it came", needs_more=True)
def undecoded(bench):
    page, _ = opened(bench, "/cut", "Response")
    words = panel(page, "as much as could be decoded")
    holds("the begin" in words and "cut off" in words, words)
    saved = "[...document.querySelectorAll('[role=tabpanel] a')].find(link => link.href.includes('/body'))?.href"
    holds(page.js(f"fetch({saved}).then(answer => answer.ok)"), "what is shown cannot be saved")
    page, _ = opened(bench, "/mislabelled", "Response")
    panel(page, "no gzip to its end, and nothing of it could be decoded")
    page.click("button", "Hex")
    panel(page, "00000000  7b 22 70 6c 61 69 6e")
    page.click("button", "Raw")
    panel(page, '"not gzip"')
    holds(page.js("[...document.querySelectorAll('[role=tabpanel] a')].some(link => link.href.endsWith('raw=1'))"), "nothing saves its bytes")
    page.click("button", "Pretty")
    bench.picture("undecoded")
    return "a beginning, and bytes"


@check("bytes that are no HTTP are all there, and said to be", needs_more=True)
def raw(bench):
    mark = bench.mark()
    bench.origin.speak(f"NOT HTTP {mark}\r\n".encode())
    page = bench.page
    page.filter("kind:raw")
    # What has no method has a dash; until then the rows are those of the filter before.
    shows(page, "?—")
    open_first(page)
    words = panel(page)
    holds("kept" not in words, words)
    page.click("tab", "Request")
    words = panel(page, mark)
    holds("kept" not in words and "more of" not in words, words)
    bench.picture("raw")
    page.filter("")
    return words.replace("\n", " ")[:100]


@check("secrets are hidden while presenting", needs_more=True)
def presenting(bench):
    page, _ = opened(bench, "/json", "Response")
    panel(page, "verysecret")
    page.press("s")
    wait(lambda: "verysecret" not in (panel(page) or "verysecret") and "[hidden]" in panel(page), "the cookie to be hidden")
    page.node("button", "Secrets hidden")
    page.press("s")
    panel(page, "verysecret")
    return "a cookie, hidden and back"


@check("secrets in parts, headers and JSON within JSON are hidden, too", needs_more=True)
def hidden(bench):
    page, mark = bench.fresh(), bench.mark()
    body = (b'--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nverysecret\r\n--x\r\nContent-Disposition: form-data; name="inner"\r\n'
            b'Content-Type: application/json\r\n\r\n{"text":"{\\"token\\":\\"verysecret\\"}"}\r\n--x--\r\n')
    bench.origin.ask(f"/form?m={mark}&token=verysecret", method="POST", body=body, headers={
        "Content-Type": "multipart/form-data; boundary=x", "Referer": "https://a.example/?token=verysecret", "X-Custom": "Bearer verysecret"})
    page.filter(f"url:{mark}")
    shows(page, mark)
    wait(lambda: count(page) == 1, "one flow")
    page.js("document.querySelector('.row').click()")
    page.click("tab", "Request")
    panel(page, "verysecret")
    page.press("s")
    for mode in ("Raw", "Pretty"):
        page.click("button", mode)
        wait(lambda: "verysecret" not in (page.js("document.body.outerHTML")), f"nothing of it in {mode}")
        panel(page, "No copying or saving")
    page.press("s")
    panel(page, "verysecret")
    return "in a URL, two headers, two parts; Pretty and Raw"


@check("what exports leave out is not shown while secrets are hidden, in the list, of new flows and of old ones", needs_more=True)
def left_out(bench):
    page, mark = bench.fresh(), bench.mark()
    target = f"/cb/{mark}?code=verysecret"
    body = b"note: verysecretkey ghp_verysecret0123456789verysecret012345678 and PASS x"

    def ask():
        bench.origin.ask(target, method="POST", body=body, headers={"Ocp-Apim-Subscription-Key": "verysecret", "Content-Type": "text/plain"})

    ask()
    page.filter(f"url:{mark}")
    shows(page, mark)
    wait(lambda: "verysecret" in page.js("document.querySelector('.row').outerHTML"), "it in the list")
    page.js("document.activeElement.blur()")
    page.press("s")
    wait(lambda: "[redacted]" in page.js("document.querySelector('.row')?.outerHTML ?? ''"), "the row without it")
    ask()
    wait(lambda: count(page) == 2, "a second flow")
    wait(lambda: page.js("document.querySelectorAll('.row').length") == 2, "its row")
    page.js("document.querySelector('.row').click()")
    for tab in ("Overview", "Request", "Response"):
        page.click("tab", tab)
        wait(lambda: mark in page.js("document.body.outerHTML"), tab)
        if tab == "Request":
            page.click("button", "Raw")
            panel(page, "and PASS x")
        wait(lambda: "verysecret0" not in page.js("document.body.outerHTML"), f"no key in {tab}")
        wait(lambda: "=verysecret" not in page.js("document.body.outerHTML"), f"no code in {tab}")
    page.press("s")
    wait(lambda: "=verysecret" in page.js("document.querySelector('.row').outerHTML"), "it in the list again")
    panel(page)
    return "a code, a key in a header, a token by its looks"


@check("a multipart body has its parts, and files are saved", needs_more=True)
def multipart(bench):
    page, mark = bench.fresh(), bench.mark()
    body = (b'--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nhello\r\n--x\r\nContent-Disposition: form-data; name="many"\r\n'
            b'Content-Type: multipart/mixed; boundary=y\r\n\r\n--y\r\nContent-Disposition: file; filename="one.json"\r\n'
            b'Content-Type: application/json\r\n\r\n{"one":1}\r\n--y--\r\n--x--\r\n')
    bench.origin.ask(f"/form?m={mark}", method="POST", body=body, headers={"Content-Type": "multipart/form-data; boundary=x"})
    page.filter(f"url:{mark}")
    shows(page, mark)
    wait(lambda: count(page) == 1, "one flow")
    page.js("document.querySelector('.row').click()")
    page.click("tab", "Request")
    panel(page, '"one": 1')
    page.node("button", "Save one.json")
    holds(page.js("document.querySelector('.parts .parts .json') !== null"), "no tree in the inner part")
    return "a text, and a file in a part of parts"


@check("a mark and a comment stay with the flow", needs_more=True)
def note(bench):
    page, mark = opened(bench, "/json")
    page.click("button", "Note")
    wait(lambda: page.nodes("dialog"), "the dialog")
    page.js("document.querySelector('dialog input[value=red]').click()")
    page.js("document.querySelector('dialog textarea').focus()")
    page.type("look here")
    page.click("button", "Keep")
    panel(page, "look here")
    page.until("document.querySelector('.row[data-mark=red]') !== null", "the mark in the list")
    return "red, look here"


@check("c copies as curl", needs_more=True)
def curl(bench):
    page, _ = opened(bench, "/json")
    page.js("window.copied = null; navigator.clipboard ? navigator.clipboard.writeText = async text => { window.copied = text } : 0")
    page.press("c")
    text = page.until("window.copied", "a command")
    holds("curl" in text, text)
    return text.split("\n")[0][:60]


@check("two flows are compared", needs_more=True)
def compare(bench):
    page, _ = opened(bench, "/json")
    page.click("button", "Compare…")
    opened(bench, "/broken")
    page.click("button", "Compare")
    wait(lambda: page.nodes("region", "Comparison"), "the comparison")
    text = page.until("(text => /lines? differ/.test(text) && text)(document.querySelector('#aside').innerText)", "differences")
    page.until("document.querySelector('#aside').innerText.includes('12345678901234567890')", "the bodies")
    bench.picture("compare")
    page.press("Escape")
    wait(lambda: not page.nodes("region", "Comparison"), "the comparison to close")
    return next(line for line in text.split("\n") if "differ" in line)


@check("flows that differ in method, address or bytes alone are not the same", needs_more=True)
def differences(bench):
    mark = bench.mark()
    bench.origin.ask(f"/picture?{mark}", f"/another-picture?{mark}", f"/picture?{mark}")
    bench.origin.ask(f"/form?{mark}", method="POST", body=b"a=1")
    bench.origin.ask(f"/form?{mark}", method="POST", body=b"a=2")
    page = bench.fresh(f"?filter=url:{mark}")
    wait(lambda: count(page) == 5, "five flows")
    ids = sorted(page.js("fetch('/api/index?filter=url:%s').then(answer => answer.json()).then(found => found.ids)" % mark))
    told = []
    for left, right, wanted in [(0, 1, "They differ from byte 74 on"), (0, 2, "The same bytes"), (2, 3, "method"), (3, 4, "a=2")]:
        page = bench.fresh(f"?left={ids[left]}&right={ids[right]}")
        aside = "document.querySelector('#aside')"
        page.until(f"{aside}.innerText.includes({wanted!r})", wanted)
        told.append(page.until(f"(text => text && text)({aside}.querySelector('[role=status]').textContent)", "how many lines differ"))
        page.press("Escape")
    holds(all("differ" in told[index] for index in (0, 2, 3)), f"it says {told}")
    return told[0]


@check("a clicked value filters", needs_more=True)
def click(bench):
    page, _ = opened(bench, "/missing")
    page.filter("")
    page.on("button", "404", "one => one.click()")
    wait(lambda: page.on("searchbox", "Filter", "box => box.value") == "status:404", "status:404 in the box")
    return "status:404"


@check("two sessions are compared by more than their status", needs_more=True)
def sessions(bench):
    mark = bench.mark()
    bench.origin.ask(f"/json?{mark}=left", f"/json?{mark}=right&more=1")
    page = bench.fresh(f"?view=compare&first=url:{mark}=left&second=url:{mark}=right")
    words = page.until("document.querySelector('.sessions-table')?.textContent", "a pair that differs")
    holds("query" in words and "more" in words, f"it says {words!r}")
    page.js("(button => { button.focus(); button.click() })(document.querySelector('.sessions-table button'))")
    page.until("document.activeElement.textContent === 'Two flows'", "the focus on the pair")
    page.js("history.back()")
    page.until("document.activeElement.closest('.sessions-table') !== null", "the focus back at the pair's button")
    page.filter("")
    return words.split("Open")[-1]


@check("gate runs are shown")
def runs(bench):
    page = bench.fresh("?view=runs")
    wait(lambda: page.nodes("list", "Runs"), "a list of runs")
    page.until("document.querySelector('.run') !== null || document.querySelector('.run-side > p').textContent.startsWith('None')", "runs, or that there are none")
    if not page.js("document.querySelector('.run') !== null"):
        return "there are none, and the page says so"
    page.js("(run => { run.focus(); run.click() })([...document.querySelectorAll('.run')].find(run => !run.textContent.includes('rehearsal')))")
    page.until("document.querySelector('.verdicts tbody tr') !== null", "verdicts")
    page.until("document.querySelector('ol.timeline') !== null", "a timeline")
    holds(page.js("document.activeElement !== document.body"), "the focus is lost by choosing a run")
    bench.picture("runs")
    words = page.js("document.querySelector('ol.timeline').innerText")
    holds("accepted" in words or "refused" in words, f"no connection has an outcome: {words[:300]}")
    if page.js("document.querySelector('.attacks button') !== null"):
        page.js("(button => { button.focus(); button.click() })(document.querySelector('.attacks button'))")
        page.until("document.activeElement.textContent === 'Connections'", "the focus on the timeline")
        wanted = page.js("['attack', 'host'].map(name => new URLSearchParams(location.search).get(name)).join(' ')")
        shown = page.js("['attack', 'host'].map(name => document.querySelector(`#timeline-${name}`).value).join(' ')")
        holds(wanted == shown, f"the address says {wanted!r}, the page {shown!r}")
        # The list is read again when the window is looked at: nothing that is open closes by that.
        opened = page.js("(details => details && (details.open = true))(document.querySelector('.timeline details')) === true")
        page.js("new Promise(done => { dispatchEvent(new Event('focus')); setTimeout(done, 500) })")
        holds(not opened or page.js("document.querySelector('.timeline details').open"), "what was open is closed by reading the list again")
    if page.js("document.querySelectorAll('.run').length > 1"):
        page.js("(button => { button.focus(); button.click() })(document.querySelector('.compare-run'))")
        page.until("/worse|better/.test(document.querySelector('#runs').innerText)", "what is worse or better")
    return page.js("document.querySelector('#runs').innerText.replace(/\\s+/g, ' ').slice(0, 200)")


@check("a rehearsal is shown with the days ahead")
def rehearsal(bench):
    page = bench.fresh("?view=runs")
    chosen = "[...document.querySelectorAll('.run')].find(run => run.textContent.includes('rehearsal'))"
    page.until(f"{chosen} !== undefined || document.querySelector('.run-side > p').textContent.startsWith('None')", "a rehearsal, or no runs")
    if not page.js(f"{chosen} !== undefined"):
        return "there are no runs here"
    page.js(f"(run => {{ run.focus(); run.click() }})({chosen})")
    page.until("document.querySelector('.ahead i') !== null", "bars")
    holds(page.js("document.querySelectorAll('.compare-run').length === 0"), "a rehearsal is compared with a gate run")
    words = page.js("document.querySelector('.run-place').innerText")
    for wanted in ("renewed-new-key", "locked-out", "leaf expires", "build 2.0", "build 1.0", "Days ahead"):
        holds(wanted in words, f"{wanted} is not there: {words[:600]}")
    widths = page.js("[...document.querySelectorAll('.ahead i')].map(bar => bar.getBoundingClientRect().width)")
    holds(max(widths) > 100 and min(widths) >= 1, f"bars have no lengths: {widths}")
    bench.picture("rehearsal")
    return page.js("document.querySelector('.run-verdict').innerText")
