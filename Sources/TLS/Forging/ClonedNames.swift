import Facts

/// The alternative names of a clone: the genuine ones, as far as the CA may sign for them.
enum ClonedNames {
    /// - Parameter authority: nil where the leaf signs itself, for whatever names it likes.
    ///
    /// A name outside the CA's scope would be a reason of its own to refuse. The host is always among them.
    static func of(
        _ genuine: Certificate, for host: HostName, under authority: CertificateAuthority?
    ) throws(OpenSSLError) -> CertificateExtension {
        guard let found = try genuine.extensions().first(where: { $0.oid == OID.subjectAltName }) else {
            return .subjectAltName(host)
        }
        let authority = authority.flatMap { $0.isConstrained ? $0 : nil }
        if authority == nil, genuine.isFor(host) { return found }
        let value = found.value
        guard let outer = DERElement(value, at: 0), let names = DERElement.children(value, in: outer.content) else {
            return .subjectAltName(host)
        }
        var kept: [[UInt8]] = []
        var hasHost = false
        for name in names {
            let content = Array(value[name.content])
            guard permits(name.tag, content, authority) else { continue }
            kept.append(DER.tagged(name.tag, content))
            hasHost = hasHost || matches(name.tag, content, host)
        }
        if !hasHost {
            kept.append(host.address.map { DER.implicit(7, $0.bytes) } ?? DER.implicit(2, host.text.utf8))
        }
        return CertificateExtension(oid: found.oid, critical: found.critical, value: DER.sequence(kept))
    }

    /// Only names and addresses can be looked up in a CA's constraints; without constraints all may stay.
    private static func permits(_ tag: UInt8, _ content: [UInt8], _ authority: CertificateAuthority?) -> Bool {
        guard let authority else { return true }
        switch tag {
        case dnsName: return authority.permits(domain: text(content))
        case address: return IPAddress(bytes: content).map { authority.permits(HostName($0)) } ?? false
        default: return false
        }
    }

    private static func matches(_ tag: UInt8, _ content: [UInt8], _ host: HostName) -> Bool {
        if let wanted = host.address { return tag == address && content == wanted.bytes }
        guard tag == dnsName else { return false }
        let name = text(content)
        if name == host.text { return true }
        guard name.hasPrefix("*."), let dot = host.text.firstIndex(of: ".") else { return false }
        return host.text[dot...] == name.dropFirst()
    }

    private static func text(_ content: [UInt8]) -> String { String(decoding: content, as: UTF8.self).lowercased() }

    /// GeneralName's tags (RFC 5280 §4.2.1.6).
    private static let dnsName: UInt8 = 0x82
    private static let address: UInt8 = 0x87
}
