"""What `check` stands its clients on: the test origin, forged chains, and one cold start at a time."""

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
OLD = "ALL:eNULL@SECLEVEL=0"

# Every attack that can be stood up here; a name is that of pinproof's catalogue.
ATTACKS = (
    "trusted-ca trusted-ca/tls-1.2 trusted-ca/rsa-leaf trusted-ca/http-1.1 trusted-ca/no-alpn trusted-ca/other-key"
    " trusted-ca/first-only trusted-ca/host-only trusted-ca/others-unreachable trusted-ca/coalesced trusted-ca/older"
    " untrusted-ca smuggled-chain/after"
    " smuggled-chain/issuers-alone smuggled-chain/between smuggled-chain/issuers-first smuggled-chain/cloned"
    " cloned-identity/trusted cloned-identity/untrusted other-host"
    " other-host/lent self-signed expired not-yet-valid silent-server later-connection/second later-connection/third"
    " later-connection/after-2s later-connection/after-3-requests later-connection/after-reset"
    " later-connection/after-3-resets later-connection/after-lost-answer resumed-session resumed-session/lent-first"
    " leaf-as-ca/ca-false leaf-as-ca/no-constraints bad-signature/corrupted bad-signature/other-key"
    " bad-signature/genuine-issuer wrong-usage/client-auth wrong-usage/common-name-only wrong-usage/nul-in-san"
    " wrong-usage/top-level-wildcard wrong-usage/parent-domain wrong-usage/name-constraints wrong-usage/path-length"
    " weak-crypto/rsa-1024 weak-crypto/sha-1 weak-crypto/md5 old-tls/tls-1.0 old-tls/tls-1.1 old-tls/null-cipher"
    " old-tls/anonymous cleartext-fallback/reset redirect/to redirect/from"
).split()

# What a sound client without a pin accepts.
VALID = (
    "trusted-ca trusted-ca/tls-1.2 trusted-ca/rsa-leaf trusted-ca/http-1.1 trusted-ca/no-alpn trusted-ca/other-key"
    " trusted-ca/host-only trusted-ca/others-unreachable trusted-ca/coalesced trusted-ca/older smuggled-chain/after"
    " smuggled-chain/issuers-alone smuggled-chain/between smuggled-chain/issuers-first smuggled-chain/cloned"
    " cloned-identity/trusted silent-server"
).split()
# And these, when it makes the connections that they need.
VALID_LATER = [name for name in ATTACKS if name.startswith("later-connection/")]
VALID_LATER += ["trusted-ca/first-only", "resumed-session", "redirect/to", "redirect/from"]
# Those that only a gate stands up.
VALID_LATER += [f"later-connection/after-{way}" for way in ("close", "alert", "timeout")]

CONDUCT = {
    "trusted-ca/tls-1.2": dict(maximum=ssl.TLSVersion.TLSv1_2),
    "trusted-ca/http-1.1": dict(protocols=("http/1.1",)),
    "trusted-ca/older": dict(maximum=ssl.TLSVersion.TLSv1_2, protocols=("http/1.1",)),
    "trusted-ca/no-alpn": dict(protocols=()),
    "trusted-ca/first-only": dict(after=("only", 1)),
    "silent-server": dict(answers=False),
    "later-connection/second": dict(after=("connections", 1)),
    "later-connection/third": dict(after=("only", 3)),
    "later-connection/after-2s": dict(after=("seconds", 2)),
    "later-connection/after-3-requests": dict(after=("requests", 3)),
    "later-connection/after-reset": dict(after=("resets", 1)),
    "later-connection/after-3-resets": dict(after=("resets", 3)),
    "later-connection/after-lost-answer": dict(after=("losses", 1)),
    "resumed-session": dict(resumes=True),
    "resumed-session/lent-first": dict(resumes=True),
    "old-tls/tls-1.0": dict(minimum=ssl.TLSVersion.TLSv1, maximum=ssl.TLSVersion.TLSv1, ciphers=OLD),
    "old-tls/tls-1.1": dict(minimum=ssl.TLSVersion.TLSv1_1, maximum=ssl.TLSVersion.TLSv1_1, ciphers=OLD),
    "old-tls/null-cipher": dict(maximum=ssl.TLSVersion.TLSv1_2, ciphers="eNULL@SECLEVEL=0"),
    "old-tls/anonymous": dict(maximum=ssl.TLSVersion.TLSv1_2, ciphers="AECDH@SECLEVEL=0"),
    "cleartext-fallback/reset": dict(resets=True),
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
        self.forger = Forger(self.folder, self.origin, HOST)
        for attack in ATTACKS:  # before there are threads
            self.forger.chain(attack)
        self.forger.shared(CONTROL)

    def close(self):
        self.process.stdin.close()
        self.process.wait(5)

    def shows(self, attack, protocols):
        """What each host meets under an attack; the control always meets the trusted CA."""
        trusted = self.folder / "trusted"
        chain, key = self.forger.chain(attack)
        show = Show(chain, key, **{"protocols": protocols, **CONDUCT.get(attack, {})})
        if attack == "resumed-session/lent-first":
            show.first = (self.origin / f"{HOST}.chain.pem", self.origin / f"{HOST}.key")
        if attack == "redirect/from":
            return {
                HOST: Show(self.origin / f"{HOST}.chain.pem", self.origin / f"{HOST}.key", location=f"https://{OTHER}/there"),
                OTHER: Show(trusted / f"{OTHER}.chain.pem", trusted / f"{OTHER}.key"),
            }
        if attack == "trusted-ca/host-only":
            return {HOST: show}
        if attack == "trusted-ca/others-unreachable":
            return {HOST: show, CONTROL: Show(resets=True)}
        control = Show(trusted / f"{CONTROL}.chain.pem", trusted / f"{CONTROL}.key", protocols=protocols)
        if attack == "trusted-ca/coalesced":
            control.chain, control.key = self.forger.shared(CONTROL)
        if attack == "redirect/to":
            control.location = f"https://{HOST}/there"
        return {HOST: show, CONTROL: control}

    def drive(self, client, phase, *arguments, port="any", limit=30, protocols=("http/1.1",), state=None):
        """Runs one cold start; (status, what it printed, the interceptor that saw it)."""
        shows = None if phase == "passthrough" else self.shows(phase, protocols)
        interceptor = Interceptor(self.ports[port], shows)
        environment = {
            **os.environ,
            "PINPROOF_PROXY": interceptor.url,
            "PINPROOF_CA": str(self.folder / "trusted/root.pem"),
            "PINPROOF_PHASE": phase,
            "TIMEOUT": "2" if phase == "silent-server" else "5",
        }
        with tempfile.TemporaryDirectory(dir=self.folder) as fresh:
            command = [HERE / "drive", "--client", client, "--origin", self.origin, "--state", state or fresh, *arguments]
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
