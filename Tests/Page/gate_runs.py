"""Two real gate runs for the page to show: a client that pins its host, and the same without a pin."""

import pathlib
import subprocess
import sys

from peers import Origin, make_pki

CLIENT = """
cat {pki}/root.pem "$PINPROOF_CA" > "$1.trust"
curl -sS -m 4 -o /dev/null --cacert "$1.trust" https://control.test/
curl -sS -m 4 -o /dev/null --cacert "$1.trust" $2 https://api.test/orders
echo the client is done
"""


def answer(peer):
    """One connection of an origin: each request is answered."""
    asked = peer.makefile("rb")
    try:
        while asked.readline():
            while asked.readline().strip():
                pass
            peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
    except OSError:
        pass


def make_runs(pinproof, folder, environment):
    """In folder/runs: `pinned`, which passes, and `open`, which fails."""
    folder = pathlib.Path(folder)
    pki = folder / "pki"
    make_pki(pki, ["api.test", "control.test"])
    origins = {name: Origin(answer, pki, name) for name in ("api.test", "control.test")}
    resolve = "".join(f"  {name}: 127.0.0.1:{origin.port}\n" for name, origin in origins.items())
    (folder / "release.yaml").write_text(
        f"version: 1\nname: release\nhosts:\n  api.test: {{ expect: refuse }}\ncontrols: [control.test]\n"
        f"resolve:\n{resolve}upstream:\n  roots: [{pki}/root.pem]\n")
    (folder / "client.sh").write_text(CLIENT.format(pki=pki))
    key = subprocess.run(
        f"openssl x509 -in {pki}/api.test.chain.pem -noout -pubkey | openssl pkey -pubin -outform der"
        " | openssl dgst -sha256 -binary | openssl base64", shell=True, check=True, capture_output=True, text=True)
    for name, option, status in (("pinned", "--pinnedpubkey sha256//" + key.stdout.strip(), 0), ("open", "", 1)):
        done = subprocess.run(
            [pinproof, "gate", "release.yaml", "--attacks", "quick",
             "--out", f"runs/2026010{1 + status}T000000Z-{name}", "--", "sh", "client.sh", name, option],
            cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != status:
            sys.exit(f"the gate run {name} ended with {done.returncode}, not {status}:\n{done.stdout}\n{done.stderr}")
    # And a rehearsal of the first, with another version that pins nothing here.
    (folder / "older.sh").write_text("curl --pinnedpubkey sha256//" + "A" * 43 + "= https://api.test/\n")
    done = subprocess.run(
        [pinproof, "rehearse", "release.yaml", "--standard", "--label", "version=2.0", "--build", "1.0=older.sh",
         "--out", "runs/20260103T000000Z-rehearsal", "--", "sh", "client.sh", "pinned", "--pinnedpubkey sha256//" + key.stdout.strip()],
        cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"the rehearsal ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
