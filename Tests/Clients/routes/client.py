"""Which host a pin belongs to: redirects, hosts beside the pinned one, and other ways to that one."""

from urllib.parse import urlsplit

from der import Certificate
from stack import (
    E, HOST, PATH, PINNED, PORT, REFUSALS, TIMEOUT, ask, check, context, has_pin, leaf, read, run, secure, send, tunnel,
    unchecked,
)

CONTROL = urlsplit(E.get("CONTROL") or "https://cdn.test/")
SIBLING = "other.test"


def follow(answer, checks):
    """Where a redirect leads, or the answer itself."""
    head = answer.partition(b"\r\n\r\n")[0]
    for line in head.split(b"\r\n") if b" 30" in head[:12] else []:
        if line.lower().startswith(b"location:"):
            there = urlsplit(line.split(b":", 1)[1].strip().decode())
            return ask(checks(there), host=there.hostname, port=there.port or 443, path=there.path or "/")
    return answer


def by_first_host(there):
    """The pins were chosen when the request was made, for the host that it was made to."""
    return unchecked


def by_each_host(there):
    return check if there.hostname.rstrip(".") == HOST else unchecked


def by_spelling(there):
    """The pins are looked up by what stands in the URL."""
    return check if there.netloc == HOST else unchecked


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


def starttls(checks):
    """Mail beside the web, at the same host: a dialogue in the clear, and then TLS."""

    def way():
        sock = tunnel()
        sock.sendall(b"STARTTLS\r\n")
        if not sock.recv(64).startswith(b"220 "):
            raise OSError("no STARTTLS")
        with secure(sock=sock) as tls:
            checks(tls)
            send(tls)
            read(tls)
        return ask()

    return way


def mail(checks):
    """The server greets, the client asks for TLS, and sends its letter."""

    def way():
        sock = tunnel()
        for words in (b"", b"STARTTLS\r\n"):
            sock.sendall(words)
            if not sock.recv(64).startswith(b"220 "):
                raise OSError("no STARTTLS")
        with secure(sock=sock) as tls:
            checks(tls)
            send(tls)
            return read(tls)

    return way


def python_mail():
    """Python's own client, through the tunnel. It loads more than all of this does: where it is used, and there alone."""
    import smtplib

    class Mail(smtplib.SMTP):
        def _get_socket(self, host, port, timeout):
            sock = tunnel(host, port)
            sock.settimeout(timeout)
            return sock

    return Mail(HOST, PORT, local_hostname="client.test", timeout=TIMEOUT)


def letter(insists):
    """A letter, under a pinned TLS where the server has it on offer; and where it has not?"""

    def way():
        smtp = python_mail()
        try:
            smtp.ehlo()
            if smtp.has_extn("starttls"):
                smtp.starttls(context=context())
                check(smtp.sock)
            elif insists:
                smtp.quit()
                raise OSError("no TLS on offer")
            answer = smtp.mail("somebody.who.has.a.name.as.long.as.a.request.for.a.page@client.test")[1]
            smtp.quit()
            return answer
        finally:
            # No word of good-bye to whom the pin does not fit.
            smtp.close()

    return way


def by_address(checks):
    """Something of the app has kept the host's address, and asks there, without a name; it does without, too."""

    def way():
        address, port = E["DIRECT"].split(":")
        made = context()
        made.check_hostname = False
        try:
            with made.wrap_socket(tunnel(address, int(port))) as tls:
                checks(tls)
                send(tls)
                read(tls)
        except REFUSALS:
            pass
        return ask()

    return way


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
    "starttls": starttls(unchecked),
    "starttls-checked": starttls(check),
    "mail": mail(unchecked),
    "mail-checked": mail(check),
    "letter": letter(insists=False),
    "letter-checked": letter(insists=True),
    "by-address": by_address(unchecked),
    "by-address-checked": by_address(check),
    "coalesces": coalesces(looks=False),
    "coalesces-checked": coalesces(looks=True),
    "redirected-to": redirected_to(by_first_host),
    "redirected-away": redirected_away,
    "redirected-spelt": redirected_to(by_spelling),
    "redirected-checked": redirected_to(by_each_host),
    "sibling": sibling,
}
run(WAYS if PINNED else dict.fromkeys(WAYS, ask))
