/// Where an address may be: on this machine, on its network, anywhere.
extension IPAddress {
    /// The IPv4 address that an IPv4-mapped one stands for (RFC 4291 §2.5.5.2): sockets make the same of it.
    package var unmapped: IPAddress {
        guard Self.mapped.contains(where: { $0.contains(self) }), let address = IPAddress(bytes: Array(bytes[12...]))
        else { return self }
        return address
    }

    /// `0.0.0.0` and `::`: where one listens, all addresses; where one connects to, this machine.
    package var isUnspecified: Bool { unmapped.bytes.allSatisfy { $0 == 0 } }

    package var isLoopback: Bool { Self.loopback.contains { $0.contains(unmapped) } }

    package var isLinkLocal: Bool { Self.linkLocal.contains { $0.contains(unmapped) } }

    /// It may be a stranger's, anywhere on the internet: not set aside for private, local or special use by the IANA
    /// registries of special-purpose addresses (RFC 6890).
    package var isGlobal: Bool {
        let address = unmapped
        return Self.withinSpecial.contains { $0.contains(address) } || !Self.special.contains { $0.contains(address) }
    }

    /// All addresses with the same first bits.
    struct Block: Hashable, Sendable {
        let first: IPAddress
        let length: Int

        /// `10.0.0.0/8`
        init?(_ text: String) {
            let parts = text.split(separator: "/")
            guard parts.count == 2, let first = IPAddress(parts[0]), let length = Int(parts[1]),
                (0...(first.bytes.count * 8)).contains(length)
            else { return nil }
            self.first = first
            self.length = length
        }

        func contains(_ address: IPAddress) -> Bool {
            guard address.bytes.count == first.bytes.count else { return false }
            let whole = length / 8
            guard address.bytes[..<whole] == first.bytes[..<whole] else { return false }
            let rest = length % 8
            return rest == 0 || (address.bytes[whole] ^ first.bytes[whole]) >> UInt8(8 - rest) == 0
        }
    }

    private static let mapped = blocks("::ffff:0:0/96")
    private static let loopback = blocks("127.0.0.0/8", "::1/128")
    private static let linkLocal = blocks("169.254.0.0/16", "fe80::/10")
}

extension IPAddress {
    // As registered in 2025, but for those that are "globally reachable: true". Deprecated ones (6to4, ORCHID) count as
    // global: nobody on a local network has them.

    static let special = blocks(
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.2/32", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "240.0.0.0/4",
        "::/128", "::1/128", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23", "2001:db8::/32", "3fff::/20",
        "5f00::/16", "fc00::/7", "fe80::/10")

    /// Parts of those that are globally reachable all the same, or belong to somebody who may be anywhere (Teredo).
    static let withinSpecial = blocks(
        "192.0.0.9/32", "192.0.0.10/32",
        "2001::/32", "2001:1::1/128", "2001:1::2/128", "2001:1::3/128", "2001:3::/32", "2001:4:112::/48",
        "2001:10::/28", "2001:20::/28", "2001:30::/28")

    /// A mistake in one of the texts leaves it out, which a test would notice.
    private static func blocks(_ texts: String...) -> [Block] { texts.compactMap(Block.init) }
}
