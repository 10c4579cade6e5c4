"""tlsfuzzer's scripts against the leg from client to pinproof, and what fails there against plain OpenSSL as well."""

import collections
import concurrent.futures
import contextlib
import os
import re
import shlex
import socket
import ssl
import subprocess
import threading

from places import NAMES, Adapter, Children, Failure, Proxy, free_port, listens, openssl, start_nginx, until

LIMIT = 420
# The same conversations of a script each time; what is random in them as well.
SEEDED = "import random,runpy,sys; random.seed(7); sys.argv=sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
NGINX = """daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx-errors.log;
events {{}}
http {{ access_log off; ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ALL:@SECLEVEL=0; ssl_dhparam {folder}/dh.pem;
ssl_conf_command Ciphersuites {modern};
{servers} }}
"""
MODERN = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_CCM_SHA256:TLS_AES_128_CCM_8_SHA256"
SERVER = """server {{ listen 127.0.0.1:{port} ssl; ssl_certificate {folder}/{name}.pem; ssl_certificate_key {folder}/{name}.key;
location / {{ return 200 "hello\\n"; }} }}
"""
# OpenSSL's own server with what pinproof's side towards clients is set to (docs/architecture.md): what differs then is ours.
PLAIN = (
    "-www -no_renegotiation -no_ticket -no_cache -num_tickets 0 -min_protocol TLSv1.2 -alpn http/1.1 -cipher DEFAULT:@SECLEVEL=0 "
    "-groups X25519:P-256:P-384:P-521:X448:ffdhe2048:ffdhe3072:ffdhe4096"
).split()
Case = collections.namedtuple("Case", "name script arguments")


def read_list(path):
    """The cases to run, and (script, reason) of those that are left out. A line is "NAME SCRIPT ARGUMENTS" or "- SCRIPT: REASON"."""
    cases, left_out = [], []
    for line in path.read_text().splitlines():
        if line.startswith("- "):
            script, reason = line[2:].split(":", 1)
            left_out.append((script, reason.strip()))
        elif line and not line.startswith("#"):
            name, script, *arguments = shlex.split(line)
            cases.append(Case(f"{name}.test", script, arguments))
    return cases, left_out


def outcomes(text):
    """What a script said of each conversation: name -> None (passed) or why one of its runs failed."""
    found = {}
    heads = list(re.finditer(r'^(?:(?P<plain>.*) \.\.\.|"(?P<quoted>.*)" repeat \d+(?:\.\.\.)?)$', text, re.M))
    for head, following in zip(heads, [*heads[1:], None]):
        said = text[head.end() : following.start() if following else len(text)]
        name = head["plain"] or head["quoted"]
        if re.search(r"^(OK|OK-expected failure)$", said, re.M):
            found.setdefault(name, None)
        else:
            errors = re.findall(r"^((?:\w+\.)*\w*(?:Error|Exception|Timeout|Alert)\w*(?:: .*)?)$", said, re.M)
            why = errors[-1].removeprefix("AssertionError: ") if errors else "no reason given"
            found[name] = re.sub(r"\(len=\d+\)", "", why)
    return found


class Echo:
    """A TLS server that sends back what comes."""

    def __init__(self, certificate, key):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.context.set_ciphers("ALL:@SECLEVEL=0")
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with contextlib.suppress(OSError), self.context.wrap_socket(client, server_side=True) as session:
            while piece := session.recv(32768):
                session.sendall(piece)


class Suite:
    """Runs cases against pinproof through adapters, and failed ones against `openssl s_server`."""

    def __init__(self, options, folder, python):
        self.options, self.folder, self.python = options, folder, python
        self.running, self.stopping = set(), False
        self.scripts = options.tlsfuzzer / "scripts"
        if not self.scripts.is_dir():
            raise Failure(f"no checkout of tlsfuzzer at {options.tlsfuzzer}: see --tlsfuzzer")

    def script(self, case, port, only=()):
        """Outcomes of one run of a script; one that does not end by itself is ended, and says so."""
        number = "0" if only else str(self.options.number)
        command = [self.python, "-c", SEEDED, self.scripts / case.script, "-h", "127.0.0.1", "-p", port]
        command += ["-n", number, *case.arguments, *only]
        child = subprocess.Popen(
            [str(word) for word in command],
            env=dict(os.environ, PYTHONPATH=str(self.options.tlsfuzzer), PYTHONUNBUFFERED="1"),
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.running.add(child)
        try:
            text, _ = child.communicate(timeout=0 if self.stopping else LIMIT)
        except subprocess.TimeoutExpired:
            child.kill()
            text, _ = child.communicate()
            text += f"\nthe script itself ...\nTimeout: not done within {LIMIT} s\n"
        finally:
            self.running.discard(child)
        if child.returncode and "Test end" not in text and "Timeout: not" not in text:
            last = text.strip().splitlines()[-1] if text.strip() else "nothing said"
            text += f"\nthe script itself ...\nError: {last}\n"
        label = re.sub(r"[^\w.]+", "-", " ".join([case.name, case.script, *case.arguments]))
        log = self.folder / "scripts" / f"{label[:100]}-{port}.txt"
        log.parent.mkdir(exist_ok=True)
        log.write_text(" ".join(map(str, command)) + "\n" + text)
        return outcomes(text)

    def plain(self, children, case, names):
        """The outcomes of these conversations straight against OpenSSL's own server."""
        if case.name == "echo.test":
            return self.script(case, self.ports["echo.test"], names)
        port = free_port()
        server = children.start("s_server", ["openssl", "s_server", *PLAIN, "-accept", f"127.0.0.1:{port}",
            "-key", self.folder / f"{case.name}.key", "-cert", self.folder / f"{case.name}.leaf"])  # fmt: skip
        try:
            until("openssl s_server", lambda: listens(port))
            return self.script(case, port, names if "the script itself" not in names else ())
        finally:
            children.stop(server)

    def judge(self, children, case):
        """(outcomes through pinproof, outcomes of the failed ones with OpenSSL)."""
        seen = self.script(case, self.adapters[case.name].port)
        failed = [name for name, why in seen.items() if why]
        return case, seen, self.plain(children, case, failed) if failed else {}

    def run(self, report):
        cases, left_out = read_list(self.options.here / "tlsfuzzer.txt")
        known = {case.script for case in cases} | {script for script, _ in left_out}
        for path in sorted(self.scripts.glob("test-*.py")):
            if path.name not in known:
                report.surprise(f"tlsfuzzer: {path.name} is neither run nor left out")
        wanted = [case for case in cases if not self.options.only or any(word in case.script for word in self.options.only)]
        with Children(self.folder) as children:
            echo = Echo(self.folder / "echo.test.pem", self.folder / "echo.test.key")
            ports = self.ports = {name: free_port() for name in NAMES} | {"echo.test": echo.port}
            openssl("genpkey", "-genparam", "-algorithm", "DH", "-pkeyopt", "group:ffdhe2048", "-out", "dh.pem", folder=self.folder)
            servers = "".join(
                SERVER.format(folder=self.folder, name=name, port=port) for name, port in ports.items() if name != "echo.test"
            )
            start_nginx(children, self.folder, NGINX.format(folder=self.folder, servers=servers, modern=MODERN))
            until("nginx", lambda: all(listens(port) for port in ports.values()))
            proxies = {name: Proxy(children, self.options.pinproof, self.folder, ports, name) for name in NAMES}
            self.adapters = {name: Adapter(proxy.port, f"{name}:443") for name, proxy in proxies.items()}
            counts = collections.Counter(scripts_left_out=len(left_out))
            with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
                try:
                    for case, seen, plain in pool.map(lambda case: self.judge(children, case), wanted):
                        self.tell(report, case, seen, plain, counts)
                except BaseException:
                    self.stopping = True
                    for child in list(self.running):
                        child.kill()
                    pool.shutdown(cancel_futures=True)
                    raise
            report.line("tlsfuzzer", ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in counts.items()))
            for proxy in proxies.values():
                if proxy.child.poll() is not None:
                    report.surprise(f"tlsfuzzer: pinproof ended with status {proxy.child.returncode}")

    def tell(self, report, case, seen, plain, counts):
        """Sorts the outcomes of one case: passed, as OpenSSL, or different from it."""
        counts["scripts"] += 1
        label = f"{case.name[:-5]} {shlex.join([case.script, *case.arguments])}"
        here = collections.Counter()
        for name, why in seen.items():
            if why is None:
                kind = "passed"
                report.happened(f"{label} | {name}", None)
            elif plain.get(name) == why:
                kind = "as OpenSSL"
                report.detail(f"as OpenSSL: {label} | {name} | {why}")
            else:
                kind = "different"
                said = plain.get(name, "not run") or "passes"
                report.happened(f"{label} | {name}", why, f"OpenSSL: {said}")
            here[kind] += 1
        if not seen:
            report.surprise(f"{label}: no conversation was run")
        counts.update(here)
        print(f"  {label}: " + (", ".join(f"{value} {key}" for key, value in sorted(here.items())) or "nothing"), flush=True)
