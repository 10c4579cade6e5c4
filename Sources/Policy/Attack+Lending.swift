extension Attack {
    /// None of its forms can be shown without something that is lent for a host.
    package var needsLending: Bool { variants.allSatisfy { $0.recipe.key.isLent } }
}

extension Recipe.Key {
    fileprivate var isLent: Bool {
        switch self {
        case .lentBackup, .lentOtherHost, .sameCAWithoutItsPrivateKey, .rehearsed: true
        case .own, .rsa, .rsa1024, .unusualSize, .unusualCurve, .likeTheGenuine, .likeTheLentOrGenuine,
            .genuineWithoutItsPrivateKey, .genuineSigningZeros, .genuineInNewCertificate:
            false
        }
    }
}
