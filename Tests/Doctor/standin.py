"""A proxy that knows pinproof's own pages and nothing else: about.json in the clear, check.pinproof.test under a leaf of its CA.

It stands in for a real `pinproof proxy` where an exam needs answers that a real one does not give: other clocks, other CAs.
"""

import http.server
import json
import pathlib
import ssl
import subprocess
import threading
import time


def leaf(ca, folder, host="check.pinproof.test", days=30):
    """A certificate for this host and its key, signed by the CA in the folder `ca`."""
    out = pathlib.Path(folder) / f"{host}{days}.pem"
    key, request = out.with_suffix(".key"), out.with_suffix(".csr")
    run = lambda *words: subprocess.run(["openssl", *words], check=True, capture_output=True)
    run("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", request,
        "-subj", f"/CN={host}", "-addext", f"subjectAltName=DNS:{host}")
    run("x509", "-req", "-in", request, "-CA", f"{ca}/root.pem", "-CAkey", f"{ca}/root.key", "-CAcreateserial", "-CAserial",
        str(out.with_suffix(".srl")), "-days", str(days), "-copy_extensions", "copy", "-out", out)
    return out, key


def about(ca, **changes):
    """What a proxy with the CA in the folder `ca` says of itself."""
    text = subprocess.run(
        ["openssl", "x509", "-in", f"{ca}/root.pem", "-noout", "-fingerprint", "-sha256", "-dates", "-dateopt", "iso_8601"],
        check=True, capture_output=True, text=True).stdout
    facts = dict(line.split("=", 1) for line in text.splitlines())
    rfc = lambda name: facts[name].replace(" ", "T")
    return {
        "pinproof": "0.1.0",
        "ca": {
            "name": "pinproof root",
            "sha256": next(v for k, v in facts.items() if "ingerprint" in k).replace(":", "").lower(),
            "not_before": rfc("notBefore"),
            "not_after": rfc("notAfter"),
        },
        "time": time.time(),
    } | changes


class StandIn:
    """Answers on a free port of 127.0.0.1 from its making until `close`."""

    def __init__(self, answer, chain=None, status=200):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            server_version = "StandIn"

            def do_GET(self):
                body = json.dumps(answer).encode() if self.path == "http://pinproof.test/about.json" and answer else b"no"
                self.reply(200 if answer else 501, body)

            def do_CONNECT(self):
                if chain is None or self.path != "check.pinproof.test:443":
                    return self.reply(502, b"no")
                self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
                self.close_connection = True
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(*chain)
                try:
                    with context.wrap_socket(self.connection, server_side=True) as secure:
                        head = b""
                        while b"\r\n\r\n" not in head:
                            piece = secure.recv(4096)
                            if not piece:
                                return
                            head += piece
                        body = b'{"trusted": true}'
                        secure.sendall(b"HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
                                       b"Connection: close\r\n\r\n%s" % (status, len(body), body))
                        secure.unwrap()
                except (OSError, ssl.SSLError):
                    pass  # the client has refused, or is gone

            def reply(self, code, body):
                self.close_connection = True
                self.send_response(code)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.proxy = "127.0.0.1:%d" % self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
