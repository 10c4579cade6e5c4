"""A server to be recorded: what it answers is named by the path, and some of it means harm."""

import gzip
import http.client
import http.server
import json
import socket
import threading
import urllib.parse

MARKUP = '<script>window.harm=1</script><img src=x onerror="window.harm=1"><svg onload=window.harm=1>'
SIGNS = "before\u202egnp.exe\u200b\u0007after"
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000002000000020802000000fdd49a73000000114944415478da63f8cfc0f0ff3f03040000"
    "1cf003fd3b1d8ff80000000049454e44ae426082"
)

ANSWERS = {
    "/json": (200, "application/json", b'{"big":12345678901234567890,"twice":1,"twice":2,"kept":1.50,"list":[1,{"deep":true}]}'),
    "/missing": (404, "text/plain", b"not here"),
    "/broken": (500, "application/json", b'{"error":"broken"}'),
    "/picture": (200, "image/png", PICTURE),
    "/another-picture": (200, "image/png", PICTURE[:-1] + b"\x83"),
    "/vector": (200, "image/svg+xml", b'<svg xmlns="http://www.w3.org/2000/svg" onload="parent.harm=1"><script>parent.harm=1</script><rect width="9" height="9"/></svg>'),
    "/html": (200, "text/html", MARKUP.encode() + b'<img src="http://outside.invalid/x.png"><link rel=stylesheet href="http://outside.invalid/x.css">'),
    "/harm": (200, "application/json", json.dumps({MARKUP: MARKUP, "signs": SIGNS}).encode()),
    "/form": (200, "text/plain", b"ok"),
    "/protobuf": (200, "application/x-protobuf", b"\x08\x96\x01\x12\x07testing\x1a\x02\x08\x01"),
    "/slow": (200, "text/plain", b"slow"),
}

# Said to be gzip: the beginning of one, and what is none.
CODED = {"/cut": gzip.compress(b"the beginning " + bytes(range(32, 127)) * 9)[:60], "/mislabelled": b'{"plain": "not gzip"}'}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path.startswith("/events"):
            return self.events()
        if self.path.startswith("/go"):
            self.server.go.release()
        self.rfile.read(int(self.headers.get("content-length") or 0))
        path = urllib.parse.urlsplit(self.path).path
        status, kind, body = next((answer for name, answer in ANSWERS.items() if path.startswith(name)), (200, "text/plain", b"ok"))
        self.send_response(status)
        self.send_header("Content-Type", kind)
        coded = CODED.get(path)
        if coded is not None:
            body = coded
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        if path.startswith("/harm"):
            self.send_header("X-Harm", MARKUP)
            self.send_header("Location", "javascript:window.harm=1")
        self.send_header("Set-Cookie", "session=verysecret")
        self.end_headers()
        self.wfile.write(body)

    def events(self):
        """Two events, and another one each time that `/go` is asked for, three times."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for number in range(1, 6):
            if number > 2:
                self.server.go.acquire(timeout=60)
            self.wfile.write(f"data: event number {number}\n\n".encode())
            self.wfile.flush()
        self.close_connection = True

    do_POST = do_GET

    def log_message(self, *_):
        pass


class Origin:
    """Runs until the end of the program; `ask` reaches it through the proxy."""

    def __init__(self, proxy):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.go = threading.Semaphore(0)
        self.host = "127.0.0.1:%d" % self.server.server_address[1]
        self.proxy = proxy
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def speak(self, words):
        """What is no HTTP, in a tunnel."""
        host, _, port = self.proxy.rpartition(":")
        with socket.create_connection((host, int(port)), 30) as client:
            client.sendall(f"CONNECT {self.host} HTTP/1.1\r\nHost: {self.host}\r\n\r\n".encode())
            client.recv(1000)
            client.sendall(words)
            client.shutdown(socket.SHUT_WR)
            while client.recv(1000):
                pass

    def ask(self, *paths, method="GET", body=None, headers=None):
        """One request after the other, on one connection."""
        connection = http.client.HTTPConnection(self.proxy, timeout=30)
        try:
            for path in paths:
                connection.putrequest(method, f"http://{self.host}{path}", skip_host=True, skip_accept_encoding=True)
                for name, value in {"Host": self.host, "X-Test": "yes", **(headers or {})}.items():
                    connection.putheader(name, value)
                if body is not None:
                    connection.putheader("Content-Length", str(len(body)))
                connection.endheaders(body)
                connection.getresponse().read()
        finally:
            connection.close()
