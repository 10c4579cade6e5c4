import Testing

@testable import Facts

@Suite("IPAddress: reach")
struct IPAddressReachTests {
    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text), "\(text)") }

    @Test(
        "who may be anywhere on the internet is global",
        arguments: [
            "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
            "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.0.9", "192.0.0.10",
            "192.0.1.0", "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.167.255.255", "192.169.0.0",
            "192.175.48.1",
            "198.17.255.255", "198.20.0.0", "223.255.255.255", "::ffff:8.8.8.8",
            "2606:4700::1111", "2001:4860:4860::8888", "2001:0:1::1", "2001:1::1", "2001:3::1", "2001:4:112::1",
            "2001:20::1",
            "2001:30::1", "2001:200::1", "2002:808:808::1", "64:ff9b::808:808", "2620:4f:8000::1", "2a00::1",
            "3ffe::1", "100:0:0:2::1",
        ])
    func global(text: String) throws {
        #expect(try address(text).isGlobal)
    }

    @Test(
        "private, local and special addresses are not",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
            "127.255.255.255", "169.254.0.0", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.0",
            "192.0.0.8",
            "192.0.0.170", "192.0.2.1", "192.88.99.2", "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255",
            "198.51.100.1", "203.0.113.9", "240.0.0.1", "255.255.255.255", "::ffff:10.0.0.1", "::ffff:192.168.1.1",
            "::", "::1", "64:ff9b:1::1", "100::1", "100:0:0:1::1", "2001:2::1", "2001:5::1", "2001:db8::1",
            "3fff::1", "3fff:fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fdff::1", "fe80::1", "febf::1",
        ])
    func special(text: String) throws {
        #expect(try !address(text).isGlobal)
    }

    @Test("no block of the tables was left out for a mistake in its text")
    func blocks() {
        #expect(IPAddress.special.count == 25 && IPAddress.withinSpecial.count == 11)
        for block in IPAddress.withinSpecial {
            #expect(IPAddress.special.contains { $0.contains(block.first) }, "\(block.first)")
        }
        for text in ["10.0.0.0", "10.0.0.0/33", "::/129", "x/8", "10.0.0.0/", "/8", "10.0.0.0/-1"] {
            #expect(IPAddress.Block(text) == nil, "\(text)")
        }
    }

    @Test("a block holds what has its first bits, of its own family")
    func block() throws {
        let block = try #require(IPAddress.Block("172.16.0.0/12"))
        #expect(try block.contains(address("172.31.255.255")) && !block.contains(address("172.32.0.0")))
        #expect(try !block.contains(address("ac10::")))
        let all = try #require(IPAddress.Block("::/0"))
        #expect(try all.contains(address("ffff::")) && !all.contains(address("1.2.3.4")))
        let one = try #require(IPAddress.Block("1.2.3.4/32"))
        #expect(try one.contains(address("1.2.3.4")) && !one.contains(address("1.2.3.5")))
    }

    @Test("an IPv4-mapped address is an IPv4 address, in every respect")
    func mapped() throws {
        #expect(try address("::ffff:127.0.0.1").unmapped == address("127.0.0.1"))
        #expect(try address("::ffff:0:127.0.0.1").unmapped == address("::ffff:0:127.0.0.1"))
        #expect(try address("1.2.3.4").unmapped == address("1.2.3.4"))
        #expect(try address("::ffff:127.0.0.1").isLoopback && address("::ffff:0.0.0.0").isUnspecified)
        #expect(try address("::ffff:169.254.1.1").isLinkLocal)
    }

    @Test("loopback, link-local and unspecified addresses are known")
    func predicates() throws {
        for text in ["127.0.0.1", "127.9.8.7", "::1"] { #expect(try address(text).isLoopback, "\(text)") }
        for text in ["128.0.0.1", "126.0.0.1", "::2", "::", "0.0.0.0", "::7f00:1"] {
            #expect(try !address(text).isLoopback, "\(text)")
        }
        for text in ["169.254.0.1", "fe80::1", "fe80::", "febf:ffff::"] {
            #expect(try address(text).isLinkLocal, "\(text)")
        }
        for text in ["169.253.0.1", "fec0::1", "fe7f::1", "192.168.0.1"] {
            #expect(try !address(text).isLinkLocal, "\(text)")
        }
        for text in ["0.0.0.0", "::"] { #expect(try address(text).isUnspecified) }
        for text in ["0.0.0.1", "::1", "::ffff:0.0.0.1"] { #expect(try !address(text).isUnspecified) }
    }
}
