import Facts

/// Another version of the app, by the pins that its own files declare: it was not seen.
package struct ComparedBuild: Sendable, Hashable {
    /// As reports name it: `1.2.2`.
    package let name: String
    private let files: [PinFile]

    package init(name: String, files: [PinFile]) {
        self.name = name
        self.files = files
    }

    /// Those of each of its files that pins the host.
    private func effective(_ host: String) -> [EffectivePins] {
        files.flatMap(PlatformRules.of).map { $0.effective(for: host) }.filter { $0.isPinned && $0.isEnforced }
    }

    package func isPinned(_ host: String) -> Bool { !effective(host).isEmpty }

    /// SHA-256 of keys in base64, as profiles name them; pins of whole certificates are not among them.
    package func pins(_ host: String) -> Set<String> {
        Set(
            effective(host).flatMap(\.pins).filter { $0.kind == .spkiSHA256 }.compactMap(\.digest).map {
                Base64.encode($0)
            })
    }

    /// The days from which on pins of it are off.
    package func expiries(_ host: String) -> Set<CalendarDate> { Set(effective(host).compactMap(\.expires)) }

    /// Whether it goes with a chain on a day; nil where that is not known.
    package func takes(_ chain: ChainKeys, at host: String, on day: CalendarDate) -> Bool? {
        let answers = effective(host).map { $0.accepts(chain.digests, isComplete: chain.isWhole, on: day) }
        if answers.contains(.no) { return false }
        return answers.contains(.unknown) ? nil : true
    }
}

extension ChainKeys {
    /// What is not known is a key, or a certificate, that no pin names.
    fileprivate var digests: [CertificateDigests] {
        func key(_ base64: String?) -> [UInt8] { base64.flatMap { Base64.decoded(Array($0.utf8)[...]) } ?? [] }
        var server: [DeclaredPin.Kind: [UInt8]] = [:]
        for kind in DeclaredPin.Kind.allCases { server[kind] = [] }
        server[.spkiSHA256] = key(leaf)
        server[.certificateSHA256] = certificate.flatMap { Hex.decoded($0) } ?? []
        // Of a certificate and a key that are there, other hashes than SHA-256 are not at hand.
        if leaf != nil { server[.spkiSHA1] = nil }
        if certificate != nil { (server[.certificateSHA1], server[.certificateMD5]) = (nil, nil) }
        return [CertificateDigests(server)] + issuers.map { CertificateDigests(spkiSHA256: key($0)) }
    }
}
