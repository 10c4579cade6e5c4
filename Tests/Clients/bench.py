"""What `check` stands its clients on: the test origin, forged chains, and one cold start at a time."""

import contextlib
import json
import os
import pathlib
import ssl
import subprocess
import sys
import tempfile
import time

from forger import Forger
from interceptor import Interceptor, Show

HERE = pathlib.Path(__file__).resolve().parent
HOST, CONTROL, OTHER = "api.test", "cdn.test", "other.test"
# For what needs a domain above the host that is more than a top-level one.
DEEP = "api.shop.test"
OLD = "ALL:eNULL@SECLEVEL=0"

# Every attack that can be stood up here; a name is that of pinproof's catalogue.
ATTACKS = (
    "trusted-ca trusted-ca/tls-1.2 trusted-ca/rsa-leaf trusted-ca/http-1.1 trusted-ca/no-alpn trusted-ca/newer"
    " trusted-ca/other-key trusted-ca/other-curve trusted-ca/plain trusted-ca/no-common-name"
    " trusted-ca/foreign-common-name trusted-ca/second-name trusted-ca/wildcard trusted-ca/capitals trusted-ca/home-made trusted-ca/bare"
    " trusted-ca/first-only trusted-ca/authority-leaf trusted-ca/second-start trusted-ca/after-refusal trusted-ca/host-only"
    " trusted-ca/others-unreachable trusted-ca/others-answer-404 trusted-ca/coalesced"
    " trusted-ca/older untrusted-ca"
    " untrusted-ca/with-root untrusted-ca/leaf-alone smuggled-chain/after smuggled-chain/issuers-alone"
    " smuggled-chain/between smuggled-chain/issuers-first smuggled-chain/cloned smuggled-chain/identifiers smuggled-chain/identifiers-first"
    " smuggled-chain/authority wrong-key wrong-key/tls-1.2"
    " cloned-identity/trusted cloned-identity/untrusted cloned-identity/without-root cloned-identity/renewed other-host other-host/of-the-app"
    " other-host/lent"
    " self-signed expired expired/issuer not-yet-valid silent-server later-connection/second later-connection/second-cloned later-connection/second-copied later-connection/first-cloned later-connection/second-only"
    " later-connection/second-only-cloned later-connection/third-cloned later-connection/fourth-cloned"
    " later-connection/third later-connection/fourth later-connection/fifth later-connection/sixteenth"
    " later-connection/all-but-second later-connection/second-start later-connection/after-refusal later-connection/after-503 later-connection/after-cut later-connection/after-cut-cloned later-connection/after-2s later-connection/after-3-requests later-connection/after-reset later-connection/after-reset-cloned"
    " later-connection/after-3-resets later-connection/after-5-resets later-connection/after-502"
    " later-connection/after-407 later-connection/after-no-tunnel later-connection/after-no-answer"
    " later-connection/after-lost-answer resumed-session resumed-session/tls-1.2 resumed-session/lent-first leaf-as-ca/ca-false"
    " leaf-as-ca/no-constraints bad-signature/corrupted bad-signature/other-key bad-signature/genuine-issuer"
    " bad-signature/zeros wrong-usage/client-auth wrong-usage/common-name-only wrong-usage/nul-in-san"
    " wrong-usage/top-level-wildcard wrong-usage/parent-domain wrong-usage/affixed-name wrong-usage/name-constraints wrong-usage/path-length"
    " weak-crypto/rsa-1024 weak-crypto/sha-1 weak-crypto/md5 old-tls/tls-1.0 old-tls/tls-1.1 old-tls/null-cipher"
    " old-tls/anonymous cleartext-fallback/reset cleartext-fallback/close cleartext-fallback/no-starttls redirect/to redirect/to-final-dot"
    " redirect/to-capitals redirect/to-port redirect/from"
).split()

# Those that clients are examined under that need another host, or another CA.
FEW_ATTACKS = (
    "trusted-ca trusted-ca/plain trusted-ca/wildcard untrusted-ca wrong-key smuggled-chain/after cloned-identity/trusted expired"
).split()

# What a sound client without a pin accepts.
VALID = (
    "trusted-ca trusted-ca/tls-1.2 trusted-ca/rsa-leaf trusted-ca/http-1.1 trusted-ca/no-alpn trusted-ca/other-key"
    " trusted-ca/other-curve trusted-ca/plain trusted-ca/no-common-name trusted-ca/foreign-common-name"
    " trusted-ca/second-name trusted-ca/wildcard trusted-ca/capitals trusted-ca/home-made trusted-ca/bare trusted-ca/host-only trusted-ca/others-unreachable trusted-ca/others-answer-404 trusted-ca/coalesced"
    " trusted-ca/older smuggled-chain/after smuggled-chain/issuers-alone smuggled-chain/between"
    " smuggled-chain/issuers-first smuggled-chain/cloned smuggled-chain/identifiers cloned-identity/trusted cloned-identity/without-root"
    " cloned-identity/renewed silent-server"
).split()
# And these, when it makes the connections that they need, or its origin is older than it is.
VALID_LATER = [name for name in ATTACKS if name.startswith("later-connection/")]
VALID_LATER += ["trusted-ca/first-only", "trusted-ca/second-start", "trusted-ca/after-refusal"]
VALID_LATER += ["trusted-ca/authority-leaf", "smuggled-chain/authority", "trusted-ca/newer", "resumed-session", "resumed-session/tls-1.2"]
VALID_LATER += [name for name in ATTACKS if name.startswith("redirect/")]
# Where it tries other paths than the first that fits.
VALID_LATER += ["smuggled-chain/identifiers-first"]
# Those that only a gate stands up.
VALID_LATER += [f"later-connection/after-{way}" for way in ("close", "alert", "timeout", "cut-reset", "cut-unused", "unrecognized-name", "plain-answer", "closed-tunnel")]
VALID_LATER += [
    f"later-connection/{place}th"
    for place in "six seven eigh nin ten eleven twelf thirteen fourteen fifteen".split()
]

# How each form of it spells the host.
REDIRECTS = {
    "redirect/to": HOST, "redirect/to-final-dot": HOST + ".", "redirect/to-capitals": HOST.upper(), "redirect/to-port": HOST + ":443",
}

CONDUCT = {
    "trusted-ca/tls-1.2": dict(maximum=ssl.TLSVersion.TLSv1_2),
    "trusted-ca/http-1.1": dict(protocols=("http/1.1",)),
    "trusted-ca/older": dict(maximum=ssl.TLSVersion.TLSv1_2, protocols=("http/1.1",)),
    "trusted-ca/no-alpn": dict(protocols=()),
    "trusted-ca/newer": dict(protocols=("h2", "http/1.1")),
    "trusted-ca/first-only": dict(after=("only", 1)),
    "silent-server": dict(answers=False),
    "later-connection/second": dict(after=("connections", 1)),
    "later-connection/second-start": dict(after=("connections", 1)),
    "later-connection/after-refusal": dict(after=("connections", 1)),
    "later-connection/second-cloned": dict(after=("connections", 1)),
    "later-connection/second-copied": dict(after=("connections", 1)),
    "later-connection/first-cloned": dict(after=("only", 1)),
    "later-connection/second-only": dict(after=("only", 2)),
    "later-connection/second-only-cloned": dict(after=("only", 2)),
    "later-connection/third-cloned": dict(after=("only", 3)),
    "later-connection/fourth-cloned": dict(after=("only", 4)),
    "later-connection/all-but-second": dict(after=("all-but", 2)),
    "later-connection/third": dict(after=("only", 3)),
    "later-connection/fourth": dict(after=("only", 4)),
    "later-connection/fifth": dict(after=("only", 5)),
    "later-connection/sixteenth": dict(after=("only", 16)),
    "later-connection/after-cut": dict(after=("cuts", 1)),
    "later-connection/after-cut-cloned": dict(after=("cuts", 1)),
    "later-connection/after-2s": dict(after=("seconds", 2)),
    "later-connection/after-3-requests": dict(after=("requests", 3)),
    "later-connection/after-reset": dict(after=("resets", 1)),
    "later-connection/after-reset-cloned": dict(after=("resets", 1)),
    "later-connection/after-3-resets": dict(after=("resets", 3)),
    "later-connection/after-5-resets": dict(after=("resets", 5)),
    "later-connection/after-lost-answer": dict(after=("losses", 1)),
    "later-connection/after-no-answer": dict(after=("silences", 1)),
    "later-connection/after-502": dict(refusal=b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"),
    "later-connection/after-503": dict(refusal=b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"),
    "later-connection/after-407": dict(
        refusal=b'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"\r\n'
        b"Content-Length: 0\r\n\r\n"
    ),
    "later-connection/after-no-tunnel": dict(refusal=b""),
    "wrong-key/tls-1.2": dict(maximum=ssl.TLSVersion.TLSv1_2),
    "resumed-session": dict(resumes=True),
    "resumed-session/tls-1.2": dict(resumes=True, maximum=ssl.TLSVersion.TLSv1_2),
    "resumed-session/lent-first": dict(resumes=True),
    "old-tls/tls-1.0": dict(minimum=ssl.TLSVersion.TLSv1, maximum=ssl.TLSVersion.TLSv1, ciphers=OLD),
    "old-tls/tls-1.1": dict(minimum=ssl.TLSVersion.TLSv1_1, maximum=ssl.TLSVersion.TLSv1_1, ciphers=OLD),
    "old-tls/null-cipher": dict(maximum=ssl.TLSVersion.TLSv1_2, ciphers="eNULL@SECLEVEL=0"),
    "old-tls/anonymous": dict(maximum=ssl.TLSVersion.TLSv1_2, ciphers="AECDH@SECLEVEL=0"),
    "cleartext-fallback/reset": dict(resets=True),
    "cleartext-fallback/close": dict(closes=True),
    "cleartext-fallback/no-starttls": dict(hides=True),
    # A server is no check of the client when its own library would not send such a chain.
    **{f"weak-crypto/{way}": dict(ciphers="ALL@SECLEVEL=0") for way in ("rsa-1024", "sha-1", "md5")},
}


class Bench:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.origin = self.folder / "origin"
        self.origin.mkdir()
        self.process = subprocess.Popen([HERE / "origin/serve", self.origin], stdin=subprocess.PIPE)
        deadline = time.monotonic() + 20
        while not (self.origin / "ready.json").exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                sys.exit("check: the origin did not start")
            time.sleep(0.02)
        self.ports = json.loads((self.origin / "ready.json").read_text())
        self.forgers = {HOST: Forger(self.folder, self.origin, HOST), DEEP: Forger(self.folder / "deep", self.origin, DEEP)}
        for attack in ATTACKS:  # before there are threads
            self.forgers[DEEP if attack == "trusted-ca/wildcard" else HOST].chain(attack)
        self.forgers["like"] = Forger(self.folder / "like", self.origin, HOST, label="Test")
        for attack in FEW_ATTACKS:
            self.forgers[DEEP].chain(attack)
            self.forgers["like"].chain(attack)
        self.forgers[HOST].shared(CONTROL)

    def close(self):
        self.process.stdin.close()
        self.process.wait(5)

    def shows(self, attack, protocols, host=HOST, like=False):
        """What each host meets under an attack; the control always meets the trusted CA."""
        forger = self.forgers["like" if like else host]
        trusted = forger.folder / "trusted"
        chain, key = forger.chain(attack)
        show = Show(chain, key, **{"protocols": protocols, **CONDUCT.get(attack, {})})
        if attack == "resumed-session/lent-first":
            show.first = (self.origin / f"{host}.chain.pem", self.origin / f"{host}.key")
        if attack == "redirect/from":
            return {
                HOST: Show(self.origin / f"{HOST}.chain.pem", self.origin / f"{HOST}.key", location=f"https://{OTHER}/there"),
                OTHER: Show(trusted / f"{OTHER}.chain.pem", trusted / f"{OTHER}.key"),
            }
        if attack == "trusted-ca/host-only":
            return {host: show}
        if attack == "trusted-ca/others-unreachable":
            return {host: show, CONTROL: Show(resets=True)}
        control = Show(trusted / f"{CONTROL}.chain.pem", trusted / f"{CONTROL}.key", protocols=protocols)
        if attack == "trusted-ca/others-answer-404":
            control.status = "404 Not Found"
        if attack == "trusted-ca/coalesced":
            control.chain, control.key = show.chain, show.key = self.forgers[HOST].shared(CONTROL)
        if attack in REDIRECTS:
            control.location = f"https://{REDIRECTS[attack]}/there"
        return {host: show, CONTROL: control}

    def drive(
        self, client, phase, *arguments, port="any", limit=30, protocols=("http/1.1",), state=None, host=HOST, like=False,
        kept=None,
    ):
        """Runs one cold start; (status, what it printed, the interceptor that saw it). `like`: of a CA that has the genuine
        one's names. `kept`: what the app finds as its PINPROOF_STATE, a new folder unless said."""
        shows = None if phase == "passthrough" else self.shows(phase, protocols, host, like)
        if port == "tls12" and shows and phase != "trusted-ca/newer":  # as the origin does it
            shows[host].maximum = min(shows[host].maximum, ssl.TLSVersion.TLSv1_2)
        # With a port of its own, a host is known by its address as well.
        own = {HOST: self.ports[port]} if port in ("own", "mail", "smtp") else {}
        interceptor = Interceptor(self.ports["any" if own else port], shows, own, greets=port if port in ("mail", "smtp") else None)
        environment = {
            **os.environ,
            "PINPROOF_PROXY": interceptor.url,
            "PINPROOF_CA": str(self.forgers["like" if like else host].folder / "trusted/root.pem"),
            "PINPROOF_PHASE": phase,
            "TIMEOUT": "2" if phase == "silent-server" else "5",
        }
        with tempfile.TemporaryDirectory(dir=self.folder) as fresh, contextlib.ExitStack() as stack:
            kept = kept or stack.enter_context(tempfile.TemporaryDirectory(dir=self.folder))
            earlier = "trusted-ca" if phase.endswith("/after-refusal") else "passthrough"
            if phase.endswith(("/second-start", "/after-refusal")):
                self.drive(client, earlier, *arguments, port=port, limit=limit, host=host, like=like, kept=kept)
            environment["PINPROOF_STATE"] = kept
            command = [HERE / "drive", "--client", client, "--origin", self.origin, "--state", state or fresh, *arguments]
            command += ["--service", port]
            process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                text=True, start_new_session=True,
            )
            try:
                output, _ = process.communicate(timeout=limit)
                status = process.returncode
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                output, status = process.communicate()[0], "still running"
        interceptor.close()
        return status, output, interceptor
