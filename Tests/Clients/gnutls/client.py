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
TYPE_DNS, PEM, CRD_CERTIFICATE, CLIENT = 1, 1, 1, 2


class Datum(ctypes.Structure):
    _fields_ = [("data", ctypes.POINTER(ctypes.c_ubyte)), ("size", ctypes.c_uint)]


TLS.gnutls_certificate_get_peers.restype = ctypes.POINTER(Datum)
TLS.gnutls_strerror.restype = ctypes.c_char_p
for call in (TLS.gnutls_record_send, TLS.gnutls_record_recv):
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


def main():
    connection = tunnel()
    credentials, session = ctypes.c_void_p(), ctypes.c_void_p()
    TLS.gnutls_certificate_allocate_credentials(ctypes.byref(credentials))
    TLS.gnutls_certificate_set_x509_trust_file(credentials, E["CAFILE"].encode(), PEM)
    TLS.gnutls_certificate_set_verify_function(credentials, VERIFY)
    TLS.gnutls_init(ctypes.byref(session), CLIENT)
    TLS.gnutls_server_name_set(session, TYPE_DNS, HOST.encode(), ctypes.c_size_t(len(HOST)))
    TLS.gnutls_set_default_priority(session)
    TLS.gnutls_credentials_set(session, CRD_CERTIFICATE, credentials)
    TLS.gnutls_transport_set_int2(session, connection.fileno(), connection.fileno())
    TLS.gnutls_handshake_set_timeout(session, int(float(E["TIMEOUT"]) * 1000))
    status = TLS.gnutls_handshake(session)
    while status < 0 and not TLS.gnutls_error_is_fatal(status):
        status = TLS.gnutls_handshake(session)
    if status < 0:
        print(TLS.gnutls_strerror(status).decode(), file=sys.stderr)
        TLS.gnutls_bye(session, SHUT_WR)
        return 1
    path = urlsplit(E["URL"]).path or "/"
    request = f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode()
    TLS.gnutls_record_send(session, request, len(request))
    answer, buffer, count = b"", ctypes.create_string_buffer(4096), 1
    # A session ticket is an error that is not fatal.
    while count > 0 or count < 0 and not TLS.gnutls_error_is_fatal(ctypes.c_int(count)):
        count = TLS.gnutls_record_recv(session, buffer, len(buffer))
        answer += buffer.raw[: max(0, count)]
    TLS.gnutls_bye(session, SHUT_WR)
    print(answer.decode("utf-8", "replace"))
    return 0 if answer.startswith(b"HTTP/1.1 200") else 2


try:
    sys.exit(main())
except OSError as error:
    print(error, file=sys.stderr)
    sys.exit(2)
