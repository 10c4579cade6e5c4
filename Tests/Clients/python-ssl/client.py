"""The ssl module by hand: an honest pinned client, and clients that get it wrong in one way each.

The first argument names the way (clients.txt says what each does); without it, the client is honest.
"""

import hashlib
import os
import socket
import ssl
import struct
import sys
import time
from urllib.parse import urlsplit

WAY = sys.argv[1] if len(sys.argv) > 1 else ""
E = os.environ
ADDRESS = urlsplit(E["URL"])
PORT = ADDRESS.port or 443
TIMEOUT = float(E["TIMEOUT"])
NO_CHECK_TIME = 0x200000  # X509_V_FLAG_NO_CHECK_TIME, which the ssl module does not name


class PinMismatch(Exception):
    pass


def pinned_hash():
    """SHA-256 of the pinned certificate, or None for a client without a pin."""
    if not E.get("PIN_CERT") or (WAY == "forgetful" and has_started_before()):
        return None
    with open(E["PIN_CERT"]) as file:
        return hashlib.sha256(ssl.PEM_cert_to_DER_cert(file.read())).digest()


def has_started_before():
    """Counts the starts under the trusted CA: a pin that holds once proves little."""
    if E.get("PINPROOF_PHASE") != "trusted-ca":
        return False
    marker = os.path.join(E["STATE"], "started")
    if os.path.exists(marker):
        return True
    open(marker, "w").close()
    return False


def context():
    made = ssl.create_default_context(cafile=E["CAFILE"])
    if WAY in ("no-hostname", "trust-all"):
        made.check_hostname = False
    if WAY == "trust-all":
        made.verify_mode = ssl.CERT_NONE
    if WAY == "ignores-expiry":
        made.verify_flags |= NO_CHECK_TIME
    return made


def tunnel():
    """A TCP connection to the host: through the proxy's CONNECT, or straight."""
    if not E.get("PINPROOF_PROXY"):
        return socket.create_connection((ADDRESS.hostname, PORT), TIMEOUT)
    proxy = urlsplit(E["PINPROOF_PROXY"])
    sock = socket.create_connection((proxy.hostname, proxy.port), TIMEOUT)
    name = f"{ADDRESS.hostname}:{PORT}"
    sock.sendall(f"CONNECT {name} HTTP/1.1\r\nHost: {name}\r\n\r\n".encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = sock.recv(1)
        if not byte:
            raise OSError("the proxy closed the connection")
        head += byte
    if b" 200" not in head.split(b"\r\n")[0]:
        raise OSError(f"the proxy answered {head.splitlines()[0]!r}")
    return sock


def secured():
    return context().wrap_socket(tunnel(), server_hostname=ADDRESS.hostname)


def presented_chain(tls):
    """Every certificate of the list as it was presented, in DER."""
    if hasattr(tls, "get_unverified_chain"):  # public since Python 3.13
        return tls.get_unverified_chain()
    der = ssl._ssl.ENCODING_DER
    return [certificate.public_bytes(der) for certificate in tls._sslobj.get_unverified_chain()]


def check_pin(tls):
    pinned = pinned_hash()
    if pinned is None:
        return
    candidates = presented_chain(tls) if WAY == "presented-chain" else [tls.getpeercert(binary_form=True)]
    if pinned not in [hashlib.sha256(der).digest() for der in candidates]:
        raise PinMismatch("pin mismatch")


def send_request(tls):
    tls.sendall(f"GET {ADDRESS.path or '/'} HTTP/1.1\r\nHost: {ADDRESS.hostname}\r\nConnection: close\r\n\r\n".encode())


def read_answer(tls):
    answer = b""
    while True:
        try:
            piece = tls.recv(65536)
        except ssl.SSLEOFError:
            break
        if not piece:
            break
        answer += piece
    if not answer:
        raise OSError("no answer")
    return answer


def honest():
    with secured() as tls:
        check_pin(tls)
        send_request(tls)
        return read_answer(tls)


def sends_then_checks():
    with secured() as tls:
        send_request(tls)
        check_pin(tls)
        return read_answer(tls)


def retries():
    for _ in range(3):
        try:
            return honest()
        except (ssl.SSLError, PinMismatch):
            time.sleep(0.05)
    return honest()


def speculative():
    """A browser's habit: one socket that never asks for TLS, one whose handshake is done and that stays unused."""
    unused = tunnel()
    try:
        spare = secured()
    except ssl.SSLError:
        spare = None
    try:
        return honest()
    finally:
        if spare:
            spare.close()
        unused.close()


def idle():
    with secured() as tls:
        try:
            check_pin(tls)
        except PinMismatch:
            time.sleep(600)  # until the gate ends us
        send_request(tls)
        return read_answer(tls)


def server_first():
    with secured() as tls:
        check_pin(tls)
        banner = tls.recv(1000)
        if not banner.startswith(b"220 "):
            raise OSError(f"no banner: {banner!r}")
        tls.sendall(b"EHLO a client that waits for its turn and then says something\r\n")
        return banner + read_answer(tls)


def dies_early():
    if E.get("PINPROOF_PHASE", "passthrough") == "passthrough":
        return honest()
    sock = tunnel()
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    half = context().wrap_bio(incoming, outgoing, server_hostname=ADDRESS.hostname)
    try:
        half.do_handshake()
    except ssl.SSLWantReadError:
        pass
    sock.sendall(outgoing.read())
    # Lingering for no time: closing sends an RST, and whatever the server says is lost.
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()
    raise OSError("died on purpose")


WAYS = {
    "sends-then-checks": sends_then_checks,
    "retries": retries,
    "speculative": speculative,
    "idle": idle,
    "server-first": server_first,
    "dies-early": dies_early,
}
VARIANTS = ("", "presented-chain", "no-hostname", "trust-all", "ignores-expiry", "forgetful")


def main():
    if WAY not in WAYS and WAY not in VARIANTS:
        print(f"python-ssl: no such way: {WAY}", file=sys.stderr)
        return 64
    try:
        sys.stdout.write(WAYS.get(WAY, honest)().decode(errors="replace"))
        return 0
    except (ssl.SSLError, PinMismatch) as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(error, file=sys.stderr)
        return 2


sys.exit(main())
