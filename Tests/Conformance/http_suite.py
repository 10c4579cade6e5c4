"""h2load, nghttp, curl and raw HTTP/1.1 through the relay: nothing lost, nothing changed, and the recording says the same."""

import hashlib
import os
import re
import ssl
import subprocess

from places import Adapter, Children, Proxy, connect, free_port, listens, start_nginx, until

NAME, ECHO = "ecdsa.test", "rsa.test"
NGINX = """daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/nginx-errors.log;
events {{ worker_connections 2048; }}
http {{ access_log off; client_body_temp_path {folder}/body; types {{ text/plain txt; }} default_type application/octet-stream;
server {{ listen 127.0.0.1:{port} ssl http2; ssl_certificate {folder}/{name}.pem; ssl_certificate_key {folder}/{name}.key;
ssl_protocols TLSv1.2 TLSv1.3; root {folder}/www; keepalive_requests 1000000; http2_max_concurrent_streams 128; client_max_body_size 0;
gzip on; gzip_types text/plain;
location /204 {{ return 204; }} location /301 {{ return 301 /1k; }} location /404 {{ return 404; }}
location /put/ {{ dav_methods PUT DELETE; }}
location /small/ {{ dav_methods PUT; client_max_body_size 1k; }}
location /trailers {{ add_trailer X-Sum "done"; alias {folder}/www/words.txt; }} }} }}
"""
MEGA = 1 << 20


def digest(data):
    return hashlib.sha256(data).hexdigest()


class Suite:
    """One proxy, nginx behind one name and nghttpd, which sends bodies back, behind another."""

    def __init__(self, options, folder, _):
        self.options, self.folder, self.number, self.shed = options, folder, 0, 0
        self.www = folder / "www"
        for place in ("www/put", "www/small", "body"):
            (folder / place).mkdir(parents=True)
        self.files = {"1k": os.urandom(1024), "100k": os.urandom(100 << 10), "10m": os.urandom(10 * MEGA), "empty": b"",
                      "40m": os.urandom(40 * MEGA), "words.txt": b"".join(b"line %d of many\n" % n for n in range(4000))}  # fmt: skip
        for name, data in self.files.items():
            (self.www / name).write_bytes(data)

    def run(self, report):
        self.report = report
        with Children(self.folder) as children:
            port, echo = free_port(), free_port()
            start_nginx(children, self.folder, NGINX.format(folder=self.folder, port=port, name=NAME))
            children.start("nghttpd", ["nghttpd", "-a", "127.0.0.1", "-d", self.www, "--echo-upload", "--trailer", "x-end: yes",
                "-m", "200", echo, self.folder / f"{ECHO}.key", self.folder / f"{ECHO}.pem"])  # fmt: skip
            until("nginx and nghttpd", lambda: listens(port) and listens(echo))
            self.proxy = Proxy(children, self.options.pinproof, self.folder, {NAME: port, ECHO: echo}, options=["--max-body", "64M"])
            self.adapters = {name: Adapter(self.proxy.port, f"{name}:443") for name in (NAME, ECHO)}
            for part in (self.loads, self.curls, self.nghttps, self.raws):
                part()
            dropped = self.proxy.status()["dropped"]
            self.check("nothing was dropped by the recording", "" if dropped == 0 else f"{dropped} dropped")
            report.line(
                "http",
                f"{self.number} checks, {self.proxy.count('kind:http')} exchanges recorded, {self.shed} bodies of a sample partly left out",
            )

    def check(self, what, why):
        """One check, by its name; `why` is empty where it went well."""
        self.number += 1
        self.report.happened(f"http | {what}", why or None)
        print(f"  {'NOT OK' if why else 'ok    '} {what}{': ' + why if why else ''}", flush=True)

    # Loads: as many answers as requests, and as many flows.

    def loads(self):
        body = self.folder / "posted"
        body.write_bytes(os.urandom(3000))
        loads = [
            ("h2, 20000 small ones, 50 connections", NAME, "/1k?a", ["-n", 20000, "-c", 50, "-m", 100], 1024),
            ("h2, 20000 without bodies", NAME, "/empty?b", ["-n", 20000, "-c", 50, "-m", 100], 0),
            ("h2, 1000 of 100 KiB", NAME, "/100k?c", ["-n", 1000, "-c", 10, "-m", 20], 100 << 10),
            ("h2, 20 of 10 MiB", NAME, "/10m?d", ["-n", 20, "-c", 4, "-m", 5], 10 * MEGA),
            ("h2, small windows", NAME, "/100k?e", ["-n", 200, "-c", 4, "-m", 10, "-w", 14, "-W", 16], 100 << 10),
            ("h2, no dynamic table", NAME, "/1k?f", ["-n", 2000, "-c", 4, "-m", 100, "--header-table-size=0"], 1024),
            ("h2, 5000 posted and sent back", ECHO, "/?g", ["-n", 5000, "-c", 20, "-m", 50, "-d", body], 3000),
            ("h1, 20000 small ones, 50 connections", NAME, "/1k?h", ["-n", 20000, "-c", 50, "--h1"], 1024),
            ("h1, pipelined by 8", NAME, "/1k?i", ["-n", 4000, "-c", 20, "-m", 8, "--h1"], 1024),
            ("h1, 20 of 10 MiB", NAME, "/10m?j", ["-n", 20, "-c", 4, "--h1"], 10 * MEGA),
        ]
        for what, name, path, words, size in loads:
            if self.wanted(what):
                self.load(what, name, path, words, size)

    def load(self, what, name, path, words, size):
        wanted = words[words.index("-n") + 1]
        command = ["h2load", *map(str, words), f"https://{name}{path}", f"--connect-to=127.0.0.1:{self.proxy.port}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        said = re.search(r"(\d+) succeeded, (\d+) failed, (\d+) errored", done.stdout)
        data = re.search(r"(\d+)\) data", done.stdout)
        good = said and int(said[1]) == wanted and data and int(data[1]) == wanted * size
        self.check(f"{what}: all succeed", "" if good else f"{said and said[0]}, data {data and data[1]}: {done.stderr.strip()[:200]}")
        filter_text = f'host:{name} path:"{path}" is:complete'
        found = self.proxy.settled(filter_text, wanted)
        left = self.proxy.status()["dropped"]
        self.check(f"{what}: all recorded", "" if found == wanted else f"{found} of {wanted}, dropped {left}")
        expected = digest((self.folder / "posted").read_bytes() if name == ECHO else self.files[path[1:].split("?")[0]])
        flows = self.proxy.flows(filter_text, 200)
        bodies = [(flow["id"], flow[side]["body"]) for flow in flows for side in ("response", "request")[: 1 + (name == ECHO)] if size]
        # What the recorder could not keep up with is said to be left out (`shed`), and then there is no digest.
        wrong = [number for number, body in bodies if body["size"] != size or (body.get("sha256") != expected and not body.get("shed"))]
        self.shed += sum("sha256" not in body for _, body in bodies)
        self.check(f"{what}: recorded bodies", f"wrong in flows {wrong[:5]} of {len(flows)}" if wrong else "")

    def wanted(self, what):
        return not self.options.only or any(word in what for word in self.options.only)

    # Single exchanges: what the client got, what the origin got, what was recorded.

    def exchange(self, what, got, path, count=1, **expected):
        """Compares `got` (bytes, or None for not asked) and the newest flow of `path` with what is expected."""
        problems = []
        body = expected.pop("body", None)
        if got is not None and body is not None and got != body:
            problems.append(f"the client got {len(got)} bytes that are not the {len(body)} expected")
        filter_text = f'path:"{path}" is:complete'
        found = self.proxy.settled(filter_text, count)
        if found != count:
            problems.append(f"{found} flows recorded, not {count}")
        for flow in self.proxy.flows(filter_text)[:count]:
            seen = {"status": flow.get("status"), "version": flow.get("version"), "method": flow.get("method"),
                    "request": flow["request"].get("body", {}), "response": flow.get("response", {}).get("body", {}),
                    "trailers": flow.get("response", {}).get("trailers", []), "asked": flow["request"].get("trailers", []),
                    "informational": [each["status"] for each in flow.get("response", {}).get("informational", [])]}  # fmt: skip
            for key in ("request", "response"):
                if key in expected or (key == "response" and body is not None):
                    wanted = expected.get(key, body)
                    size, hashed = seen[key].get("size", 0), seen[key].get("sha256", digest(b""))
                    if "shed" in seen[key] and size == len(wanted):
                        self.shed += 1
                    elif (size, hashed) != (len(wanted), digest(wanted)):
                        problems.append(f"recorded {key}: {size} bytes, {hashed[:8]}, not {len(wanted)}, {digest(wanted)[:8]}")
            for key in set(expected) - {"request", "response"}:
                if seen[key] != expected[key]:
                    problems.append(f"recorded {key}: {seen[key]}, not {expected[key]}")
        self.check(what, "; ".join(problems))

    def curl(self, path, *words, given=None):
        command = ["curl", "-sS", "--max-time", "120", "--proxy", f"http://127.0.0.1:{self.proxy.port}",
                   "--cacert", self.folder / "ecdsa.test.forge.pem", *words]  # fmt: skip
        command += [f"https://{NAME}{path}"] if path else []
        done = subprocess.run([str(word) for word in command], input=given, capture_output=True, timeout=180)
        if done.returncode:
            return b"curl: " + done.stderr.strip()
        return done.stdout

    def curls(self):
        if not self.wanted("curl"):
            return
        for version, flag in (("h2", "--http2"), ("http/1.1", "--http1.1"), ("http/1.0", "--http1.0")):
            tag, stamp = f"curl {version}", version.replace("/", "")
            recorded = {"version": version if version == "h2" else version.upper()}
            for name in ("empty", "1k", "10m", "40m"):
                self.exchange(f"{tag}: GET {name}", self.curl(f"/{name}?{stamp}", flag), f"/{name}?{stamp}", body=self.files[name],
                    status=200, method="GET", **recorded)  # fmt: skip
            self.exchange(f"{tag}: HEAD", self.curl(f"/10m?head{stamp}", flag, "-I", "-o", os.devnull), f"/10m?head{stamp}",
                status=200, method="HEAD", body=b"", **recorded)  # fmt: skip
            self.exchange(f"{tag}: 204", self.curl(f"/204?{stamp}", flag), f"/204?{stamp}", status=204, body=b"", **recorded)
            moment = ("-z", (self.www / "1k").as_posix())
            self.exchange(f"{tag}: 304", self.curl(f"/1k?304{stamp}", flag, *moment), f"/1k?304{stamp}", status=304, body=b"")
            data = self.files["10m"]
            self.exchange(f"{tag}: a range", self.curl(f"/10m?r{stamp}", flag, "-r", "1000-70000"), f"/10m?r{stamp}", status=206,
                body=data[1000:70001])  # fmt: skip
            ranges = self.curl(f"/10m?rr{stamp}", flag, "-r", "0-9,1000-1009")
            good = data[:10] in ranges and data[1000:1010] in ranges
            self.exchange(f"{tag}: two ranges", ranges if good else b"", f"/10m?rr{stamp}", status=206, body=ranges or b"?")
            packed = self.curl(f"/words.txt?{stamp}", flag, "-H", "Accept-Encoding: gzip")
            self.exchange(f"{tag}: gzip", packed, f"/words.txt?{stamp}", status=200, body=packed)
            flow = self.proxy.flows(f'path:"/words.txt?{stamp}"')[0]
            decoded = self.proxy.ask(f"/api/flows/{flow['id']}/response/body")
            # HTTP/1.0 is answered without gzip.
            self.check(f"{tag}: gzip, decoded", "" if decoded == self.files["words.txt"] else f"{len(decoded)} bytes")
            if version != "http/1.0":
                trailers = [["X-Sum" if version != "h2" else "x-sum", "done"]]
                self.exchange(f"{tag}: trailers of an answer", self.curl(f"/trailers?{stamp}", flag, "-H", "TE: trailers"),
                    f"/trailers?{stamp}", status=200, body=self.files["words.txt"], trailers=trailers)  # fmt: skip
                self.uploads(tag, stamp, flag)
        many = [word for number in range(300) for word in (f"https://{NAME}/1k?many", "-o", os.devnull)]
        self.exchange("curl h2: 300 at once", self.curl("", "--http2", "--parallel", "--parallel-max", "100", *many), "/1k?many",
            count=300, status=200, response=self.files["1k"], version="h2")  # fmt: skip
        many = [word for number in range(100) for word in (f"https://{NAME}/1k?kept", "-o", os.devnull)]
        self.exchange("curl http/1.1: 100 on one connection", self.curl("", "--http1.1", *many), "/1k?kept", count=100, status=200,
            response=self.files["1k"])  # fmt: skip

    def uploads(self, tag, stamp, flag):
        data, source = self.files["40m"], self.www / "40m"
        cases = [
            ("a file of 40 MiB", [], source, None, {}),
            ("100-continue", ["-H", "Expect: 100-continue", "--expect100-timeout", "30"], source, None, {"informational": [100]}),
            ("chunked, of unknown length", [], "-", data, {}),
        ]
        if tag == "curl h2":
            cases.pop(1)
        for number, (what, words, file, given, more) in enumerate(cases):
            path = f"/put/{stamp}-{number}"
            self.curl(path, flag, "-T", file, *words, given=given)
            kept = self.folder / "www" / path[1:]
            self.exchange(f"{tag}: PUT, {what}", kept.read_bytes() if kept.exists() else b"nothing", path, body=None, status=201,
                request=data, response=b"", **more)  # fmt: skip
            same = kept.exists() and kept.read_bytes() == data
            self.check(f"{tag}: PUT, {what}: the origin has it", "" if same else "it has other bytes")
        status = self.curl(f"/small/{stamp}", flag, "-T", source, "-w", "%{http_code}", "-o", os.devnull)
        self.check(f"{tag}: PUT, refused early (413)", "" if status.endswith(b"413") else str(status[:100]))

    def nghttp(self, path, *words):
        uri = f"https://127.0.0.1:{self.adapters[ECHO].port}{path}"
        command = ["nghttp", "-y", *map(str, words), "-H", f":authority: {ECHO}", uri]
        done = subprocess.run(command, capture_output=True, timeout=60)
        return done.stdout if not done.returncode and b"[ERROR]" not in done.stderr else b"nghttp: " + done.stderr

    def nghttps(self):
        data, source = self.files["100k"], self.www / "100k"
        ended = [["x-end", "yes"]]
        long = [word for number in range(40) for word in ("-H", f"x-long-{number}: " + "v" * 900)]
        gets = [
            ("plain", []), ("a weight", ["-p", "7"]), ("no dependency", ["--no-dep"]), ("padding", ["-b", "200"]),
            ("no RFC 7540 priorities", ["--no-rfc7540-pri"]), ("no push", ["--no-push"]), ("no table", ["-c", "0"]),
            ("no table of the encoder", ["--encoder-header-table-size", "0"]), ("small windows", ["-w", "10", "-W", "16"]),
            ("continuation", ["--continuation"]), ("36 KB of fields", long), ("continuation, 36 KB of fields", ["--continuation", *long]),
        ]  # fmt: skip
        posts = [
            ("plain", []), ("no length", ["--no-content-length"]), ("trailer", ["--trailer", "x-last: 1"]), ("padding", ["-b", "255"]),
            ("expect", ["--expect-continue"]), ("continuation, trailer", ["--continuation", "--trailer", "x-last: 1"]),
        ]  # fmt: skip
        for number, (what, words) in enumerate(gets):
            if self.wanted("nghttp"):
                path = f"/100k?get{number}"
                self.exchange(f"nghttp GET: {what}", self.nghttp(path, *words), path, body=data, status=200, version="h2", trailers=ended)
        for number, (what, words) in enumerate(posts):
            if self.wanted("nghttp"):
                path = f"/?post{number}"
                asked = [["x-last", "1"]] if "--trailer" in words else []
                self.exchange(f"nghttp POST: {what}", self.nghttp(path, "-d", source, *words), path, body=data, request=data,
                    status=200, trailers=ended, asked=asked)  # fmt: skip
        if self.wanted("nghttp"):
            got = self.nghttp("/100k?times", "-m", "50")
            self.exchange("nghttp GET: 50 streams at once", got, "/100k?times", count=50, response=data, status=200)
            self.check("nghttp GET: 50 streams at once, all bytes", "" if len(got) == 50 * len(data) else f"{len(got)} bytes")

    def raw(self, sent, ends):
        """Sends bytes within TLS as they are, and reads until `ends` of what came is true or it ends."""
        context = ssl.create_default_context(cafile=self.folder / "ecdsa.test.forge.pem")
        context.set_alpn_protocols(["http/1.1"])
        got = b""
        with context.wrap_socket(connect(self.proxy.port, f"{NAME}:443"), server_hostname=NAME) as session:
            session.settimeout(20)
            session.sendall(sent)
            while not ends(got) and (piece := session.recv(65536)):
                got += piece
        return got

    def raws(self):
        if not self.wanted("raw"):
            return
        host = f"Host: {NAME}\r\n"
        chunks = "5;name=value\r\nhello\r\n00006\r\n world\r\n0\r\nX-Last: 1\r\nX-More: two\r\n\r\n"
        got = self.raw(
            f"PUT /put/raw HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n{chunks}".encode(), lambda had: b"\r\n\r\n" in had
        )
        kept = self.www / "put/raw"
        same = kept.exists() and kept.read_bytes() == b"hello world"
        self.check("raw: chunks with extension and trailers: the origin has it", "" if same else repr(got[:100]))
        self.exchange("raw: chunks with extension and trailers", None, "/put/raw", status=201, request=b"hello world",
            asked=[["X-Last", "1"], ["X-More", "two"]])  # fmt: skip
        piped = "".join(f"GET /1k?pipe{number} HTTP/1.1\r\n{host}\r\n" for number in range(20))
        got = self.raw(piped.encode(), lambda had: had.count(self.files["1k"]) == 20)
        self.check("raw: 20 pipelined", "" if got.count(self.files["1k"]) == 20 else f"{got.count(self.files['1k'])} answers")
        for number in range(20):
            self.exchange(f"raw: pipelined, number {number}", None, f"/1k?pipe{number}", status=200, response=self.files["1k"])
        got = self.raw(f"GET /{'x' * 6000} HTTP/1.1\r\n{host}Odd:  two  spaces \r\n\r\n".encode(), lambda had: b"404" in had)
        self.check("raw: a long path", "" if b" 404 " in got else repr(got[:60]))
        bad = self.raw(b"G\x01T / HTTP/1.1\r\n\r\n", lambda had: b"</html>" in had)
        self.check("raw: a bad request line is the origin's to refuse", "" if b" 400 " in bad else repr(bad[:60]))
