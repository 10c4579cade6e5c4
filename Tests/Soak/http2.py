"""HTTP/2 frames and as much of HPACK as two ends need that know each other. The proxy hands frames on as they are."""

import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST, SETTINGS, PING, GOAWAY, WINDOW, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM, END_HEADERS, ACK = 1, 4, 1
LARGEST = 16384
WHOLE_WINDOW = (1 << 31) - 1
STATIC = {2: (":method", "GET"), 3: (":method", "POST"), 7: (":scheme", "https"), 8: (":status", "200")}
KNOWN = {field: index for index, field in STATIC.items()}
STATIC_SIZE = 61
TABLE_SIZE = 4096


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def setting(key, value):
    return struct.pack(">HI", key, value)


def opening():
    """What either side says first: windows so wide that nobody has to wait for more."""
    return frame(SETTINGS, 0, 0, setting(4, WHOLE_WINDOW)) + frame(
        WINDOW, 0, 0, struct.pack(">I", WHOLE_WINDOW - 65535)
    )


def read_frame(stream):
    """(kind, flags, stream, payload) from a `wire.Stream`."""
    head = stream.take(9)
    return (
        head[3],
        head[4],
        struct.unpack(">I", head[5:])[0] & WHOLE_WINDOW,
        stream.take(int.from_bytes(head[:3], "big")),
    )


def data_frames(stream, body, rng):
    """A body in frames, the last of which ends the stream."""
    out, at = [], 0
    while True:
        size = min(len(body) - at, LARGEST if rng.random() < 0.9 else rng.randrange(LARGEST))
        is_last = at + size >= len(body)
        out.append(frame(DATA, END_STREAM if is_last else 0, stream, body[at : at + size]))
        at += size
        if is_last:
            return b"".join(out)


def number(value, bits, first=0):
    """An integer with a prefix of so many bits (RFC 7541, 5.1)."""
    most = (1 << bits) - 1
    if value < most:
        return bytes((first | value,))
    out, value = [first | most], value - most
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes((*out, value))


def text(value):
    value = value.encode("latin-1")
    return number(len(value), 7) + value


class Table:
    """The dynamic table: the newest entry comes first."""

    def __init__(self):
        self.entries, self.size = [], 0

    def add(self, field):
        self.entries.insert(0, field)
        self.size += len(field[0]) + len(field[1]) + 32
        while self.size > TABLE_SIZE:
            name, value = self.entries.pop()
            self.size -= len(name) + len(value) + 32


class Encoder:
    """Fields that come again are put into the table; paths and the like are not."""

    def __init__(self):
        self.table = Table()

    def block(self, fields, passing=(":path", "x-id", "x-up", "content-length")):
        out = []
        for field in fields:
            if field in KNOWN:
                out.append(number(KNOWN[field], 7, 128))
            elif field[0] in passing:
                out.append(b"\x00" + text(field[0]) + text(field[1]))
            elif field in self.table.entries:
                out.append(number(STATIC_SIZE + 1 + self.table.entries.index(field), 7, 128))
            else:
                out.append(b"\x40" + text(field[0]) + text(field[1]))
                self.table.add(field)
        return b"".join(out)


class Decoder:
    """Of what `Encoder` writes; anything else raises."""

    def __init__(self):
        self.table = Table()

    def fields(self, block):
        out, at = [], 0
        while at < len(block):
            first = block[at]
            if first & 128:
                index, at = self._number(block, at, 7)
                out.append(STATIC[index] if index <= STATIC_SIZE else self.table.entries[index - STATIC_SIZE - 1])
            elif first in (0, 0x40):
                name, at = self._text(block, at + 1)
                value, at = self._text(block, at)
                out.append((name, value))
                if first:
                    self.table.add((name, value))
            else:
                raise ValueError("not a field of ours")
        return out

    def _text(self, block, at):
        size, at = self._number(block, at, 7)
        return block[at : at + size].decode("latin-1"), at + size

    @staticmethod
    def _number(block, at, bits):
        most = (1 << bits) - 1
        value, at = block[at] & most, at + 1
        shift = 0
        while value >= most and (shift == 0 or block[at - 1] & 128):
            value += (block[at] & 127) << shift
            shift, at = shift + 7, at + 1
        return value, at


class Connection:
    """One side of a connection: collects header blocks and bodies of streams, and says which are whole."""

    def __init__(self, stream):
        self.stream = stream
        self.encoder, self.decoder = Encoder(), Decoder()
        self.heads, self.bodies, self.block = {}, {}, {}

    def receive(self):
        """Reads one frame; (stream, fields, body) where that ended one, else None. Answers what has to be answered."""
        return self.take(*read_frame(self.stream))

    def take(self, kind, flags, number, payload):
        if kind in (HEADERS, CONTINUATION):
            self.block[number] = self.block.get(number, b"") + payload
            if kind == HEADERS:
                self.bodies.setdefault(number, [])
                self.ends = flags & END_STREAM
            if flags & END_HEADERS:
                fields = self.decoder.fields(self.block.pop(number))
                # Of trailers nothing is asked.
                self.heads.setdefault(number, fields)
                if self.ends:
                    return self._whole(number)
        elif kind == DATA:
            self.bodies[number].append(payload)
            if flags & END_STREAM:
                return self._whole(number)
        elif kind == SETTINGS and not flags & ACK:
            self.stream.send(frame(SETTINGS, ACK))
        elif kind == PING and not flags & ACK:
            self.stream.send(frame(PING, ACK, 0, payload))
        elif kind in (RST, GOAWAY):
            raise ConnectionError(f"{'RST_STREAM' if kind == RST else 'GOAWAY'} {payload.hex()}")
        return None

    def _whole(self, number):
        return number, dict(self.heads.pop(number)), b"".join(self.bodies.pop(number))
