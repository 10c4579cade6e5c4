import Facts

/// The digests of one certificate that pins are compared with.
package struct CertificateDigests: Hashable, Sendable {
    /// Those at hand.
    package var digests: [DeclaredPin.Kind: [UInt8]]

    package init(_ digests: [DeclaredPin.Kind: [UInt8]]) { self.digests = digests }

    package init(spkiSHA256: [UInt8]) { digests = [.spkiSHA256: spkiSHA256] }
}

extension EffectivePins {
    /// Whether the platform lets a chain pass that it has verified already.
    ///
    /// `unknown` where a pin is not at hand, or a digest that it would have to be compared with.
    /// - Parameters:
    ///   - chain: the server's own first, the anchor last.
    ///   - isComplete: false where the chain is the one that the server sends, and the platform would find more issuers.
    ///   - day: today; nil: pins do not expire.
    package func accepts(_ chain: [CertificateDigests], isComplete: Bool = true, on day: CalendarDate? = nil) -> Answer
    {
        guard refuses(on: day) else { return .yes }
        guard !chain.isEmpty else { return .unknown }
        let all = answer(chain, isComplete)
        // iOS gives the pins to TrustKit, where the nearest entry counts, and Android to OkHttp, which unites them.
        guard format == .reactNative, let nearest, entries.count > 1 else { return all }
        let alone = EffectivePins(format: format, entries: [nearest]).answer(chain, isComplete)
        return alone == all ? all : .unknown
    }

    private var nearest: DeclaredHost? {
        entries.max { ($0.domain?.utf8.count ?? 0) < ($1.domain?.utf8.count ?? 0) }
    }

    private func answer(_ chain: [CertificateDigests], _ isComplete: Bool) -> Answer {
        switch combination {
        case .anyPin:
            let answer = Self.answer(pins, chain, isComplete)
            return answer == .no && !pinsKnown ? .unknown : answer
        case .everyList:
            let lists = [pins(.leaf), pins(.ca), pins(.any)].filter { !$0.isEmpty }
            guard !lists.isEmpty else { return pinsKnown ? .no : .unknown }
            let answers = lists.map { Self.answer($0, chain, isComplete) }
            // A pin that is not at hand may save its own list, or be the first of one more.
            if !pinsKnown { return .unknown }
            return answers.contains(.no) ? .no : answers.contains(.unknown) ? .unknown : .yes
        }
    }

    /// Whether one pin of a list is that of a certificate.
    private static func answer(
        _ pins: [DeclaredPin], _ chain: [CertificateDigests], _ isComplete: Bool
    ) -> Answer {
        var mayMatch = false
        for pin in pins {
            guard let digest = pin.digest else { continue }
            let compared =
                switch pin.part {
                case .any: chain[...]
                case .leaf: chain.prefix(1)
                case .ca: chain.dropFirst()
                }
            for certificate in compared {
                guard let found = certificate.digests[pin.kind] else {
                    mayMatch = true
                    continue
                }
                if found == digest { return .yes }
            }
            if !isComplete, pin.part != .leaf { mayMatch = true }
        }
        return mayMatch ? .unknown : .no
    }
}
