"""TLS records that no library writes: empty ones, alerts and KeyUpdates without end, garbage with a right checksum.

The handshake is Python's; its key log gives the secret from which the records after it are sealed here.
"""

import ctypes
import ctypes.util
import hashlib
import hmac
import os
import socket
import ssl
import struct
import tempfile

ALERT, HANDSHAKE, DATA = 21, 22, 23
KEY_UPDATE = bytes((24, 0, 0, 1))
SET_IV_LENGTH, GET_TAG = 9, 16


def plain(kind, content, version=0x0303):
    """A record as it is before keys are agreed on."""
    return struct.pack(">BHH", kind, version, len(content)) + content


class _Crypto:
    """AES-GCM out of the libcrypto that Python has loaded as well."""

    def __init__(self):
        library = ctypes.CDLL(ctypes.util.find_library("crypto"))
        for name in ("EVP_CIPHER_CTX_new", "EVP_aes_128_gcm", "EVP_aes_256_gcm", "EVP_chacha20_poly1305"):
            getattr(library, name).restype = ctypes.c_void_p
        self.library = library
        self.ciphers = {
            "TLS_AES_128_GCM_SHA256": (library.EVP_aes_128_gcm(), 16, "sha256"),
            "TLS_AES_256_GCM_SHA384": (library.EVP_aes_256_gcm(), 32, "sha384"),
            "TLS_CHACHA20_POLY1305_SHA256": (library.EVP_chacha20_poly1305(), 32, "sha256"),
        }

    def seal(self, cipher, key, nonce, associated, text):
        lib = self.library
        context = ctypes.c_void_p(lib.EVP_CIPHER_CTX_new())
        try:
            size, out, tag = (
                ctypes.c_int(),
                ctypes.create_string_buffer(len(text) + 16),
                ctypes.create_string_buffer(16),
            )
            lib.EVP_EncryptInit_ex(context, ctypes.c_void_p(cipher), None, key, nonce)
            lib.EVP_EncryptUpdate(context, None, ctypes.byref(size), associated, len(associated))
            lib.EVP_EncryptUpdate(context, out, ctypes.byref(size), text, len(text))
            lib.EVP_EncryptFinal_ex(context, out, ctypes.byref(size))
            lib.EVP_CIPHER_CTX_ctrl(context, GET_TAG, 16, tag)
            return out.raw[: len(text)] + tag.raw
        finally:
            lib.EVP_CIPHER_CTX_free(context)


_crypto = _Crypto()


class Sealer:
    """The sending half of a TLS 1.3 connection, taken over from Python's own. `sock` is the bare socket."""

    def __init__(self, tls, keylog, side):
        name = tls.cipher()[0]
        self.cipher, self.key_size, self.hash = _crypto.ciphers[name]
        wanted = f"{side}_TRAFFIC_SECRET_0"
        with open(keylog) as file:
            self.secret = next(bytes.fromhex(line.split()[2]) for line in file if line.startswith(wanted))
        self.sock = socket.socket(fileno=tls.detach())
        self.sock.settimeout(20)
        self._keys()

    def _expand(self, label, size):
        """HKDF-Expand-Label of RFC 8446, of not more than one block."""
        info = struct.pack(">HB", size, len(label) + 6) + b"tls13 " + label + b"\0\1"
        return hmac.new(self.secret, info, self.hash).digest()[:size]

    def _keys(self):
        self.key, self.iv, self.count = self._expand(b"key", self.key_size), self._expand(b"iv", 12), 0

    def record(self, kind, content):
        text = content + bytes((kind,))
        head = struct.pack(">BHH", DATA, 0x0303, len(text) + 16)
        nonce = (int.from_bytes(self.iv, "big") ^ self.count).to_bytes(12, "big")
        self.count += 1
        return head + _crypto.seal(self.cipher, self.key, nonce, head, text)

    def key_update(self, asks=False):
        out = self.record(HANDSHAKE, KEY_UPDATE + bytes((asks,)))
        self.secret = self._expand(b"traffic upd", hashlib.new(self.hash).digest_size)
        self._keys()
        return out


def logged(context):
    """`context` with a key log of its own; the file is to be removed by whoever asked."""
    handle, path = tempfile.mkstemp(prefix="keys-")
    os.close(handle)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.keylog_filename = path
    return path


FLOODS = (
    "key-updates",
    "key-updates-asking",
    "empty-records",
    "alerts",
    "odd-types",
    "bad-checksum",
    "cut-record",
    "handshakes",
)


def flood(sealer, kind, rng):
    """Sends what `kind` says until the other side has enough of it, or some thousands were sent."""
    count = {"key-updates": 3000, "key-updates-asking": 3000}.get(kind, 5000)
    send = sealer.sock.sendall
    if kind == "bad-checksum":
        return send(sealer.record(DATA, b"GET / HTTP/1.1\r\n")[:-1] + b"\0")
    if kind == "cut-record":
        return send(sealer.record(DATA, rng.randbytes(8000))[: rng.randrange(5, 8000)])
    while count > 0:
        count -= 50
        if kind.startswith("key-updates"):
            send(b"".join(sealer.key_update(kind.endswith("asking")) for _ in range(50)))
        elif kind == "empty-records":
            send(b"".join(sealer.record(DATA, b"") for _ in range(50)))
        elif kind == "alerts":
            send(b"".join(sealer.record(ALERT, b"\1\x5a") for _ in range(50)))
        elif kind == "odd-types":
            send(sealer.record(rng.choice((0, 20, 24, 99)), rng.randbytes(20)))
        else:
            send(sealer.record(HANDSHAKE, bytes((rng.choice((1, 2, 4, 11, 20)),)) + b"\0\1\0" + rng.randbytes(256)))
