"""What the clients written with the ssl module share: the environment of lib.sh, a tunnel, TLS, HTTP/1.1.

A theme (a folder's client.py) is a dictionary of ways, each a function that makes its requests and returns the last
answer. What is weak about a way is in its theme; what is here is sound.
"""

import base64
import hashlib
import os
import pathlib
import socket
import ssl
import sys
from urllib.parse import urlsplit

from der import Certificate

E = os.environ
ADDRESS = urlsplit(E.get("URL", "https://nowhere.test/"))
HOST, PORT, PATH = ADDRESS.hostname, ADDRESS.port or 443, ADDRESS.path or "/"
TIMEOUT = float(E.get("TIMEOUT") or 5)
PINNED = bool(E.get("PIN_CERT"))
REQUESTS = int(E.get("REQUESTS") or 3)
STATE = pathlib.Path(E.get("STATE") or ".")


class PinMismatch(Exception):
    pass


REFUSALS = (ssl.SSLError, PinMismatch)


def certificate(variable):
    """The DER of the PEM file that an environment variable names."""
    return ssl.PEM_cert_to_DER_cert(pathlib.Path(E[variable]).read_text())


def context(cafile=None):
    made = ssl.create_default_context(cafile=cafile or E["CAFILE"])
    made.hostname_checks_common_name = False  # which Python still does; `validation` has a client for that
    return made


def blind():
    """A context that verifies nothing."""
    made = context()
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    return made


def tunnel(host=HOST, port=PORT, headers=""):
    """A TCP connection to a host: through the proxy's CONNECT, or straight. `headers`: more of them, each with its end."""
    if not E.get("PINPROOF_PROXY"):
        return socket.create_connection((host, port), TIMEOUT)
    proxy = urlsplit(E["PINPROOF_PROXY"])
    sock = socket.create_connection((proxy.hostname, proxy.port), TIMEOUT)
    name = f"{host}:{port}"
    sock.sendall(f"CONNECT {name} HTTP/1.1\r\nHost: {name}\r\n{headers}\r\n".encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = sock.recv(1)
        if not byte:
            raise OSError("the proxy closed the connection")
        head += byte
    if b" 200" not in head.split(b"\r\n")[0]:
        raise OSError(f"the proxy answered {head.splitlines()[0]!r}")
    return sock


def secure(made=None, host=HOST, port=PORT, session=None, sock=None):
    """A finished handshake with a host. A failed one leaves no socket behind."""
    sock = sock or tunnel(host, port)
    try:
        return (made or context()).wrap_socket(sock, server_hostname=host, session=session)
    except BaseException:
        sock.close()
        raise


def leaf(tls):
    return tls.getpeercert(binary_form=True)


def presented(tls):
    """Every certificate of the list as it was presented."""
    if hasattr(tls, "get_unverified_chain"):  # public since Python 3.13
        return tls.get_unverified_chain()
    return [one.public_bytes(ssl._ssl.ENCODING_DER) for one in tls._sslobj.get_unverified_chain()]


def verified(tls):
    """Every certificate of the chain that was verified, the root too."""
    if hasattr(tls, "get_verified_chain"):
        return tls.get_verified_chain()
    return [one.public_bytes(ssl._ssl.ENCODING_DER) for one in tls._sslobj.get_verified_chain()]


def require(right):
    if not right:
        raise PinMismatch("pin mismatch")


def check(tls):
    """The sound check: the key of the certificate that was shown is the pinned one."""
    require(not PINNED or has_pin(leaf(tls)))


def has_pin(der):
    return hashlib.sha256(Certificate(der).key).digest() == base64.b64decode(E["PIN"])


def send(tls, method="GET", path=PATH, host=HOST, close=True, body=b""):
    head = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Connection: {'close' if close else 'keep-alive'}"]
    if body:
        head.append(f"Content-Length: {len(body)}")
    tls.sendall(("\r\n".join(head) + "\r\n\r\n").encode() + body)


def read(tls):
    """One answer, by its Content-Length, or to the end."""
    answer, length = b"", None
    while length is None or len(answer) < length:
        try:
            piece = tls.recv(65536)
        except ssl.SSLEOFError:
            break
        if not piece:
            break
        answer += piece
        head, found, _ = answer.partition(b"\r\n\r\n")
        if found and length is None:
            for line in head.split(b"\r\n"):
                if line.lower().startswith(b"content-length:"):
                    length = len(head) + 4 + int(line.split(b":")[1])
    if not answer:
        raise OSError("no answer")
    return answer


def ask(checks=check, made=None, host=HOST, port=PORT, path=PATH, method="GET", body=b"", session=None):
    """A connection, a check, a request, its answer."""
    with secure(made, host, port, session) as tls:
        checks(tls)
        send(tls, method, path, host, body=body)
        return read(tls)


def unchecked(tls):
    """For connections nobody looks at."""


def run(ways):
    """Runs the way that the first argument names, with the statuses of lib.sh. Without a pin, every way is honest."""
    way = sys.argv[1] if len(sys.argv) > 1 else ""
    if way not in ways:
        print(f"no such way: {way}", file=sys.stderr)
        sys.exit(64)
    try:
        sys.stdout.write(ways[way]().decode(errors="replace"))
        sys.stdout.flush()
        status = 0
    except REFUSALS as error:
        print(error, file=sys.stderr)
        status = 1
    except OSError as error:
        print(error, file=sys.stderr)
        status = 2
    sys.exit(status)
