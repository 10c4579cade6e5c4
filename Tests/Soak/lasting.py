"""Faulty clients that stay: slow readers, and those that stand still."""

import socket
import time

import http2

STANDING = 100


class Lasting:
    """Part of `faults.Faults`, which has the ways to the proxy."""

    def slow_reader(self, counts):
        """16 MiB to somebody who reads 4 KB a second."""
        while True:
            try:
                h2 = self.rng.random() < 0.5
                sock = self.tls(h2=h2, limit=60)
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
                sock.sendall(
                    http2.PREFACE + http2.opening() + self.head2(1, "/big", http2.END_STREAM)
                    if h2
                    else self.get("/big")
                )
                counts["slow-reader"] = counts.get("slow-reader", 0) + 1
                while sock.recv(4096):
                    time.sleep(1)
            except OSError:
                time.sleep(1)

    def stand_still(self):
        """A socket that has come so far and goes no further."""
        where = self.rng.randrange(7)
        if where == 0:
            return self.raw()
        if where == 1:
            sock = self.raw()
            sock.sendall(b"CONNECT ")
            return sock
        if where in (2, 3):
            sock = self.tunnel()
            sock.sendall(self.hello()[0][: 200 if where == 3 else 4])
            return sock
        sock = self.tls(h2=where == 6)
        if where == 4:
            sock.sendall(self.get(self.rng.choice(("/stall", "/silence"))))
        elif where == 5:
            sock.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" + bytes(1000))
        else:
            sock.sendall(http2.PREFACE + http2.opening() + self.head2(1, "/sink"))
        return sock

    def standing(self, counts):
        """Keeps STANDING of them, each for half a minute to five."""
        held = []
        while True:
            now = time.monotonic()
            for until, sock in [pair for pair in held if pair[0] < now]:
                self.end(sock)
            held = [pair for pair in held if pair[0] >= now]
            try:
                if len(held) < STANDING:
                    held.append((now + self.rng.uniform(30, 300), self.stand_still()))
                    counts["stand-still"] = counts.get("stand-still", 0) + 1
            except OSError:
                pass
            time.sleep(0.1)
