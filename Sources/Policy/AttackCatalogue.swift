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

    /// Those that a safe client refuses: all but the control among them.
    package static let toBeRefused: [AttackID] = all.map(\.id).filter { $0 != Attack.lentKey.id }
}
