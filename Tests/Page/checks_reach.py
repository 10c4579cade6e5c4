"""Two tabs, and pinproof that goes and comes back."""

from checks import check, holds, shows
from devtools import wait


@check("two tabs show the same, live", needs_more=True)
def two(bench):
    page, other = bench.fresh(), bench.another()
    mark = bench.mark()
    bench.origin.ask(f"/json?m={mark}")
    shows(page, mark)
    shows(other, mark)
    return "both have it"


@check("pinproof goes and comes back", needs_more=True)
def gone(bench):
    page = bench.fresh()
    mark = bench.mark()
    bench.origin.ask(f"/json?m={mark}")
    shows(page, mark)
    bench.relay.cut()
    line = page.until("!document.querySelector('#connection').hidden && document.querySelector('#connection').textContent", "a line at the top")
    shows(page, mark)
    bench.picture("gone")
    late = bench.mark()
    bench.origin.ask(f"/json?m={late}")
    bench.relay.mend()
    page.until("document.querySelector('#connection').hidden", "the line to go")
    shows(page, late)
    page.js("document.querySelector('[role=grid]').focus()")
    return line


@check("a page that is not known says what to do")
def unknown(bench):
    page = bench.fresh()
    page.call("Network.clearBrowserCookies")
    bench.relay.cut()
    page.until("!document.querySelector('#connection').hidden", "a line at the top")
    bench.relay.mend()
    line = page.until("/open the link/.test(document.querySelector('#connection').textContent) && document.querySelector('#connection').textContent", "what to do")
    page.go(bench.url)
    page.until("document.querySelector('#connection').hidden", "the line to go")
    holds("token=" not in page.js("location.href"), "the token is still in the address")
    return line
