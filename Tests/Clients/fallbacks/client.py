"""What happens after a refusal: every connection to the host is checked, and then another road is taken."""

import socket
import ssl
from urllib.parse import urlsplit

from stack import (
    E, HOST, PATH, PINNED, REFUSALS, TIMEOUT, PinMismatch, ask, check, context, read, run, secure, send, tunnel, unchecked,
)

SIBLING = "other.test"


def after_refusal(other):
    """The request on a checked connection; refused, the same by another road."""

    def way():
        try:
            return ask()
        except REFUSALS as error:
            other()
            raise error

    return way


def to_the_proxy(scheme="http", path=PATH):
    """A request that the proxy is to carry in clear text."""
    proxy = urlsplit(E["PINPROOF_PROXY"])
    with socket.create_connection((proxy.hostname, proxy.port), TIMEOUT) as sock:
        head = f"GET {scheme}://{HOST}{path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n"
        sock.sendall(head.encode())
        return listen(sock)


def on_port_80():
    with tunnel(port=80) as sock:
        send(sock)
        return listen(sock)


def listen(sock):
    """Whatever comes; the request has left, and that is the point."""
    try:
        return read(sock)
    except OSError:
        return b""


def at_a_sibling():
    return ask(unchecked, host=SIBLING)


def at_an_address():
    """The genuine address, for which nobody has a pin, nor a name."""
    address, port = E["DIRECT"].split(":")
    made = context()
    made.check_hostname = False
    with made.wrap_socket(tunnel(address, int(port))) as tls:
        send(tls)
        return read(tls)


def by_an_odd_name():
    """The pin's host, with its port in the server name: a slip that servers let pass."""
    made = context()
    made.check_hostname = False
    with made.wrap_socket(tunnel(), server_hostname=f"{HOST}:443") as tls:
        send(tls)
        return read(tls)


def past_the_proxy():
    address, port = E["DIRECT"].split(":")
    sock = socket.create_connection((address, int(port)), TIMEOUT)
    with context().wrap_socket(sock, server_hostname=HOST) as tls:
        send(tls)
        return read(tls)


def with_old_tls():
    made = context()
    made.minimum_version, made.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    made.set_ciphers("DEFAULT@SECLEVEL=0")
    return ask(unchecked, made)


def when_tls_fails():
    """A wrong certificate is refused. No TLS at all is a bad network, and there clear text will do."""
    try:
        return ask()
    except (PinMismatch, ssl.SSLCertVerificationError):
        raise
    except OSError:
        on_port_80()
        raise


def on_the_same_connection():
    """A wrong certificate is refused. Where TLS does not come about, it goes on without, as whoever only tries STARTTLS."""
    with tunnel() as sock:
        try:
            with secure(sock=sock.dup()) as tls:
                check(tls)
                send(tls)
                return read(tls)
        except (PinMismatch, ssl.SSLCertVerificationError):
            raise
        except OSError:
            send(sock)
            listen(sock)
            raise


WAYS = {
    "clear-text": after_refusal(to_the_proxy),
    "https-to-the-proxy": after_refusal(lambda: to_the_proxy("https")),
    "reachability": after_refusal(lambda: to_the_proxy(path="/generate_204")),
    "clear-text-port-80": after_refusal(on_port_80),
    "sibling": after_refusal(at_a_sibling),
    "address": after_refusal(at_an_address),
    "odd-name": after_refusal(by_an_odd_name),
    "past-the-proxy": after_refusal(past_the_proxy),
    "old-tls": after_refusal(with_old_tls),
    "clear-text-without-tls": when_tls_fails,
    "same-connection": on_the_same_connection,
}
run(WAYS if PINNED else dict.fromkeys(WAYS, ask))
