"""The page that sets a device up, and what it says of a browser's proxy, trust and clock."""

import http.client

from checks import check, holds
from devtools import Browser, wait

SITE = "http://pinproof.test/"
RESULT = "document.querySelector('#check').textContent"


def says(page, words):
    page.until(f"{RESULT}.includes({words!r})", f"the check to say {words!r}")
    return page.js(RESULT)


@check("a device is told whether it uses the proxy, and whether it trusts the CA", needs_more=True)
def device(bench):
    proxy = bench.origin.proxy
    # Without the proxy, at the proxy's own address. Names under .test are nobody's.
    with Browser() as plain:
        page = plain.page(f"http://{proxy}/")
        says(page, "does not use the proxy")
        holds(page.js("document.querySelector('h2').textContent") == "1. The proxy", "how to set the proxy is not there")
        holds(page.js("document.querySelector('#linux').open && document.querySelector('details').id") == "linux", "the platform is not first")
    with Browser(proxy) as through:
        page = through.page(SITE)
        says(page, "does not trust the CA")
        bench.picture("onboarding", page)
        # As if the CA were installed.
        page.call("Security.setIgnoreCertificateErrors", ignore=True)
        page.click("button", "Check again")
        says(page, "trusts the CA")
        page.call("Page.addScriptToEvaluateOnNewDocument", source="const now = Date.now; Date.now = () => now() - 600000")
        page.go(SITE)
        holds("10 minutes behind" in says(page, "trusts the CA"), "a wrong clock is not told")
        # Nothing is wider than a small phone, in either colours, and nothing tripped over the policy.
        page.size(360, 740)
        page.js("for (const one of document.querySelectorAll('details')) one.open = true")
        wide = page.js("document.documentElement.scrollWidth")
        holds(wide <= 360, f"{wide} pixels wide")
        page.dark(True)
        bench.picture("onboarding-phone", page)
        broken = [line for line in page.said if "Content Security Policy" in line]
        holds(not broken and not page.faults, (broken, page.faults))
    return "no proxy, no trust, trust, a wrong clock, 360 pixels"


@check("the onboarding page has no way to page or API", needs_more=True)
def apart(bench):
    host = bench.url.split("/")[2]
    link = http.client.HTTPConnection(bench.origin.proxy, timeout=30)
    for target, status in [("/api/status", 404), ("/assets/main.js", 404), ("http://pinproof.test/api/flows", 404), (f"http://{host}/api/status", 508)]:
        link.request("GET", target)
        answer = link.getresponse()
        answer.read()
        holds(answer.status == status, f"{target}: {answer.status}")
        link.close()
    return "404, and the page's own address is not called"
