"""The cases of the WebSocket suite: what one end sends, and which messages a recording has to show."""

import dataclasses
import itertools
import queue
import random
import struct
import zlib

from wsproto.events import BytesMessage, CloseConnection, Ping, Pong, TextMessage
from wsproto.extensions import PerMessageDeflate

SIZES = (0, 1, 125, 126, 127, 128, 65535, 65536, 1 << 20)
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
WORDS = "κόσμε, Ünïcode, 𝄞, and plain words; ".encode()


@dataclasses.dataclass
class Case:
    """`write` makes the bytes of the speaking side; `wrong` names what is broken in them, for which a recording has words."""

    name: str
    speaker: str
    write: object
    messages: list
    wrong: str = ""
    piece: int = 1 << 14
    parameters: dict | None = None
    sent: queue.Queue = dataclasses.field(default_factory=queue.Queue)

    def deflate(self):
        return [] if self.parameters is None else [PerMessageDeflate(**self.parameters)]


class Side:
    """One end: frames by wsproto (`send`), or by hand (`frame`)."""

    def __init__(self, protocol, role):
        self.protocol, self.masks = protocol, role == "client"

    def send(self, event):
        return self.protocol.send(event)

    def frame(self, opcode, payload=b"", final=True, bits=0, masked=None, form=0, mask=b"\x37\xfa\x21\x3d"):
        """`form` 126 or 127 writes the length in more bytes than needed; `masked` is as the role has it by default."""
        masked = self.masks if masked is None else masked
        head, size = bytes([(0x80 if final else 0) | bits << 4 | opcode]), len(payload)
        flag = 0x80 if masked else 0
        if form == 127 or size > 65535:
            head += struct.pack("!BQ", flag | 127, size)
        elif form == 126 or size > 125:
            head += struct.pack("!BH", flag | 126, size)
        else:
            head += bytes([flag | size])
        if not masked:
            return head + payload
        whole = mask * (size // 4 + 1)
        return head + mask + (int.from_bytes(payload, "big") ^ int.from_bytes(whole[:size], "big")).to_bytes(size, "big")


def text(size):
    """UTF-8 of exactly `size` bytes."""
    return (b"x" * (size % len(WORDS)) + WORDS * (size // len(WORDS)))[:size] if size else b""


def noise(size):
    return random.Random(size).randbytes(size)


def frames(*parts):
    """A writer of frames by hand: each part is the arguments of `Side.frame`, the last one a dictionary where it is one."""

    def write(side):
        made = b""
        for part in parts:
            named = part[-1] if isinstance(part[-1], dict) else {}
            made += side.frame(*(part[:-1] if named else part), **named)
        return made

    return write


def events(*made):
    """A writer of whole messages by wsproto."""
    return lambda side: b"".join(side.send(event) for event in made)


def cases():
    """All cases, each from both ends."""
    for speaker in ("client", "server"):
        for made in itertools.chain(whole(), pieces(), controls(), broken(), closing(), unicode(), many()):
            yield Case(made[0], speaker, *made[1:3], **(made[3] if len(made) > 3 else {}))
        yield from masks(speaker)
        yield from deflated(speaker)


def whole():
    for size in SIZES:
        yield f"text of {size}", events(TextMessage(text(size).decode())), [("text", text(size))]
        yield f"binary of {size}", events(BytesMessage(noise(size))), [("binary", noise(size))]
    yield "binary of 65536 in pieces of 997", events(BytesMessage(noise(65536))), [("binary", noise(65536))], {"piece": 997}
    yield "text of 128 byte by byte", events(TextMessage(text(128).decode())), [("text", text(128))], {"piece": 1}
    for form, size in ((126, 5), (127, 5), (127, 300)):
        more = {"wrong": "a length in more bytes than needed"}
        yield f"{size} with a length of form {form}", frames((BINARY, noise(size), {"form": form})), [("binary", noise(size))], more
    yield "a length of 2^63 and more", lambda side: bytes([0x82, 127]) + b"\xff" * 8, [], {"wrong": "the length"}


def pieces():
    ended = {"final": False}
    yield "text in two frames", frames((TEXT, b"one ", ended), (0, b"two")), [("text", b"one two")]
    yield "a ping between frames", frames((TEXT, b"one ", ended), (PING, b"?"), (0, b"two")), [("ping", b"?"), ("text", b"one two")]
    empty = ((TEXT, b"", ended), (0, b"", ended), (0, b""))
    yield "three empty frames", frames(*empty), [("text", b"")]
    single = [(BINARY if number == 0 else 0, bytes([number % 256]), {"final": number == 999}) for number in range(1000)]
    yield "1000 frames of a byte", frames(*single), [("binary", bytes(number % 256 for number in range(1000)))]
    data = noise(1 << 18)
    cut = [(BINARY if at == 0 else 0, data[at : at + 1000], {"final": at + 1000 >= len(data)}) for at in range(0, len(data), 1000)]
    yield "256 KiB in frames of 1000", frames(*cut), [("binary", data)]
    yield "text split within a character", frames((TEXT, "κό".encode()[:3], ended), (0, "κό".encode()[3:])), [("text", "κό".encode())]


def controls():
    for size in (0, 1, 125):
        yield f"ping of {size}", events(Ping(noise(size))), [("ping", noise(size))]
        yield f"pong of {size}, unasked", events(Pong(noise(size))), [("pong", noise(size))]
    yield "ten pings", events(*[Ping(bytes([number])) for number in range(10)]), [("ping", bytes([number])) for number in range(10)]


def broken():
    """After one good message, so that it is seen that what was good is kept."""
    good, kept = (TEXT, b"good"), [("text", b"good")]
    for bits in (1, 2, 4, 7):
        for opcode in (TEXT, PING, CLOSE):
            yield f"reserved bits {bits}, opcode {opcode}", frames(good, (opcode, b"", {"bits": bits})), kept, {"wrong": "a reserved bit"}
    for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15):
        yield f"opcode {opcode}", frames(good, (opcode, b"?")), kept, {"wrong": "the opcode"}
    yield "a continuation of nothing", frames(good, (0, b"?")), kept, {"wrong": "the continuation"}
    twice = frames(good, (TEXT, b"a", {"final": False}), (TEXT, b"b"))
    # What had come of the first is a message that was cut.
    yield "a message within a message", twice, [*kept, ("text", None)], {"wrong": "the second message"}
    yield "a ping in pieces", frames(good, (PING, b"a", {"final": False})), kept, {"wrong": "the ping"}
    yield "a ping of 126", frames(good, (PING, noise(126))), kept, {"wrong": "the ping"}
    yield "a close of 126", frames(good, (CLOSE, b"\x03\xe8" + b"x" * 124)), kept, {"wrong": "the close"}


def closing():
    for code in (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999):
        data = struct.pack("!H", code) + b"why"
        yield f"close {code}", events(CloseConnection(code, "why")), [("close", data)]
    yield "close without a code", frames((CLOSE,)), [("close", b"")]
    yield "close with a reason of 123", frames((CLOSE, b"\x03\xe8" + b"x" * 123)), [("close", b"\x03\xe8" + b"x" * 123)]
    for code in (0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535):
        data = struct.pack("!H", code)
        yield f"close {code}, which is none", frames((CLOSE, data)), [("close", data)], {"wrong": "the code"}
    yield "close of one byte", frames((CLOSE, b"\x03")), [("close", b"\x03")], {"wrong": "the half code"}
    bad = b"\x03\xe8\xce\xba\xff"
    yield "close with a reason that is no UTF-8", frames((CLOSE, bad)), [("close", bad)], {"wrong": "the reason"}
    after = frames((CLOSE, b"\x03\xe8"), (TEXT, b"more"))
    yield "text after close", after, [("close", b"\x03\xe8"), ("text", b"more")], {"wrong": "a message after close"}


def unicode():
    for what, data in (("a lone byte", b"\xce"), ("a surrogate", b"\xed\xa0\x80"), ("too long a form", b"\xc0\xaf"),
                       ("beyond 10FFFF", b"\xf4\x90\x80\x80"), ("no first byte", b"ok\x80ok")):  # fmt: skip
        yield f"text that is no UTF-8, {what}", frames((TEXT, data)), [("text", data)], {"wrong": "the text"}
    for what, data in (("NUL", b"\0"), ("U+10FFFF", b"\xf4\x8f\xbf\xbf"), ("U+FFFE", b"\xef\xbf\xbe")):
        yield f"text of {what}", frames((TEXT, data)), [("text", data)]


def many():
    yield "2000 messages", events(*[TextMessage(str(number)) for number in range(2000)]), [("text", b"%d" % n) for n in range(2000)]
    yield "4 MiB in one", events(BytesMessage(noise(4 << 20))), [("binary", noise(4 << 20))]
    yield "17 MiB in one", events(BytesMessage(noise(17 << 20))), [("binary", None)]


def masks(speaker):
    wrong = {"wrong": "the mask"}
    yield Case("text masked the wrong way", speaker, frames((TEXT, b"text", {"masked": speaker != "client"})), [("text", b"text")], **wrong)
    if speaker == "client":
        yield Case("a mask of zeros", speaker, frames((TEXT, b"text", {"mask": bytes(4)})), [("text", b"text")])


def deflated(speaker):
    """permessage-deflate: every window and takeover, then what a stream may hold."""
    texts = [text(size).decode() for size in (0, 5, 300, 300, 70000)]
    kept = [("text", made.encode()) for made in texts]
    for bits in range(9, 16):
        for own, other in itertools.product((False, True), repeat=2):
            key, rest = (speaker, "server" if speaker == "client" else "client")
            parameters = {f"{key}_max_window_bits": bits, f"{rest}_max_window_bits": 15,
                          f"{key}_no_context_takeover": own, f"{rest}_no_context_takeover": other}  # fmt: skip
            yield Case(f"deflate, {bits} bits, takeover {not own}, {not other}", speaker, events(*map(TextMessage, texts)), kept,
                parameters=parameters)  # fmt: skip
    data = noise(5000) + text(5000)
    halves = [BytesMessage(data[:3000], message_finished=False), Ping(b"between"), BytesMessage(data[3000:])]

    def stored(side):
        """Blocks that are stored and not compressed."""
        packer = zlib.compressobj(0, wbits=-15)
        return side.frame(TEXT, (packer.compress(b"plain") + packer.flush(zlib.Z_SYNC_FLUSH))[:-4], bits=4)

    def last_block(side):
        """A block that says it is the last one, as RFC 7692 §7.2.3.4 has it, and then a zero byte."""
        packer = zlib.compressobj(9, wbits=-15)
        return side.frame(TEXT, packer.compress(b"last") + packer.flush(zlib.Z_FINISH) + b"\0", bits=4)

    def plain(side):
        return side.send(TextMessage("packed")) + side.frame(TEXT, b"plain") + side.send(TextMessage("packed"))

    def continued(side):
        """RSV1 on a continuation, where only the first frame may have it."""
        return side.frame(TEXT, b"\xf2\x48", final=False, bits=4) + side.frame(0, b"\xcd\xc9\xc9\x07\x00", bits=4)

    def corrupt(side):
        return side.send(TextMessage("good")) + side.frame(TEXT, b"\xff\xff\xff\xff", bits=4) + side.frame(TEXT, b"plain")

    wrong = {"wrong": "the reserved bit"}
    for name, write, messages, more in (
        ("in two frames, a ping between", events(*halves), [("ping", b"between"), ("binary", data)], {}),
        ("stored blocks", stored, [("text", b"plain")], {}),
        ("a last block", last_block, [("text", b"last")], {}),
        ("plain ones between", plain, [("text", b"packed"), ("text", b"plain"), ("text", b"packed")], {}),
        ("RSV1 on a continuation", continued, [("text", None)], wrong),
        ("RSV1 on a ping", frames((PING, b"", {"bits": 4})), [], wrong),
        ("16 MiB of zeros", events(BytesMessage(bytes(16 << 20))), [("binary", bytes(16 << 20))], {}),
        ("20 MiB of zeros", events(BytesMessage(bytes(20 << 20))), [("binary", None)], {}),
        ("1 MiB", events(BytesMessage(noise(1 << 20))), [("binary", noise(1 << 20))], {}),
        ("a stream that is none", corrupt, [("text", b"good"), ("text", None), ("text", b"plain")], {"wrong": "the stream"}),
    ):
        yield Case(f"deflate, {name}", speaker, write, messages, parameters={}, **more)
