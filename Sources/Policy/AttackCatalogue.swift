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

    package static func attack(_ id: AttackID) -> Attack? { all.first { $0.id == id } }
}
