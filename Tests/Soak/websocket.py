"""WebSocket frames (RFC 6455), as much as an echo needs."""

import base64
import hashlib
import struct

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def accept_for(key):
    return base64.b64encode(hashlib.sha1(key.encode() + GUID).digest()).decode()


def masked(data, mask):
    key = int.from_bytes((mask * (len(data) // 4 + 1))[: len(data)], "big")
    return (int.from_bytes(data, "big") ^ key).to_bytes(len(data), "big")


def frame(kind, data, mask=None, is_last=True):
    head = bytes(((0x80 if is_last else 0) | kind,))
    bit = 0x80 if mask else 0
    if len(data) < 126:
        head += bytes((bit | len(data),))
    elif len(data) < 65536:
        head += struct.pack(">BH", bit | 126, len(data))
    else:
        head += struct.pack(">BQ", bit | 127, len(data))
    return head + (mask + masked(data, mask) if mask else data)


def message(kind, data, mask, parts):
    """A message in so many frames, as a client sends it."""
    size = max(1, -(-len(data) // parts))
    pieces = [data[at : at + size] for at in range(0, len(data), size)] or [b""]
    return b"".join(frame(0 if n else kind, piece, mask, n == len(pieces) - 1) for n, piece in enumerate(pieces))


def read_frame(stream):
    """(kind, is_last, data) from a `wire.Stream`."""
    first, second = stream.take(2)
    size = second & 127
    if size > 125:
        size = struct.unpack(*((">H", stream.take(2)) if size == 126 else (">Q", stream.take(8))))[0]
    mask = stream.take(4) if second & 128 else None
    data = stream.take(size)
    return first & 15, bool(first & 128), masked(data, mask) if mask else data


def read_message(stream):
    """(kind, data) of the next whole message or control frame."""
    kind, data = None, b""
    while True:
        opcode, is_last, piece = read_frame(stream)
        if opcode >= CLOSE:
            return opcode, piece
        kind, data = opcode or kind, data + piece
        if is_last:
            return kind, data
