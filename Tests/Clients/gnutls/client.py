"""GnuTLS by its C interface: chain, name and pin are looked at in the handshake, and left by a close_notify.

That is what most programs over GnuTLS do: `gnutls_bye` whatever became of the handshake. Over TLS 1.2 it goes out in an
alert's place; over TLS 1.3 GnuTLS sends none before it has finished, and only the socket is closed.
"""

import ctypes
import os
import pathlib
import socket
import ssl
import sys
from urllib.parse import urlsplit

TLS = ctypes.CDLL("libgnutls.so.30")
E = os.environ
HOST = urlsplit(E["URL"]).hostname
PORT = urlsplit(E["URL"]).port or 443
CERTIFICATE_ERROR = -43  # GNUTLS_E_CERTIFICATE_ERROR
SHUT_WR = 1
TYPE_DNS, PEM, CRD_CERTIFICATE, CLIENT, ENABLE_EARLY_DATA = 1, 1, 1, 2, 1 << 20


class Datum(ctypes.Structure):
    _fields_ = [("data", ctypes.POINTER(ctypes.c_ubyte)), ("size", ctypes.c_uint)]


TLS.gnutls_certificate_get_peers.restype = ctypes.POINTER(Datum)
TLS.gnutls_strerror.restype = ctypes.c_char_p
for call in (TLS.gnutls_record_send, TLS.gnutls_record_recv, TLS.gnutls_record_send_early_data):
    call.argtypes, call.restype = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t], ctypes.c_ssize_t


def verify(session):
    """Called by GnuTLS in the handshake, when it has the chain."""
    session, status, count = ctypes.c_void_p(session), ctypes.c_uint(), ctypes.c_uint()
    asked = TLS.gnutls_certificate_verify_peers3(session, HOST.encode(), ctypes.byref(status))
    if asked < 0 or status.value:
        return CERTIFICATE_ERROR
    if not E.get("PIN_CERT"):
        return 0
    shown = TLS.gnutls_certificate_get_peers(session, ctypes.byref(count))[0]
    pinned = ssl.PEM_cert_to_DER_cert(pathlib.Path(E["PIN_CERT"]).read_text())
    return 0 if ctypes.string_at(shown.data, shown.size) == pinned else CERTIFICATE_ERROR


VERIFY = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(verify)


def tunnel():
    """A socket to the host, by CONNECT where there is a proxy."""
    proxy = urlsplit(E.get("PINPROOF_PROXY", ""))
    made = socket.create_connection((proxy.hostname or HOST, proxy.port or PORT), timeout=float(E["TIMEOUT"]))
    made.settimeout(None)
    if proxy.hostname:
        made.sendall(f"CONNECT {HOST}:{PORT} HTTP/1.1\r\nHost: {HOST}:{PORT}\r\n\r\n".encode())
        if b" 200 " not in made.recv(4096).split(b"\r\n")[0] + b" ":
            raise OSError("the proxy refused")
    return made


class Connection:
    """A handshake, and what follows it. `verifies`: within the handshake; `kept`: a session to resume, and `early` what is sent
    before anything is known of the server (RFC 8446 §2.3)."""

    def __init__(self, verifies=True, kept=None, early=b""):
        self.socket = tunnel()
        self.credentials, self.session = ctypes.c_void_p(), ctypes.c_void_p()
        TLS.gnutls_certificate_allocate_credentials(ctypes.byref(self.credentials))
        TLS.gnutls_certificate_set_x509_trust_file(self.credentials, E["CAFILE"].encode(), PEM)
        if verifies:
            TLS.gnutls_certificate_set_verify_function(self.credentials, VERIFY)
        TLS.gnutls_init(ctypes.byref(self.session), CLIENT | (ENABLE_EARLY_DATA if early else 0))
        TLS.gnutls_server_name_set(self.session, TYPE_DNS, HOST.encode(), ctypes.c_size_t(len(HOST)))
        TLS.gnutls_set_default_priority(self.session)
        TLS.gnutls_credentials_set(self.session, CRD_CERTIFICATE, self.credentials)
        TLS.gnutls_transport_set_int2(self.session, self.socket.fileno(), self.socket.fileno())
        TLS.gnutls_handshake_set_timeout(self.session, int(float(E["TIMEOUT"]) * 1000))
        if kept:
            TLS.gnutls_session_set_data(self.session, kept.data, ctypes.c_size_t(kept.size))
        if early:
            TLS.gnutls_record_send_early_data(self.session, early, len(early))
        self.status = TLS.gnutls_handshake(self.session)
        while self.status < 0 and not TLS.gnutls_error_is_fatal(self.status):
            self.status = TLS.gnutls_handshake(self.session)

    def kept(self):
        """Its session; waits a moment for a ticket."""
        data = Datum()
        return data if TLS.gnutls_session_get_data2(self.session, ctypes.byref(data)) == 0 else None

    def leave(self):
        TLS.gnutls_bye(self.session, SHUT_WR)

    def ask(self):
        TLS.gnutls_record_send(self.session, REQUEST, len(REQUEST))
        answer, buffer, count = b"", ctypes.create_string_buffer(4096), 1
        # A session ticket is an error that is not fatal.
        while count > 0 or count < 0 and not TLS.gnutls_error_is_fatal(ctypes.c_int(count)):
            count = TLS.gnutls_record_recv(self.session, buffer, len(buffer))
            answer += buffer.raw[: max(0, count)]
        self.leave()
        print(answer.decode("utf-8", "replace"))
        return 0 if answer.startswith(b"HTTP/1.1 200") else 2


def checked():
    connection = Connection()
    if connection.status < 0:
        print(TLS.gnutls_strerror(connection.status).decode(), file=sys.stderr)
        connection.leave()
        return 1
    return connection.ask()


def early(keeps):
    """Looks at chain and pin when the handshake is done, and tries again when they are wrong: with a request that is sent ahead,
    where a session was kept."""
    connection = Connection(verifies=False)
    if connection.status < 0:
        return 1
    if verify(connection.session.value) == 0:
        return connection.ask()
    kept = connection.kept() if keeps else None
    connection.leave()
    second = Connection(verifies=False, kept=kept, early=REQUEST if kept else b"")
    second.leave()
    return 1


PATH = urlsplit(E["URL"]).path or "/"
REQUEST = f"GET {PATH} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode()
WAYS = {
    "": checked,
    "early-data": lambda: early(keeps=True),
    # Sound: what was refused leaves no session behind.
    "early-data-forgotten": lambda: early(keeps=False),
}
try:
    sys.exit(WAYS[sys.argv[1] if len(sys.argv) > 1 else ""]())
except OSError as error:
    print(error, file=sys.stderr)
    sys.exit(2)
