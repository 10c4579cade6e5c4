"""WebSockets (RFC 6455, RFC 7692) through the relay, both ends by wsproto or by hand: each byte untouched, each message recorded.

The cases follow the chapters of the Autobahn test suite. Each is played twice: by the client and by the server.
"""

import base64
import contextlib
import json
import queue
import socket
import ssl
import threading

from places import Children, Proxy, connect
from websocket_cases import Side, cases
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, Request

NAME, WAIT = "rsa.test", 20


class Origin:
    """A TLS server that does the handshake of a WebSocket by wsproto and then what its case says."""

    def __init__(self, folder):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(folder / f"{NAME}.pem", folder / f"{NAME}.key")
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=16)
        self.port = self.listener.getsockname()[1]
        self.case, self.done = None, queue.Queue()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self.listener.accept()
            client.settimeout(WAIT)
            try:
                with self.context.wrap_socket(client, server_side=True) as session:
                    self.done.put(self._serve(session))
            except (OSError, ValueError, queue.Empty) as why:
                self.done.put((b"", f"the origin: {why}"))

    def _serve(self, session):
        protocol, case = WSConnection(ConnectionType.SERVER), self.case
        protocol.receive_data(read_head(session))
        request = next(event for event in protocol.events() if isinstance(event, Request))
        extensions = case.deflate() if request.extensions else []
        session.sendall(protocol.send(AcceptConnection(extensions=extensions)))
        return play(session, case, protocol, "server")


def read_head(session):
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = session.recv(1)
        if not byte:
            raise ValueError(f"ended after {head!r}")
        head += byte
    return head


def play(session, case, protocol, role):
    """Sends what the case has for this role, and reads what the other end has to say: (bytes sent, bytes read)."""
    sent = b""
    if case.speaker == role:
        sent = case.write(Side(protocol, role))
        case.sent.put(sent)
        for start in range(0, len(sent), case.piece):
            session.sendall(sent[start : start + case.piece])
        return sent, b""
    wanted, got = case.sent.get(timeout=WAIT), b""
    while len(got) < len(wanted) and (piece := session.recv(65536)):
        got += piece
    # What is more than was sent would come now.
    session.settimeout(0.02)
    with contextlib.suppress(TimeoutError):
        got += session.recv(65536)
    return wanted, got


class Suite:
    """Plays each case from either end and compares bytes and recording."""

    def __init__(self, options, folder, _):
        self.options, self.folder = options, folder

    def run(self, report):
        self.report, self.number = report, 0
        with Children(self.folder) as children:
            self.origin = Origin(self.folder)
            self.proxy = Proxy(children, self.options.pinproof, self.folder, {NAME: self.origin.port}, NAME)
            self.context = ssl.create_default_context(cafile=self.folder / f"{NAME}.forge.pem")
            for case in cases():
                if not self.options.only or any(word in case.name for word in self.options.only):
                    self.one(case)
            dropped = self.proxy.status()["dropped"]
            report.line("websocket", f"{self.number} cases, {self.proxy.count('kind:websocket')} recorded, {dropped} dropped")

    def one(self, case):
        self.number += 1
        label = f"websocket | {case.name}, by the {case.speaker}"
        self.origin.case = case
        try:
            relayed = self.talk(case)
        except (OSError, ValueError, queue.Empty) as why:
            relayed = f"{type(why).__name__}: {why}"
        self.report.happened(f"{label}: relayed", relayed or None)
        recorded = self.recorded(case)
        self.report.happened(f"{label}: recorded", recorded or None)

    def talk(self, case):
        """Why not each byte came over unchanged; empty where all did."""
        protocol = WSConnection(ConnectionType.CLIENT)
        with self.context.wrap_socket(connect(self.proxy.port, f"{NAME}:443"), server_hostname=NAME) as session:
            session.settimeout(WAIT)
            target = f"/{self.number}"
            session.sendall(protocol.send(Request(host=NAME, target=target, extensions=case.deflate())))
            protocol.receive_data(read_head(session))
            list(protocol.events())
            sent, got = play(session, case, protocol, "client")
            if case.speaker == "client":
                sent, got = self.origin.done.get(timeout=WAIT)
            else:
                self.origin.done.get(timeout=WAIT)
        if sent != got:
            return f"{got if isinstance(got, str) else len(got)} of {len(sent)} bytes came over, or others than were sent"
        return ""

    def recorded(self, case):
        """What the recording says otherwise than it should; empty where it is right."""
        filter_text = f'path:"/{self.number}" kind:websocket'
        if self.proxy.settled(f"{filter_text} -is:open", 1) != 1:
            return f"{self.proxy.count(filter_text)} flows, or one that is still open"
        flow = self.proxy.flows(filter_text)[0]
        messages, after = [], ""
        while True:
            page = json.loads(self.proxy.ask(f"/api/flows/{flow['id']}/messages{after}"))
            messages += page["messages"]
            if not page.get("next"):
                break
            after = f"?after={page['next']}"
        seen = [(each["type"], content(each)) for each in messages]
        why = flow.get("undecodable", {}).get("why", "") or next((each["fault"] for each in messages if "fault" in each), "")
        problems = []
        if any(each["from"] != case.speaker for each in messages):
            problems.append("a message of the wrong side")
        if seen != case.messages:
            problems.append(difference(seen, case.messages))
        if case.wrong and not why:
            problems.append(f"nothing is said of {case.wrong}")
        if why and not case.wrong:
            problems.append(f"it says: {why}")
        return "; ".join(problems)


def content(message):
    """A message's bytes; None where not all of them are kept."""
    if message.get("cut"):
        return None
    with contextlib.suppress(KeyError):
        return base64.b64decode(message["base64"])
    return message.get("data", "").encode()


def difference(seen, expected):
    if len(seen) != len(expected):
        return f"{len(seen)} messages, not {len(expected)}"
    at = next(index for index, pair in enumerate(zip(seen, expected)) if pair[0] != pair[1])
    short = [(kind, None if data is None else (len(data), data[:20])) for kind, data in (seen[at], expected[at])]
    return f"message {at + 1}: {short[0]}, not {short[1]}"
