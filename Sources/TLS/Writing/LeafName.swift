import Facts
import Policy

/// What a leaf says it is for, in the form that a recipe asks for.
struct LeafName {
    /// nil: it has no alternative name.
    let alternative: CertificateExtension?
    let commonName: String?
    /// The subject has an organization.
    let isOrganized: Bool
    /// What the CA must be allowed to sign for.
    let promise: Promise

    enum Promise: Hashable {
        case host(HostName)
        /// No host's name: a wildcard, or the end of one.
        case domain(String)
    }

    /// The longest common name X.520 allows.
    private static let longestCommonName = 64

    /// An honest leaf's.
    init(_ host: HostName) {
        self.init(.subjectAltName(host), Self.fitting(host), .host(host))
    }

    init(_ form: Recipe.Name, for host: HostName) {
        switch form {
        case .target: self.init(host)
        case .decoy: self.init(Self.decoy ?? host)
        case .noCommonName: self.init(.subjectAltName(host), nil, .host(host))
        case .foreignCommonName(let other):
            self.init(.subjectAltName(host), Self.fitting(other?.text ?? Recipe.decoyName), .host(host))
        case .second(let other):
            self.init(
                .subjectAltNames([other ?? Self.decoy, host].compactMap(\.self)), Self.fitting(host), .host(host))
        case .wildcard:
            let name = Self.wildcardBeside(host) ?? host.text
            self.init(.dnsName(Array(name.utf8)), Self.fitting(name), .domain(name))
        case .commonNameOnly: self.init(nil, Self.fitting(host.text), .host(host))
        case .beforeNUL:
            // No common name here and below: a client that falls back on it would have another reason to accept.
            let name = Array(host.text.utf8) + [0] + Array(".\(Recipe.decoyName)".utf8)
            self.init(.dnsName(name), nil, .host(Self.decoy ?? host))
        case .targetBeside(let patterns):
            self.init(.subjectAltNames([HostPattern(exactly: host)] + patterns), Self.fitting(host), .host(host))
        case .capitals:
            self.init(
                host.isIP ? .subjectAltName(host) : .dnsName(Array(host.text.uppercased().utf8)), nil, .host(host))
        case .besideLocal(let local):
            // A subject of nothing is another form, which some refuse for that (RFC 5280 §4.1.2.6).
            let commonName = Self.fitting(host)
            self.init(
                .subjectAltNames([host] + local.filter { $0 != host }), commonName, .host(host),
                isOrganized: commonName == nil)
        case .known(let other):
            // In the scope of every CA there is the decoy; a host always is a name.
            let name = other ?? Self.decoy ?? host
            self.init(.subjectAltName(name), Self.fitting(name), .host(name))
        case .affixed:
            self.init(.dnsNames(Self.affixed(host)), nil, .domain(Self.affixed(host)[0]))
        case .topLevelWildcard: self.init(domain: Self.wildcard(over: host))
        case .parentDomain: self.init(domain: Self.parent(of: host))
        }
    }

    private init(domain: String) { self.init(.dnsName(Array(domain.utf8)), nil, .domain(domain)) }

    private init(
        _ alternative: CertificateExtension?, _ commonName: String?, _ promise: Promise, isOrganized: Bool = true
    ) {
        self.isOrganized = isOrganized
        self.alternative = alternative
        self.commonName = commonName
        self.promise = promise
    }

    private static var decoy: HostName? { HostName(Recipe.decoyName) }

    private static func fitting(_ host: HostName) -> String? { host.isIP ? nil : fitting(host.text) }

    /// Another host in the target's own domain, and one in the decoy's, as anybody may have one.
    static func affixed(_ host: HostName) -> [String] { ["x-\(host.text)", "\(host.text).\(Recipe.decoyName)"] }

    /// A wildcard that names the host and what lies beside it; nil where that would be a whole top-level domain, or
    /// where the host has no domain.
    static func wildcardBeside(_ host: HostName) -> String? {
        let labels = host.text.split(separator: ".")
        guard !host.isIP, labels.count > 2 else { return nil }
        return "*." + labels.dropFirst().joined(separator: ".")
    }

    private static func fitting(_ name: String) -> String? { name.utf8.count > longestCommonName ? nil : name }

    /// `*.com`; for an IPv4 address everything but its first number is kept, for all else nothing. `*.com` names
    /// `example.com` rightly (RFC 9525 §6.3), so that one gets the star alone, too.
    private static func wildcard(over host: HostName) -> String {
        let labels = host.text.split(separator: ".")
        if host.isIP { return labels.count > 1 ? "*." + labels.dropFirst().joined(separator: ".") : "*" }
        guard let last = labels.last, labels.count > 2 else { return "*" }
        return "*.\(last)"
    }

    /// Without the first label; without the first character where there is but one.
    private static func parent(of host: HostName) -> String {
        let labels = host.text.split(separator: ".")
        if labels.count > 1 { return labels.dropFirst().joined(separator: ".") }
        let rest = host.text.dropFirst().drop { $0 == ":" }
        return rest.isEmpty ? Recipe.decoyName : String(rest)
    }
}

extension CertificateExtension {
    static func subjectAltName(_ host: HostName) -> Self { subjectAltNames([host]) }

    static func subjectAltNames(_ hosts: [HostName]) -> Self {
        let names = hosts.map { host in
            host.address.map { DER.implicit(7, $0.bytes) } ?? DER.implicit(2, host.text.utf8)
        }
        return Self(oid: OID.subjectAltName, critical: false, value: DER.sequence(names))
    }

    /// A wildcard of any depth becomes one for one label, which is all that a certificate can say (RFC 9525 §6.3).
    static func subjectAltNames(_ patterns: [HostPattern]) -> Self {
        Self(oid: OID.subjectAltName, critical: false, value: DER.sequence(patterns.map(\.generalName)))
    }

    static func dnsNames(_ names: [String]) -> Self {
        Self(
            oid: OID.subjectAltName, critical: false,
            value: DER.sequence(names.map { DER.implicit(2, $0.utf8) }))
    }

    /// One dNSName of any bytes.
    static func dnsName(_ bytes: [UInt8]) -> Self {
        Self(oid: OID.subjectAltName, critical: false, value: DER.sequence(DER.implicit(2, bytes)))
    }
}

extension HostPattern {
    /// As a certificate names it: a dNSName or an iPAddress, with its tag.
    fileprivate var generalName: [UInt8] {
        if let address = base.address { return DER.implicit(7, address.bytes) }
        return DER.implicit(2, certifiedName.utf8)
    }

    /// What stands in a dNSName.
    var certifiedName: String { scope == .exact ? base.text : "*." + base.text }
}
