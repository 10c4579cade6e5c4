import COpenSSL
import CShim
import Facts

/// The names that servers' certificates under a CA may carry (RFC 5280 §4.2.1.10).
struct NameConstraints: Hashable, Sendable {
    /// A block of addresses: as many bytes of mask as of address.
    struct Block: Hashable, Sendable {
        let address: [UInt8]
        let mask: [UInt8]

        init(only address: IPAddress) {
            self.address = address.bytes
            mask = Array(repeating: 0xff, count: address.bytes.count)
        }
        /// `0.0.0.0/0` for 4 bytes, `::/0` for 16.
        init(everyAddressOf bytes: Int) {
            address = Array(repeating: 0, count: bytes)
            mask = address
        }
        /// Address and mask as they stand in a certificate, one after the other.
        init?(encoded: [UInt8]) {
            guard encoded.count == 8 || encoded.count == 32 else { return nil }
            address = Array(encoded.prefix(encoded.count / 2))
            mask = Array(encoded.suffix(encoded.count / 2))
        }

        func contains(_ other: IPAddress) -> Bool {
            other.bytes.count == address.count
                && zip(other.bytes, zip(address, mask)).allSatisfy { $0 & $1.1 == $1.0 & $1.1 }
        }

        /// The one address in it, when it is only one.
        var single: IPAddress? { mask.allSatisfy { $0 == 0xff } ? IPAddress(bytes: address) : nil }
    }

    var permittedDomains: [String] = []
    var permittedAddresses: [Block] = []
    var excludedDomains: [String] = []
    var excludedAddresses: [Block] = []

    /// What a CA that is lent to a CI machine may sign: these hosts, what lies under them, and nothing else.
    ///
    /// Domains without a leading dot (Erlang refuses that form); a domain under another of them is left out. All
    /// addresses of a family are excluded unless one of it is permitted.
    init(domains: [String], addresses: [IPAddress]) {
        let unique = Set(domains)
        permittedDomains = unique.filter { name in !unique.contains { name.hasSuffix("." + $0) } }.sorted()
        permittedAddresses = Set(addresses).sorted { $0.description < $1.description }.map { Block(only: $0) }
        if !addresses.contains(where: \.isIPv4) { excludedAddresses.append(Block(everyAddressOf: 4)) }
        if addresses.allSatisfy(\.isIPv4) { excludedAddresses.append(Block(everyAddressOf: 16)) }
    }

    func permits(_ host: HostName) -> Bool {
        if let address = host.address {
            if excludedAddresses.contains(where: { $0.contains(address) }) { return false }
            return permittedAddresses.isEmpty || permittedAddresses.contains { $0.contains(address) }
        }
        return permits(domain: host.text)
    }

    /// What is said of hosts is said of wildcards, too: their text is compared from the end.
    func permits(domain name: String) -> Bool {
        if excludedDomains.contains(where: { Self.isInside(name, $0) }) { return false }
        return permittedDomains.isEmpty || permittedDomains.contains { Self.isInside(name, $0) }
    }

    /// A domain holds itself and everything under it; one with a leading dot (not RFC 5280, but in use) only the rest.
    private static func isInside(_ name: String, _ domain: String) -> Bool {
        let domain = domain.lowercased()
        if domain.isEmpty { return true }
        if domain.hasPrefix(".") { return name.hasSuffix(domain) }
        return name == domain || name.hasSuffix("." + domain)
    }

    var der: [UInt8] {
        func subtrees(_ number: UInt8, _ domains: [String], _ blocks: [Block]) -> [[UInt8]] {
            let names = domains.map { DER.implicit(2, $0.utf8) } + blocks.map { DER.implicit(7, $0.address + $0.mask) }
            guard !names.isEmpty else { return [] }
            return [DER.implicit(number, constructed: true, Array(names.map { DER.sequence($0) }.joined()))]
        }
        return DER.sequence(
            subtrees(0, permittedDomains, permittedAddresses) + subtrees(1, excludedDomains, excludedAddresses))
    }

    /// The extension as pinproof writes it. Not critical: mbedTLS 2.28 and webpki 0.22.0 refuse it when it is.
    var certificateExtension: CertificateExtension {
        CertificateExtension(oid: OID.nameConstraints, critical: false, value: der)
    }
}

extension Certificate {
    /// The name constraints in this certificate, read back by OpenSSL; nil when it has none.
    func nameConstraints() throws(CAError) -> NameConstraints? {
        var critical: Int32 = 0
        guard let raw = unsafe X509_get_ext_d2i(x509, NID_name_constraints, &critical, nil) else {
            // −1: not there. Anything else: there, but not readable, or twice.
            if critical == -1 { return nil }
            throw CAError(.unusable, "the name constraints of \(subject) cannot be read")
        }
        let constraints = unsafe raw.assumingMemoryBound(to: NAME_CONSTRAINTS.self)
        defer { unsafe NAME_CONSTRAINTS_free(constraints) }
        var out = NameConstraints(domains: [], addresses: [])
        unsafe (out.permittedDomains, out.permittedAddresses) = Self.read(constraints.pointee.permittedSubtrees)
        unsafe (out.excludedDomains, out.excludedAddresses) = Self.read(constraints.pointee.excludedSubtrees)
        return out
    }

    package func hasNameConstraints() throws(CAError) -> Bool { try nameConstraints() != nil }

    private static func read(_ subtrees: OpaquePointer?) -> ([String], [NameConstraints.Block]) {
        var domains: [String] = []
        var blocks: [NameConstraints.Block] = []
        for index in unsafe 0..<max(0, pp_sk_GENERAL_SUBTREE_num(subtrees)) {
            guard let subtree = unsafe pp_sk_GENERAL_SUBTREE_value(subtrees, index),
                let (type, bytes) = unsafe GeneralName.read(subtree.pointee.base)
            else { continue }
            if type == GEN_DNS { domains.append(String(decoding: bytes, as: UTF8.self)) }
            if type == GEN_IPADD, let block = NameConstraints.Block(encoded: bytes) { blocks.append(block) }
        }
        return (domains, blocks)
    }
}

/// A GeneralName as OpenSSL parsed it.
enum GeneralName {
    /// Type and content of a dNSName or iPAddress; for other types the content is empty.
    static func read(_ name: UnsafePointer<GENERAL_NAME>?) -> (type: Int32, bytes: [UInt8])? {
        guard let name = unsafe name else { return nil }
        var type: Int32 = 0
        guard let value = unsafe GENERAL_NAME_get0_value(name, &type) else { return nil }
        guard type == GEN_DNS || type == GEN_IPADD else { return (type, []) }
        return unsafe (type, Certificate.bytes(of: UnsafePointer(value.assumingMemoryBound(to: ASN1_STRING.self))))
    }
}
