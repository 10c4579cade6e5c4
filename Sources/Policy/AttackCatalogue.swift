import Facts

/// Every attack this version has, in the order they are tried.
package enum AttackCatalogue {
    package static let all: [Attack] = [
        .trustedCA,
        .untrustedCA,
        .lentKey,
        .wrongKey,
        .smuggledChain,
        .clonedIdentity,
        .otherHost,
        .selfSigned,
        .expired,
        .notYetValid,
        .silentServer,
        .laterConnection,
        .resumedSession,
        .leafAsCA,
        .badSignature,
        .wrongUsage,
        .weakCrypto,
        .oldTLS,
        .cleartextFallback,
        .redirect,
    ]

    package static func attack(_ id: AttackID) -> Attack? { byID[id] }

    private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// Passthrough first, then as they are tried, then the unknown ones by name.
    package static func inOrder(_ ids: some Sequence<AttackID>) -> [AttackID] {
        let known = [.passthrough] + all.map(\.id)
        return ids.sorted {
            let (a, b) = (known.firstIndex(of: $0) ?? known.count, known.firstIndex(of: $1) ?? known.count)
            return a != b ? a < b : $0 < $1
        }
    }

    /// Those that a safe client refuses: all but the control among them.
    package static let toBeRefused: [AttackID] = all.map(\.id).filter { $0 != Attack.lentKey.id }
}
