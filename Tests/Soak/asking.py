"""Clients of faulty origins."""

import http2

HUNG = "never told that the origin had gone"
# Seconds in which a client has to hear of its origin's end.
NOTICE = 15


class Hung(Exception):
    """A client that went on waiting for somebody who was long gone."""


class Asking:
    """Part of `faults.Faults`, which has the ways to the proxy."""

    def do_origin_port(self):
        port = self.rng.choice(
            (
                "hello-reset",
                "handshake-reset",
                "half-flight",
                "garbage",
                "alerts",
                "empties",
                "names10000",
                "names2000",
                "deep",
            )
        )
        self.ask("/", port, 8)

    def do_origin_answer(self):
        path = self.rng.choice(
            (
                "cut",
                "short",
                "more",
                "dribble",
                "endless-head",
                "long-line",
                "interim",
                "garbage",
                "chunk-garbage",
                "gzip-garbage",
                "no-notify",
                "half-close",
                "socket-garbage",
                "stall",
                "silence",
                "nothing",
            )
        )
        self.ask(f"/{path}", limit=5)

    def do_bomb(self):
        self.ask("/bomb")

    def do_origin_h2(self):
        what = self.rng.choice(("settings", "pings", "continuation", "resets", "cut", "goaway", "garbage", "answer"))
        tls = self.tls(h2=True, limit=6)
        try:
            tls.sendall(http2.PREFACE + http2.opening() + self.head2(1, f"/{what}", http2.END_STREAM))
            self.read_all(tls)
        finally:
            self.end(tls)

    def do_upload_to_who_leaves(self):
        """The origin resets in the middle of an upload: its client has to be told, and not to wait for ever."""
        tls = self.tls(limit=NOTICE)
        try:
            tls.sendall(b"POST /leave HTTP/1.1\r\nHost: x\r\nContent-Length: 64000000\r\n\r\n")
            for _ in range(900):
                tls.sendall(bytes(65536))
        except TimeoutError:
            raise Hung from None
        finally:
            self.end(tls)
