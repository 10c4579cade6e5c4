"""Chromium by its DevTools protocol: a small WebSocket client, a browser, and a page found by role and name."""

import base64
import json
import os
import pathlib
import queue
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import time
import urllib.request

LIMIT = 30


class Failure(Exception):
    """What a check saw, where it is not what it wanted."""


class Socket:
    """A WebSocket client for text: as much of RFC 6455 as DevTools needs."""

    def __init__(self, address):
        host, path = address.removeprefix("ws://").split("/", 1)
        name, port = host.split(":")
        self.socket = socket.create_connection((name, int(port)), LIMIT)
        self.socket.settimeout(None)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self.stream = self.socket.makefile("rb")
        if b" 101 " not in self.stream.readline():
            raise Failure("the browser refuses the DevTools connection")
        while self.stream.readline() not in (b"\r\n", b""):
            pass

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        length = len(data)
        head = b"\x81" + (
            bytes([0x80 | length]) if length < 126
            else b"\xfe" + struct.pack(">H", length) if length < 65536
            else b"\xff" + struct.pack(">Q", length)
        )
        whole = int.from_bytes(data, "big") ^ int.from_bytes((mask * (length // 4 + 1))[:length], "big")
        self.socket.sendall(head + mask + whole.to_bytes(length, "big"))

    def receive(self):
        """The next text, or None at the end."""
        text = b""
        while True:
            head = self.stream.read(2)
            if len(head) < 2:
                return None
            length = head[1] & 0x7F
            if length == 126:
                length = struct.unpack(">H", self.stream.read(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.stream.read(8))[0]
            data = self.stream.read(length)
            if head[0] & 0x0F == 8:
                return None
            text += data
            if head[0] & 0x80:
                return text.decode()

    def close(self):
        self.socket.close()


class Browser:
    """A headless Chromium with a profile of its own; it ends with the `with` block."""

    def __init__(self, relay=None):
        program = next((path for name in ("chromium", "chromium-browser", "google-chrome", "chrome") if (path := shutil.which(name))), None)
        if program is None:
            raise Failure("there is no chromium here")
        self.profile = tempfile.mkdtemp(prefix="page-")
        options = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
            "--remote-debugging-port=0", "--remote-allow-origins=*", f"--user-data-dir={self.profile}", "--force-color-profile=srgb",
            "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding", "--disable-features=Translate,MediaRouter,OptimizationHints",
        ]
        if relay:
            options += [f"--proxy-server=http://{relay}", "--proxy-bypass-list=<-loopback>"]
        self.process = subprocess.Popen(
            [program, *options, "about:blank"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True, env={**os.environ, "HOME": self.profile},
        )
        place = pathlib.Path(self.profile) / "DevToolsActivePort"
        self.port = int(wait(lambda: place.exists() and place.read_text().split("\n")[0], "Chromium to start", 60))

    def page(self, address, **options):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/json/new?about:blank", method="PUT")
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=LIMIT) as answer:
            target = json.load(answer)
        return Page(Socket(target["webSocketDebuggerUrl"]), address, **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            os.killpg(self.process.pid, 15)
            self.process.wait(10)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            try:
                os.killpg(self.process.pid, 9)
            except ProcessLookupError:
                pass
        shutil.rmtree(self.profile, ignore_errors=True)


def wait(condition, what, limit=LIMIT):
    """Polls until it holds, and gives what it gave."""
    end, last = time.monotonic() + limit, None
    while True:
        value = condition()
        if value:
            return value
        last = value
        if time.monotonic() > end:
            raise Failure(f"waited {limit} s for {what}, and saw {last!r}")
        time.sleep(0.03)


class Page:
    """One tab: what a person and a screen reader find in it."""

    def __init__(self, link, address, width=1280, height=800, dark=False):
        self.link, self.number, self.answers, self.events = link, 0, {}, queue.Queue()
        self.arrived = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()
        self.said, self.faults = [], []
        for domain in ("Page", "Runtime", "Log", "Accessibility", "DOM", "Network"):
            self.call(f"{domain}.enable")
        self.size(width, height)
        self.dark(dark)
        self.go(address)

    def _listen(self):
        while (text := self.link.receive()) is not None:
            message = json.loads(text)
            with self.arrived:
                if "id" in message:
                    self.answers[message["id"]] = message
                    self.arrived.notify_all()
                    continue
            method, values = message["method"], message["params"]
            if method == "Runtime.exceptionThrown":
                details = values["exceptionDetails"]
                self.faults.append(details.get("exception", {}).get("description") or details["text"])
            elif method == "Log.entryAdded":
                self.said.append(f'{values["entry"]["source"]}: {values["entry"]["text"]}')
            elif method == "Page.javascriptDialogOpening":
                self.faults.append(f'a dialog: {values["message"]}')

    def call(self, method, **values):
        with self.arrived:
            self.number += 1
            number = self.number
            self.link.send(json.dumps({"id": number, "method": method, "params": values}))
            if not self.arrived.wait_for(lambda: number in self.answers, LIMIT * 2):
                raise Failure(f"the browser does not answer {method}")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise Failure(f'{method}: {answer["error"]["message"]}')
        return answer["result"]

    def go(self, address):
        self.call("Page.navigate", url=address)
        wait(lambda: self.js("document.readyState === 'complete' && location.href !== 'about:blank'"), f"{address} to load")

    def js(self, script):
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failure(f'script: {details.get("exception", {}).get("description") or details["text"]}')
        return answer["result"].get("value")

    def until(self, script, what=None, limit=LIMIT):
        return wait(lambda: self.js(script), what or script, limit)

    # By role and name, as a screen reader has them.

    def nodes(self, role, name=None, inside=None):
        root = self.call("DOM.getDocument", depth=0)["root"]["backendNodeId"] if inside is None else inside
        values = {"backendNodeId": root, "role": role} | ({"accessibleName": name} if name is not None else {})
        return [node for node in self.call("Accessibility.queryAXTree", **values)["nodes"] if not node.get("ignored")]

    def node(self, role, name=None):
        found = wait(lambda: self.nodes(role, name), f"a {role} named {name!r}")
        return found[0]["backendDOMNodeId"]

    def on(self, role, name, script):
        """Runs a function of the element."""
        target = self.call("DOM.resolveNode", backendNodeId=self.node(role, name))["object"]["objectId"]
        answer = self.call("Runtime.callFunctionOn", objectId=target, functionDeclaration=f"function() {{ return ({script})(this) }}", returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise Failure(answer["exceptionDetails"].get("exception", {}).get("description", "script"))
        return answer["result"].get("value")

    def click(self, role, name):
        self.on(role, name, "element => { element.scrollIntoView({block: 'nearest'}); element.click() }")

    # As a person does it.

    KEYS = {
        "Enter": ("Enter", 13, "\r"), "Escape": ("Escape", 27, ""), "ArrowDown": ("ArrowDown", 40, ""), "ArrowUp": ("ArrowUp", 38, ""),
        "Tab": ("Tab", 9, ""), "Home": ("Home", 36, ""), "End": ("End", 35, ""), "PageDown": ("PageDown", 34, ""), "PageUp": ("PageUp", 33, ""),
        "ArrowLeft": ("ArrowLeft", 37, ""), "ArrowRight": ("ArrowRight", 39, ""), "Backspace": ("Backspace", 8, ""),
    }

    def press(self, key, times=1):
        code, number, text = self.KEYS.get(key, ("", ord(key.upper()) if len(key) == 1 else 0, key))
        for _ in range(times):
            self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=code, windowsVirtualKeyCode=number, **({"text": text} if text else {}))
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code, windowsVirtualKeyCode=number)

    def type(self, text):
        for letter in text:
            self.call("Input.insertText", text=letter)

    def filter(self, text):
        """Writes into the filter, in place of what is there."""
        self.on("searchbox", "Filter", "element => { element.focus(); element.select() }")
        self.call("Input.insertText", text=text) if text else self.press("Backspace")

    def wheel(self, by, x=300, y=300):
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=by)

    def size(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def dark(self, on):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if on else "light"}])

    def media(self, **features):
        self.call("Emulation.setEmulatedMedia", features=[{"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def picture(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def close(self):
        try:
            self.call("Page.close")
        except Failure:
            pass
        self.link.close()
