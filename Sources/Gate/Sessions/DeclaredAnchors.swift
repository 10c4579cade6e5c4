import Authority
import Facts
import Policy
import TLS

/// The roots that a profile says the app trusts for a host, and no others (`anchors:`).
struct DeclaredAnchors {
    /// SPKI pins (base64) by rule.
    let pins: [HostPattern: Set<String>]
    private let authority: Set<String>

    /// Reads them, and refuses a CA that is one of them: then it *is* what the app trusts, and there is nothing to prove
    /// by the app's never trusting it.
    init(_ profile: Profile, _ authority: CertificateAuthority) throws {
        self.authority = [authority.root.spkiSHA256Base64, authority.issuing.spkiSHA256Base64]
        var pins: [HostPattern: Set<String>] = [:]
        for rule in profile.rules {
            for path in rule.anchors {
                let read = Set(try Certificate.readAll(path: path).map(\.spkiSHA256Base64))
                guard read.isDisjoint(with: self.authority) else {
                    throw GateError.anchorIsForgingCA(host: rule.pattern.description, path: path)
                }
                pins[rule.pattern, default: []].formUnion(read)
            }
        }
        self.pins = pins
    }

    /// For the run's header, so that a judge can check the same; nil where none are declared.
    var recorded: RunHeader.Anchors? {
        guard !pins.isEmpty else { return nil }
        let declared = pins.map { ($0.key.description, $0.value.sorted()) }
        return RunHeader.Anchors(
            declared: Dictionary(declared, uniquingKeysWith: { first, _ in first }), authority: authority.sorted())
    }
}
