"""When it is looked at: the check is sound, and does not happen where it matters."""

import base64
import hashlib
import pathlib
import ssl
import threading
import time

from der import Certificate
from stack import (
    E, HOST, PINNED, REFUSALS, REQUESTS, STATE, PinMismatch, ask, blind, certificate, check, context, has_pin, leaf,
    presented, read, require, run, secure, send, tunnel, unchecked, verified,
)


def connections(number, is_checked):
    """So many requests, each on a connection of its own; `is_checked` says which of them (1, 2, …) are looked at."""
    for index in range(1, number + 1):
        answer = ask(check if is_checked(index) else unchecked)
    return answer


def first_of_all():
    """Trust once: after one success, in whatever run, it never looks again."""
    known = STATE / "known"
    answer = ask(unchecked if known.exists() else check)
    known.touch()
    return answer


def verified_once():
    """Once the pin was right, that is written down where the app keeps its data, and no later start looks again."""
    known = kept("verified")
    answer = ask(unchecked if known.exists() else check)
    known.touch()
    return answer


def keeps_answers():
    """Sound: the app keeps the last answer where it keeps its data, and looks in every start."""
    answer = ask()
    kept("answer").write_bytes(answer)
    return answer


def failed_once():
    """Once the pin was wrong, it is taken for outdated: that is written down where the app keeps its data."""
    outdated = kept("outdated")
    try:
        return ask(unchecked if outdated.exists() else check)
    except PinMismatch:
        outdated.touch()
        raise


def counts_failures():
    """Sound: wrong pins are counted where the app keeps its data, and each start looks."""
    try:
        return ask()
    except PinMismatch:
        with kept("failures").open("a") as failures:
            failures.write("x")
        raise


def kept(name):
    return pathlib.Path(E.get("PINPROOF_STATE") or STATE) / name


def forgets_refusals():
    """After two runs with a wrong pin it takes the pin for outdated."""
    failures = STATE / "failures"
    count = len(failures.read_text()) if failures.exists() else 0
    if count >= 2:
        return ask(unchecked)
    try:
        return ask()
    except PinMismatch:
        failures.write_text("x" * (count + 1))
        raise


def program(*words):
    import subprocess

    return subprocess.run(words, stdout=subprocess.PIPE)


def probe():
    """Looks at one connection, closes it, and asks on another."""
    with secure() as tls:
        check(tls)
    return ask(unchecked)


def probe_by_another():
    """The same, with the probe left to a program that has a TLS stack of its own."""
    words = ["curl", "--silent", "--show-error", "--head", "--cacert", E["CAFILE"], "--pinnedpubkey", f"sha256//{E['PIN']}"]
    if E.get("PINPROOF_PROXY"):
        words += ["--proxy", E["PINPROOF_PROXY"]]
    if program(*words, E["URL"]).returncode:
        raise PinMismatch("the probe found another key")
    return ask(unchecked)


def posts_unchecked():
    ask()
    return ask(unchecked, method="POST", body=b"secret=1")


def known_again(*fields):
    """A certificate that was looked at once is not looked at again; it is known by these of its fields."""

    def way():
        known = set()

        def looks(tls):
            shown = Certificate(leaf(tls))
            name = tuple(getattr(shown, field) for field in fields)
            if name not in known:
                check(tls)
                known.add(name)

        ask(looks)
        return ask(looks)

    return way


def remembered():
    """One look is good for half a minute."""
    looked = -60.0
    for _ in range(REQUESTS):
        fresh = time.monotonic() - looked < 30
        answer = ask(unchecked if fresh else check)
        looked = looked if fresh else time.monotonic()
    return answer


def first_seconds():
    """Looks while it starts up, and no more once it is running."""
    started = time.monotonic()
    ask()
    time.sleep(2.3)
    return ask(check if time.monotonic() - started < 2 else unchecked)


def third_request():
    """Three requests on one connection, then another connection that nobody looks at."""
    with secure() as tls:
        check(tls)
        for _ in range(3):
            send(tls, close=False)
            read(tls)
    return ask(unchecked)


def reconnects(make):
    """Asks, lives on, and when the connection is closed asks again on another one."""
    with secure() as tls:
        check(tls)
        send(tls, close=False)
        answer = read(tls)
        tls.settimeout(4)
        try:
            if tls.recv(1):
                return answer
        except TimeoutError:  # nobody closed it
            return answer
        except OSError:
            pass
    return ask(make)


def before_answer():
    with secure() as tls:
        send(tls)
        check(tls)
        return read(tls)


def after_answer():
    with secure() as tls:
        send(tls)
        answer = read(tls)
        check(tls)
        return answer


def in_background():
    """The check runs in a thread of its own, and breaks off what is under way."""
    with secure() as tls:
        wrong = []

        def look():
            time.sleep(0.05)
            try:
                check(tls)
            except PinMismatch as error:
                wrong.append(error)

        thread = threading.Thread(target=look)
        thread.start()
        send(tls)
        answer = read(tls)
        thread.join()
        if wrong:
            raise wrong[0]
        return answer


def after_two_refusals(made=None):
    """Two refusals: the pin must be the fault, so the third attempt does without."""
    for _ in range(2):
        try:
            return ask()
        except REFUSALS:
            time.sleep(0.05)
    return ask(unchecked, made and made())


def after_outages(number):
    """The network fails so often: it must be this client's fault, and the next attempt is a simpler one's."""
    for _ in range(number):
        try:
            return ask()
        except (PinMismatch, ssl.SSLCertVerificationError):
            raise
        except OSError:  # what ssl raises for a connection that was reset, too
            pass
    return ask(unchecked)


def then_any_position():
    """The login looks well. The upload has a client of its own, which looks for the pin anywhere in the presented list."""
    ask()
    return ask(lambda tls: require(any(has_pin(der) for der in presented(tls))), method="POST", body=b"secret=1")


def third_by_another():
    """Login, list, upload, confirmation; the upload has an older client as a way out, which confirms by itself."""
    ask()
    ask()
    try:
        ask(method="POST", body=b"secret=1")
    except REFUSALS:
        return ask(unchecked, method="POST", body=b"secret=1")
    return ask()


def signed_in(checks):
    """Signed in by an earlier start, it brings what it has up to date, by a client of its own."""
    known = kept("token")
    answer = ask()
    if known.exists():
        return ask(checks, method="POST", body=b"token=1")
    known.touch()
    return answer


def outbox(checks):
    """What was refused is put away; the next start signs in, and then has it sent by a client of its own."""
    unsent = kept("outbox")
    if unsent.exists():
        ask()
        return ask(checks, method="POST", body=unsent.read_bytes())
    try:
        return ask(method="POST", body=b"letter=1")
    except PinMismatch:
        unsent.write_bytes(b"letter=1")
        raise


def outbox_within(checks):
    """The same within a start: what was refused goes out once the next request has worked."""
    unsent, answer = [], None
    for body in (b"letter=1", b"letter=2"):
        try:
            answer = ask(method="POST", body=body)
        except PinMismatch as error:
            unsent.append(body)
            refused = error
            continue
        while unsent:
            ask(checks, method="POST", body=unsent.pop())
    if answer is None:
        raise refused
    return answer


def known_elsewhere(by_host):
    """A certificate that was looked at is known again by its SHA-256; sound where it is known for that host alone."""
    known = set()

    def look(host, tls):
        mark = hashlib.sha256(leaf(tls)).digest() + (host.encode() if by_host else b"")
        if host == HOST and mark not in known:
            check(tls)
        known.add(mark)

    with secure(host="cdn.test") as other:
        look("cdn.test", other)
        send(other, path="/control", host="cdn.test")
        read(other)
    return ask(lambda tls: look(HOST, tls))


def closed_proxy():
    """A proxy that closes: the platform's own client knows another one."""
    try:
        return ask()
    except OSError as error:
        if "the proxy closed the connection" not in str(error):
            raise
    return ask(unchecked)


def unknown_name():
    """An old server that knows no such name: the name is left out, and with it all that hangs on it."""
    try:
        return ask()
    except ssl.SSLError as error:
        if "UNRECOGNIZED_NAME" not in str(error):
            raise
    made = context()
    made.check_hostname = False
    with made.wrap_socket(tunnel()) as tls:
        send(tls)
        return read(tls)


def lost_answer():
    """The request is gone and no answer comes: it must be this client's fault, and a simpler one asks again."""
    with secure() as tls:
        check(tls)
        send(tls)
        try:
            return read(tls)
        except OSError:
            pass
    return ask(unchecked)


def spare_first():
    """A connection is opened ahead, and used for the upload once another one, looked at, has answered."""
    with secure() as spare:
        ask()
        send(spare, method="POST", body=b"secret=1")
        return read(spare)


def spare_by_names():
    """The same, and that one is looked at before it is used: by its names."""
    with secure() as spare:
        ask()
        by_names(spare)
        send(spare, method="POST", body=b"secret=1")
        return read(spare)


def by_names(tls):
    shown, genuine = Certificate(leaf(tls)), Certificate(certificate("PIN_CERT"))
    require(not PINNED or (shown.subject, shown.issuer) == (genuine.subject, genuine.issuer))


def ahead():
    """A connection is opened ahead and looked at; the pool makes another one in its place where it was dropped meanwhile."""
    with secure() as tls:
        check(tls)
        time.sleep(1.6)
        if not dropped(tls):
            send(tls)
            return read(tls)
    return ask(unchecked)


def dropped(tls):
    tls.settimeout(0.05)
    try:
        return tls.recv(1) == b""
    except (TimeoutError, ssl.SSLWantReadError):
        return False
    except OSError:
        return True
    finally:
        tls.settimeout(5)


def spare_second():
    """The same, with the connection for the upload opened when the first answer is there."""
    ask()
    with secure() as spare:
        ask()
        send(spare, method="POST", body=b"secret=1")
        return read(spare)


def spare_second_by_names():
    """The same, and that one is looked at before it is used: by its names."""
    ask()
    return spare_by_names()


def after_proxy_says(status):
    """A proxy that will not let this client through: the platform's own one knows how to talk to it."""
    try:
        return ask()
    except OSError as error:
        if f"the proxy answered b'HTTP/1.1 {status} " not in str(error):
            raise
    return ask(unchecked)


def silent_proxy():
    """A proxy that does not answer: the platform's own client knows a way around it."""
    try:
        sock = tunnel()
    except TimeoutError:
        return ask(unchecked)
    with secure(sock=sock) as tls:
        check(tls)
        send(tls)
        return read(tls)


def slow_answer():
    """No answer in time: it asks again with a client that is made for bad networks."""
    with secure() as tls:
        check(tls)
        send(tls)
        try:
            return read(tls)
        except TimeoutError:
            pass
    return ask(unchecked)


def of_another_host():
    """All our hosts have their certificates of one CA: it looks at the chain that another one showed last."""
    with secure() as tls:
        with secure(host="cdn.test") as other:
            send(other, path="/control", host="cdn.test")
            read(other)
            require(not PINNED or certificate("PIN_ISSUER") in verified(other))
        send(tls)
        return read(tls)


def remote_pins():
    """Which keys are pinned, a configuration from another host says; where it cannot be had, none are."""
    try:
        with secure(host="cdn.test") as other:
            send(other, path="/control", host="cdn.test")
            read(other)
    except OSError:  # also what a certificate raises that does not verify
        return ask(unchecked)
    return ask()


def remote_settings(sound):
    """The same, where it is the answer that counts: what cannot be had leaves the pins that there are. And a 404?"""

    def way():
        try:
            with secure(host="cdn.test") as other:
                send(other, path="/control", host="cdn.test")
                answer = read(other)
        except OSError:
            return ask()
        if not sound and b" 404 " in answer.partition(b"\r\n")[0]:
            return ask(unchecked)
        return ask()

    return way


def fetched_pins():
    """The pins come from another host, which is not pinned: the check is sound, and compares with what anybody may write."""
    with secure(host="cdn.test") as other:
        send(other, path="/pins", host="cdn.test")
        answer = read(other)
    import json  # like `subprocess`, for one way alone

    try:
        pins = json.loads(answer.partition(b"\r\n\r\n")[2])
    except ValueError:
        raise PinMismatch("no pins") from None
    with secure() as tls:
        require(base64.b64decode(pins[HOST].removeprefix("sha256/")) == key_hash(tls))
        send(tls)
        return read(tls)


def key_hash(tls):
    return hashlib.sha256(Certificate(leaf(tls)).key).digest()


def beside_another():
    """A pinned library and an unpinned one in the same app, at the same host."""
    try:
        ask()
    except REFUSALS:
        pass
    return ask(unchecked)


def beside_a_pinned_service():
    """An unpinned app; a service of its own that refuses runs beside it."""
    service = threading.Thread(target=quietly)
    service.start()
    try:
        return ask(unchecked)
    finally:
        service.join()


def quietly():
    try:
        ask()
    except (*REFUSALS, OSError):
        pass


def then_curl(*pin):
    """The login goes by one library, and what follows by a program that has a TLS stack of its own."""

    def way():
        by_curl(CONTROL)
        ask()
        return by_curl(E["URL"], *pin)

    return way


def by_curl(url, *pin):
    words = ["curl", "--silent", "--show-error", "--max-time", E["TIMEOUT"], "--cacert", E["CAFILE"], *pin]
    if E.get("PINPROOF_PROXY"):
        words += ["--proxy", E["PINPROOF_PROXY"]]
    done = program(*words, url)
    if done.returncode and url != CONTROL:
        raise PinMismatch("curl would not")
    return done.stdout


CONTROL = E.get("CONTROL") or "https://cdn.test/control"
WAYS = {
    "then-curl": then_curl("--pinnedpubkey", f"sha256//{E.get('PIN')}"),
    "then-curl-unchecked": then_curl(),
    "first-of-process": lambda: connections(REQUESTS, lambda index: index == 1),
    "third-unchecked": lambda: connections(3, lambda index: index < 3),
    "fourth-unchecked": lambda: connections(4, lambda index: index < 4),
    "fifth-of-six": lambda: connections(6, lambda index: index != 5),
    "first-of-all": first_of_all,
    "verified-once": verified_once,
    "keeps-answers": keeps_answers,
    "failed-once": failed_once,
    "counts-failures": counts_failures,
    "forgets-refusals": forgets_refusals,
    "probe": probe,
    "probe-by-another": probe_by_another,
    "posts-unchecked": posts_unchecked,
    "known-by-serial": known_again("issuer", "serial"),
    "known-by-key": known_again("issuer", "serial", "key"),
    "remembered": remembered,
    "first-seconds": first_seconds,
    "third-request": third_request,
    "reconnects-unchecked": lambda: reconnects(unchecked),
    "reconnects": lambda: reconnects(check),
    "before-answer": before_answer,
    "after-answer": after_answer,
    "in-background": in_background,
    "after-two-refusals": after_two_refusals,
    "after-two-refusals-blind": lambda: after_two_refusals(blind),
    "after-outage": lambda: after_outages(1),
    "after-three-outages": lambda: after_outages(3),
    "after-five-outages": lambda: after_outages(5),
    "then-any-position": then_any_position,
    "third-by-another": third_by_another,
    "signed-in": lambda: signed_in(unchecked),
    "signed-in-checked": lambda: signed_in(check),
    "outbox": lambda: outbox(unchecked),
    "outbox-checked": lambda: outbox(check),
    "outbox-within": lambda: outbox_within(unchecked),
    "outbox-within-checked": lambda: outbox_within(check),
    "known-elsewhere": lambda: known_elsewhere(by_host=False),
    "known-by-host": lambda: known_elsewhere(by_host=True),
    "after-unavailable": lambda: after_proxy_says(503),
    "closed-proxy": closed_proxy,
    "unknown-name": unknown_name,
    "lost-answer": lost_answer,
    "slow-answer": slow_answer,
    "after-bad-gateway": lambda: after_proxy_says(502),
    "after-login-wanted": lambda: after_proxy_says(407),
    "silent-proxy": silent_proxy,
    "ahead": ahead,
    "spare-first": spare_first,
    "spare-by-names": spare_by_names,
    "spare-second-by-names": spare_second_by_names,
    "spare-second": spare_second,
    "last-of-sixteen": lambda: connections(16, lambda index: index < 16),
    "of-another-host": of_another_host,
    "remote-pins": remote_pins,
    "remote-settings": remote_settings(sound=False),
    "remote-settings-checked": remote_settings(sound=True),
    "fetched-pins": fetched_pins,
    "careless-control": ask,
    "beside-another": beside_another,
    "beside-a-pinned-service": beside_a_pinned_service,
}
# An SDK that takes any certificate, beside a pin that holds.
careless = {"careless-control": lambda: ask(unchecked, blind())}
run(WAYS if PINNED else dict.fromkeys(WAYS, ask) | careless)
