import Facts

/// Every attack this version has, in the order they are tried.
public enum AttackCatalogue {
    public static let all: [Attack] = [
        .trustedCA, .untrustedCA, .wrongKey, .smuggledChain, .otherHost, .selfSigned, .expired, .notYetValid,
    ]

    public static func attack(_ id: AttackID) -> Attack? { all.first { $0.id == id } }
}
