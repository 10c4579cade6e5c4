"""Which host a pin belongs to: redirects, and hosts beside the pinned one."""

from urllib.parse import urlsplit

from der import Certificate
from stack import E, HOST, PATH, PINNED, ask, check, has_pin, leaf, read, run, secure, send, unchecked

CONTROL = urlsplit(E.get("CONTROL") or "https://cdn.test/")
SIBLING = "other.test"


def follow(answer, checks):
    """Where a redirect leads, or the answer itself."""
    head = answer.partition(b"\r\n\r\n")[0]
    for line in head.split(b"\r\n") if b" 30" in head[:12] else []:
        if line.lower().startswith(b"location:"):
            there = urlsplit(line.split(b":", 1)[1].strip().decode())
            return ask(checks(there.hostname), host=there.hostname, port=there.port or 443, path=there.path or "/")
    return answer


def by_first_host(host):
    """The pins were chosen when the request was made, for the host that it was made to."""
    return unchecked


def by_each_host(host):
    return check if host == HOST else unchecked


def redirected_to(checks):
    """Begins at a host without a pin, then at the pinned one."""

    def way():
        start = ask(unchecked, host=CONTROL.hostname, port=CONTROL.port or 443, path="/start")
        follow(start, checks)
        return ask()

    return way


def redirected_away():
    """Begins at the pinned host; where that sends it, nobody looks."""
    return follow(ask(), by_first_host)


def sibling():
    """One of two hosts is pinned."""
    try:
        ask(unchecked, host=SIBLING, path=PATH)
    except OSError:
        pass
    return ask()


def coalesces(looks):
    """A request goes over a connection that is there already, where its certificate names the host as well."""

    def way():
        with secure(host=CONTROL.hostname, port=CONTROL.port or 443) as other:
            send(other, path="/start", host=CONTROL.hostname, close=False)
            read(other)
            if HOST.encode() in Certificate(leaf(other)).names() and (not looks or has_pin(leaf(other))):
                send(other)
                return read(other)
        return ask()

    return way


WAYS = {
    "coalesces": coalesces(looks=False),
    "coalesces-checked": coalesces(looks=True),
    "redirected-to": redirected_to(by_first_host),
    "redirected-away": redirected_away,
    "redirected-checked": redirected_to(by_each_host),
    "sibling": sibling,
}
run(WAYS if PINNED else dict.fromkeys(WAYS, ask))
