"""Faulty clients that send without end."""

import os
import ssl
import struct
import threading
import time

import http2
import pki
import records
import wire

SILENT = 3000
# One flood of sockets at a time in each process.
_one_at_a_time = threading.Lock()


class Floods:
    """Part of `faults.Faults`, which has the ways to the proxy."""

    def until_closed(self, sock, data, limit=400):
        """Sends again and again until the other side has had enough."""
        try:
            for _ in range(limit):
                sock.sendall(data)
        finally:
            self.end(sock)

    def do_flood_silent(self):
        """Thousands of sockets that say nothing, now and then."""
        if not _one_at_a_time.acquire(blocking=False):
            return
        held = []
        try:
            for _ in range(SILENT):
                held.append(self.raw(5))
            time.sleep(5)
        finally:
            for sock in held:
                wire.reset(sock)
            _one_at_a_time.release()

    def do_flood_hellos(self):
        sock = self.tunnel(limit=5)
        self.until_closed(sock, self.hello()[0] * 20)

    def do_endless_hello(self):
        """A ClientHello that says it is 16 MB long."""
        sock = self.tunnel(limit=5)
        part = records.plain(records.HANDSHAKE, b"\1\xff\xff\xff\3\3" + bytes(16000))
        self.until_closed(sock, part)

    def do_flood_empty_records(self):
        sock = self.tunnel(limit=5)
        self.until_closed(sock, records.plain(records.HANDSHAKE, b"") * 500)

    def do_flood_alerts(self):
        sock = self.tunnel(limit=5)
        hello = self.hello()[0] if self.rng.random() < 0.5 else b""
        sock.sendall(hello)
        self.until_closed(sock, records.plain(records.ALERT, b"\1\x5a") * 500)

    def do_flood_records(self):
        """Records under the right keys that no client sends."""
        context = ssl.create_default_context(cafile=self.config["ca"])
        context.set_alpn_protocols(["http/1.1"])
        keylog, kind = records.logged(context), self.rng.choice(records.FLOODS)
        try:
            sock = self.tunnel(limit=10)
            tls = context.wrap_socket(sock, server_hostname=pki.FAULTY)
            sealer = records.Sealer(tls, keylog, "CLIENT")
        finally:
            os.unlink(keylog)
        try:
            records.flood(sealer, kind, self.rng)
        finally:
            self.end(sealer.sock)

    def do_flood_connections(self):
        """Handshakes one after the other, each left as soon as it is done."""
        for _ in range(20):
            self.end(self.tls())

    def do_flood_requests(self):
        """Requests without end, by somebody who reads no answer."""
        sock = self.tls(limit=5)
        self.until_closed(sock, self.get("/") * 100, 200)

    def do_endless_chunks(self):
        sock = self.tls(limit=5)
        sock.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        self.until_closed(
            sock,
            self.rng.choice((b"1\r\na\r\n" * 5000, b"1;" + b"e" * 9000, b"ffffffffffffffff\r\n", b"0" * 9000)),
            100,
        )

    def do_endless_head(self):
        sock = self.tls(limit=5) if self.rng.random() < 0.7 else self.raw(5)
        sock.sendall(b"GET / HTTP/1.1\r\n")
        self.until_closed(sock, b"X-Again: and again\r\n" * 500, 200)

    # MARK: HTTP/2

    @staticmethod
    def head2(number, path, end=0):
        block = (
            b"\x82\x87\x00"
            + http2.text(":path")
            + http2.text(path)
            + b"\x00"
            + http2.text(":authority")
            + http2.text(pki.FAULTY)
        )
        return http2.frame(http2.HEADERS, http2.END_HEADERS | end, number, block)

    def h2(self):
        tls = self.tls(h2=True, limit=6)
        tls.sendall(http2.PREFACE + http2.opening() + self.head2(1, "/sink", http2.END_STREAM))
        return tls

    def do_h2_rapid_reset(self):
        tls, number = self.h2(), 3
        try:
            for _ in range(100):
                out = b""
                for _ in range(100):
                    out += self.head2(number, "/sink", http2.END_STREAM) + http2.frame(
                        http2.RST, 0, number, struct.pack(">I", 8)
                    )
                    number += 2
                tls.sendall(out)
        finally:
            self.end(tls)

    def do_h2_streams(self):
        """Streams that are opened and never ended."""
        tls, number = self.h2(), 3
        try:
            for _ in range(150):
                tls.sendall(b"".join(self.head2(number + 2 * n, "/sink") for n in range(100)))
                number += 200
        finally:
            self.end(tls)

    def do_h2_continuation(self):
        tls = self.h2()
        tls.sendall(http2.frame(http2.HEADERS, 0, 3, b"\x82"))
        self.until_closed(tls, http2.frame(http2.CONTINUATION, 0, 3, b"\x00\x01a\x7f\x00" + b"b" * 127) * 100, 300)

    def do_h2_empty_continuation(self):
        tls = self.h2()
        tls.sendall(http2.frame(http2.HEADERS, 0, 3, b"\x82"))
        self.until_closed(tls, http2.frame(http2.CONTINUATION, 0, 3) * 1000, 300)

    def do_h2_settings(self):
        self.until_closed(
            self.h2(), http2.frame(http2.SETTINGS, 0, 0, http2.setting(1, self.rng.randrange(1 << 32)) * 50) * 50, 200
        )

    def do_h2_pings(self):
        self.until_closed(self.h2(), http2.frame(http2.PING, 0, 0, b"pingpong") * 500, 200)

    def do_h2_windows(self):
        self.until_closed(self.h2(), http2.frame(http2.WINDOW, 0, 1, struct.pack(">I", (1 << 31) - 1)) * 500, 100)

    def do_h2_empty_data(self):
        tls = self.h2()
        tls.sendall(self.head2(3, "/sink"))
        self.until_closed(tls, http2.frame(http2.DATA, 0, 3) * 1000, 200)

    def do_h2_hpack_bomb(self):
        """A field of 4,000 bytes, put into the table and asked for again by one byte each time."""
        tls, number = self.h2(), 3
        entry = b"\x40" + http2.text("x-bomb") + http2.number(4000, 7) + b"b" * 4000
        try:
            tls.sendall(http2.frame(http2.HEADERS, http2.END_HEADERS | http2.END_STREAM, number, b"\x82" + entry))
            for _ in range(20):
                number += 2
                tls.sendall(
                    http2.frame(http2.HEADERS, http2.END_HEADERS | http2.END_STREAM, number, b"\x82" + b"\xbe" * 16000)
                )
        finally:
            self.end(tls)

    def do_h2_garbage(self):
        self.until_closed(
            self.h2(),
            http2.frame(
                self.rng.randrange(256),
                self.rng.randrange(256),
                self.rng.randrange(1 << 31),
                self.rng.randbytes(self.rng.randrange(16384)),
            ),
            50,
        )
