import Facts
import Testing

@Test(
    "hosts are compared in one form",
    arguments: [
        ("API.Example.com.", "api.example.com"), ("[::1]", "::1"), ("0:0:0:0:0:0:0:1", "::1"),
        ("127.0.0.1", "127.0.0.1"), ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("::ffff:10.0.0.1", "10.0.0.1"),
        ("_dmarc.example.com", "_dmarc.example.com"), ("localhost", "localhost"), ("::", "::"),
        ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("1::", "1::"),
    ])
func hostForm(text: String, form: String) { #expect(HostName(text)?.text == form) }

@Test(
    "what is no host is nil",
    arguments: [
        "", ".", "a..b", "a b", "a/b", "exa\u{e9}mple.com", "a\u{0}b", "[::1", "[]", "1:2:3", ":::", "1::2::3",
        String(repeating: "a", count: 64) + ".com", String(repeating: "abcdefg.", count: 40),
    ])
func noHost(text: String) { #expect(HostName(text) == nil) }

@Test("dotted quads with leading zeros or numbers over 255 are not addresses")
func ambiguousIPv4() {
    #expect(IPAddress("010.0.0.1") == nil)
    #expect(IPAddress("256.0.0.1") == nil)
    #expect(IPAddress("1.2.3") == nil)
}

@Test(
    "an address in another spelling is where resolvers go with it",
    arguments: [
        ("127.1", "127.0.0.1"), ("2130706433", "127.0.0.1"), ("0x7f000001", "127.0.0.1"), ("0X7F.1", "127.0.0.1"),
        ("0177.0.0.01", "127.0.0.1"), ("10.1.515", "10.1.2.3"), ("010.0.0.1", "8.0.0.1"), ("1.2.3.4.", "1.2.3.4"),
        ("255.16777215", "255.255.255.255"), ("0", "0.0.0.0"),
    ])
func otherSpellings(text: String, address: String) { #expect(HostName(text)?.text == address) }

@Test(
    "the dot at the end of a name is none of an address, and one that was written is read as the same",
    arguments: ["127.0.0.1.", "127.01.0.", "127.1.", "1.", "api.test.", "1.2.3.4.5.", "08.1."])
func rooted(text: String) throws {
    let host = try #require(HostName(text))
    #expect(host == HostName(text.dropLast()) && host.address == HostName(text.dropLast())?.address)
    #expect(HostName(host.text)?.text == host.text && HostName(host.text)?.address == host.address)
    #expect(HostName("::1.") == nil)
}

@Test(
    "what only looks like one is a name",
    arguments: [
        "256.0.0.1", "1.2.3.256", "1.16777216", "4294967296", "1.2.3.4.5", "08.0.0.1", "0xg", "1.2.3.4a", "1a.test",
    ])
func noSpellings(text: String) {
    #expect(IPAddress(resolvable: text) == nil)
    #expect(HostName(text)?.address == nil && HostName(text)?.text == text)
}

@Test(
    "an address has no sign, no blank and no empty part",
    arguments: ["+1", "-1", "1.+2", "0x+1", "0x-1", "1..2", "1.", " 1", "", ".1", String(repeating: "0", count: 65)])
func noSigns(text: String) { #expect(IPAddress(resolvable: text) == nil) }

@Test("endpoints print as they are written, and a bare IPv6 with a port is refused as ambiguous")
func endpoints() throws {
    #expect(Endpoint("[::1]:443")?.description == "[::1]:443")
    #expect(Endpoint("Example.com:8443")?.description == "example.com:8443")
    #expect(Endpoint("::1:443") == nil)
    #expect(Endpoint("example.com") == nil)
    #expect(Endpoint("example.com", defaultPort: 443)?.port == 443)
    #expect(Endpoint("::1", defaultPort: 443)?.description == "[::1]:443")
    #expect(Endpoint("[::1]", defaultPort: 443)?.description == "[::1]:443")
    #expect(Endpoint("h:65536") == nil)
    #expect(Endpoint("h:+80") == nil)
}
