"""A way between browser and pinproof that can be cut, and that knows where the browser wants to go.

The browser takes it for its proxy, so the page's address and `Host` stay as they are.
"""

import socket
import threading


class Relay:
    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        self.targets, self.open, self.whole, self.lock = set(), set(), True, threading.Lock()
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self):
        """As if pinproof had ended."""
        self.whole = False
        with self.lock:
            for one in self.open:
                try:
                    one.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def mend(self):
        self.whole = True

    def _listen(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        server = None
        try:
            head = b""
            while b"\r\n\r\n" not in head and len(head) < 1 << 20:
                piece = client.recv(65536)
                if not piece:
                    return
                head += piece
            line, rest = head.split(b"\r\n", 1)
            method, target, version = line.split(b" ", 2)
            tunnel = method == b"CONNECT"
            if tunnel:
                place = target
            else:
                place, _, path = target.removeprefix(b"http://").partition(b"/")
                line = b" ".join((method, b"/" + path, version))
                fields = [field for field in rest.split(b"\r\n\r\n", 1)[0].split(b"\r\n") if not field.lower().startswith((b"proxy-connection:", b"connection:"))]
                body = rest.split(b"\r\n\r\n", 1)[1]
                head = b"\r\n".join([line, *fields, b"connection: close", b"", b""]) + body
            self.targets.add(place.decode())
            if not self.whole:
                return
            name, _, port = place.decode().rpartition(":") if b":" in place else (place.decode(), "", "80")
            server = socket.create_connection((name.strip("[]"), int(port)), 10)
            with self.lock:
                self.open.update((client, server))
            if tunnel:
                client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            else:
                server.sendall(head)
            other = threading.Thread(target=self._pump, args=(client, server), daemon=True)
            other.start()
            self._pump(server, client)
        except (OSError, ValueError):
            pass
        finally:
            for one in (client, server):
                if one:
                    with self.lock:
                        self.open.discard(one)
                    one.close()

    @staticmethod
    def _pump(source, sink):
        try:
            while piece := source.recv(65536):
                sink.sendall(piece)
        except OSError:
            pass
        try:
            sink.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
