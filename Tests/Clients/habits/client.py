"""Sound clients with habits that look like something else. Each looks at every connection before a byte is sent."""

import base64
import hashlib
import os
import ssl
import sys
import threading
import time

from der import Certificate
from stack import (
    E, PINNED, REFUSALS, REQUESTS, PinMismatch, ask, blind, certificate, check, context, leaf, read, require, run, secure,
    send, tunnel, unchecked, verified,
)

ELSEWHERE = "other.test"


def backs_off():
    for attempt in range(5):
        try:
            return ask()
        except REFUSALS:
            time.sleep(0.1 * 2**attempt)
    return ask()


def preconnects():
    """Two tunnels ahead of need; the second is never used, and both are checked when TLS is there."""
    spare = [tunnel(), tunnel()]
    try:
        with secure(sock=spare[0]) as tls:
            check(tls)
            send(tls)
            return read(tls)
    finally:
        spare[1].close()


def races():
    """Two connections at once; the one that is there first is used, the other one closed."""
    ready, lock = [], threading.Lock()

    def connect():
        try:
            tls = secure()
            check(tls)
        except (*REFUSALS, OSError) as error:
            tls = error
        with lock:
            ready.append(tls)

    racers = [threading.Thread(target=connect) for _ in range(2)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    good = [tls for tls in ready if not isinstance(tls, Exception)]
    if not good:
        raise ready[0]
    for loser in good[1:]:
        loser.close()
    with good[0] as tls:
        send(tls)
        return read(tls)


def hesitates():
    """Checks at once, and thinks for three seconds before it asks."""
    with secure() as tls:
        check(tls)
        time.sleep(3)
        send(tls)
        return read(tls)


def dawdles():
    """Three seconds between the tunnel and the first word of TLS."""
    sock = tunnel()
    time.sleep(3)
    with secure(sock=sock) as tls:
        check(tls)
        send(tls)
        return read(tls)


def tries_again():
    """Whatever goes wrong, it tries again as it tried before; only a wrong certificate is no accident."""
    for _ in range(5):
        try:
            return ask()
        except (PinMismatch, ssl.SSLCertVerificationError):
            raise
        except OSError:
            pass
    return ask()


def in_parallel():
    from concurrent.futures import ThreadPoolExecutor  # takes as long to load as all else

    with ThreadPoolExecutor(8) as pool:
        answers = [pool.submit(ask) for _ in range(8)]
        return [answer.result() for answer in answers][-1]


def keeps_alive():
    with secure() as tls:
        for left in reversed(range(REQUESTS)):
            check(tls)
            send(tls, close=left == 0)
            answer = read(tls)
        return answer


def again_and_again():
    """Several connections one after the other, each looked at, whatever the one before was like."""
    results = []
    for _ in range(REQUESTS):
        try:
            results.append(ask())
        except REFUSALS as error:
            results.append(error)
    if isinstance(results[-1], Exception):
        raise results[-1]
    return results[-1]


def old_version():
    made = context()
    made.maximum_version = ssl.TLSVersion.TLSv1_2
    return ask(check, made)


def reports():
    """Tells a host of its own about each refusal."""
    try:
        return ask()
    except REFUSALS as error:
        ask(unchecked, host=ELSEWHERE, path="/report", method="POST", body=str(error).encode())
        raise


def polls():
    """Asks another host as well, every time, whatever came of the first."""
    try:
        return ask()
    finally:
        ask(unchecked, host=ELSEWHERE, path="/poll")


def ends_well():
    try:
        return ask()
    except REFUSALS as error:
        print(error, file=sys.stderr)
        return b""


def ends_badly():
    sys.stdout.write(ask().decode())
    sys.stdout.flush()
    sys.exit(3)


def two_pins():
    """The deployed key and a spare one."""
    pins = [base64.b64decode(E["PIN"]), bytes(32)]
    return ask(lambda tls: require(hashlib.sha256(Certificate(leaf(tls)).key).digest() in pins))


def authority():
    """The genuine root has to be in the chain that was verified."""
    return ask(lambda tls: require(certificate("PIN_CA") in verified(tls)))


def looks_twice():
    with secure() as tls:
        check(tls)
        send(tls)
        answer = read(tls)
        check(tls)
        return answer


def trusts_first_use():
    """Keeps what it saw first, in a file, and insists on it from then on."""
    kept = os.path.join(E["STATE"], "kept")

    def checks(tls):
        if os.path.exists(kept):
            with open(kept, "rb") as file:
                require(file.read() == leaf(tls))
        else:
            with open(kept, "wb") as file:
                file.write(leaf(tls))

    return ask(checks)


def introduces_itself():
    """Gives the proxy a name and a password, asked or not."""
    words = base64.b64encode(b"somebody:something").decode()
    with secure(sock=tunnel(headers=f"Proxy-Authorization: Basic {words}\r\nUser-Agent: habits\r\n")) as tls:
        check(tls)
        send(tls)
        return read(tls)


def pin_alone():
    """Looks at the pin and at nothing else: who has the key is the host."""
    return ask(check, blind())


WAYS = {
    "backs-off": backs_off,
    "preconnects": preconnects,
    "races": races,
    "hesitates": hesitates,
    "dawdles": dawdles,
    "tries-again": tries_again,
    "in-parallel": in_parallel,
    "keeps-alive": keeps_alive,
    "again-and-again": again_and_again,
    "reports": reports,
    "polls": polls,
    "ends-well": ends_well,
    "ends-badly": ends_badly,
    "two-pins": two_pins,
    "authority": authority,
    "looks-twice": looks_twice,
    "trusts-first-use": trusts_first_use,
    "introduces-itself": introduces_itself,
    "pin-alone": pin_alone,
}
WAYS = WAYS if PINNED else dict.fromkeys(WAYS, ask)
# The control host is to see the same stack.
run({**WAYS, "old-version": old_version})
