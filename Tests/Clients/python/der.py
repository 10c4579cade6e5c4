"""A certificate taken apart into its fields, and put together again: enough DER for that, and no more."""

from collections import namedtuple

OIDS = {
    b"\x55\x1d\x0e": "ski",
    b"\x55\x1d\x0f": "usage",
    b"\x55\x1d\x11": "san",
    b"\x55\x1d\x13": "constraints",
    b"\x55\x1d\x1e": "names",
    b"\x55\x1d\x23": "aki",
    b"\x55\x1d\x25": "purpose",
}


Item = namedtuple("Item", "tag content whole")


def items(data):
    """The elements that follow one another in `data`."""
    found = []
    while data:
        length, start = data[1], 2
        if length & 0x80:
            start += length & 0x7F
            length = int.from_bytes(data[2:start], "big")
        found.append(Item(data[0], data[start : start + length], data[: start + length]))
        data = data[start + length :]
    return found


def encode(tag, *contents):
    content = b"".join(contents)
    length = len(content)
    if length < 0x80:
        return bytes([tag, length]) + content
    size = (length.bit_length() + 7) // 8
    return bytes([tag, 0x80 | size]) + length.to_bytes(size, "big") + content


class Certificate:
    """The fields of the part that is signed, each as it is encoded; extensions by name."""

    FIELDS = ("version", "serial", "algorithm", "issuer", "validity", "subject", "key")

    def __init__(self, der):
        signed = items(items(der)[0].content)[0]
        parts = items(signed.content)
        for name, part in zip(self.FIELDS, parts):
            setattr(self, name, part.whole)
        self.extensions = {}
        for part in parts[len(self.FIELDS) :]:
            if part.tag == 0xA3:
                for extension in items(items(part.content)[0].content):
                    oid = items(extension.content)[0].content
                    self.extensions[OIDS.get(oid, oid.hex())] = extension.whole

    def signed_part(self):
        extensions = encode(0xA3, encode(0x30, *self.extensions.values()))
        return encode(0x30, *(getattr(self, name) for name in self.FIELDS), extensions)

    def names(self):
        """What its subjectAltName lists, as a careful reader sees it: bytes, NUL and all."""
        if "san" not in self.extensions:
            return []
        value = items(items(self.extensions["san"])[0].content)[-1].content
        return [item.content for item in items(items(value)[0].content) if item.tag == 0x82]

    def common_name(self):
        for part in items(items(self.subject)[0].content):
            kind, value = items(items(part.content)[0].content)
            if kind.content == b"\x55\x04\x03":
                return value.content
        return b""
