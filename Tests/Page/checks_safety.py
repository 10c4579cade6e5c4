"""What peers send is text, and the page asks for nothing outside itself."""

from checks import check, holds, opened, panel, shows
from devtools import wait
from origin import MARKUP


@check("markup of a peer stays text", needs_more=True)
def markup(bench):
    page, _ = opened(bench, "/harm")
    for tab, word in [("Request", "X-Test"), ("Response", "X-Harm"), ("Overview", "harm"), ("TLS", ""), ("Timing", "")]:
        page.click("tab", tab)
        panel(page, word)
    page.click("tab", "Response")
    panel(page, "<script>window.harm=1</script>")
    text = panel(page, "gnp.exe")
    holds("[U+202E]" in text or "\\u202e" in text, "a direction override is not shown as a sign")
    for path in ("/html", "/vector"):
        opened(bench, path, "Response")
        for mode in ("Raw", "Hex", "Pretty"):
            page.click("button", mode)
            wait(lambda: page.on("button", mode, "one => one.getAttribute('aria-pressed')") == "true", mode)
    bench.origin.ask("/harm/%3Cimg%20src=x%20onerror=window.harm=1%3E", headers={"X-Harm": MARKUP, "Referer": "javascript:window.harm=1"})
    page.filter("url:onerror")
    shows(page, "onerror")
    bench.picture("harm")
    holds(page.js("window.harm") is None, "a script of a peer ran")
    found = page.js("[...document.querySelectorAll('main script, main iframe, main object, main embed, main form[action], main [onerror], main [onload], main [style*=url]')].length")
    holds(found == 0, f"{found} elements that a page of pinproof has not")
    links = page.js("[...document.querySelectorAll('a[href], img[src]')].map(one => one.getAttribute('href') ?? one.src).filter(one => !/^(\\/(api|assets)\\/|blob:)/.test(one))")
    holds(not links, f"addresses of a peer: {links}")
    return "five tabs, three modes, two bodies"


@check("a list, nothing outside, no fault, and the policy was never tripped")
def outside(bench):
    page = bench.page
    own = bench.base.split("/")[2]
    # The browser itself may look for its maker's services; a page's own requests are told by the page.
    asked = page.js("[...new Set(performance.getEntriesByType('resource').map(entry => new URL(entry.name).host))]")
    holds(set(asked) <= {own, ""}, f"the page asked {asked}")
    holds("outside.invalid" not in " ".join(bench.relay.targets), "an address out of a body was asked")
    broken = [line for line in page.said if "Content Security Policy" in line or "Content-Security-Policy" in line]
    holds(not broken, broken)
    holds(not page.faults, page.faults)
    policy = page.js("fetch('/').then(answer => answer.headers.get('content-security-policy'))")
    holds(policy and "unsafe" not in policy and "default-src 'none'" in policy, f"the policy is {policy}")
    return f"asked only {own}"
