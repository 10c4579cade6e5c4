/// What a forged chain is made of; all that is not named is as in an honest server's.
package struct Recipe: Hashable, Sendable {
    package enum Signer: Hashable, Sendable {
        case trustedCA, untrustedCA, leafItself
        /// The genuine leaf's issuer, by name and key identifier; the signature is a key of ours.
        case genuineIssuerInName
    }
    /// Certificates made for this chain alone, which stand between the signer and the leaf.
    package enum Subordinates: Hashable, Sendable {
        case none
        /// CAs that read as those of the genuine chain, up to its root.
        case genuineIssuerLookalikes
        /// The same, told apart from those by their key identifiers, to be shown beside them.
        case genuineIssuerNamesakes
        /// The decoy's own certificate, which says that it is no CA.
        case endEntity
        /// The decoy's own certificate, which says nothing of what it may sign.
        case unconstrainedEndEntity
        /// A CA for the decoy's domain, and no other.
        case elsewhereOnly
        /// One CA more than the path length of the one above it allows.
        case tooMany
        /// A CA with an RSA key: ECDSA knows no signature with MD5.
        case rsa
    }
    /// Whose subject, serial, dates, names and extensions the leaf carries.
    package enum Identity: Hashable, Sendable {
        case own, genuine
        /// Its own, and in an extension the genuine leaf's public key.
        case ownBesideTheGenuineKey
    }
    package enum Name: Hashable, Sendable {
        case target
        /// `other-host.pinproof.invalid`: reserved (RFC 6761), and permitted by constrained CAs too.
        case decoy
        /// The target as the subject's common name, and no alternative name.
        case commonNameOnly
        /// The target, a NUL, and then the decoy: what ends at the NUL reads the target.
        case beforeNUL
        /// A wildcard over the target's top-level domain.
        case topLevelWildcard
        /// The domain that the target is in.
        case parentDomain
    }
    package enum Validity: Hashable, Sendable { case current, expired, notYetValid }
    package enum Purpose: Hashable, Sendable { case server, client }
    /// How the leaf's certificate is signed.
    package enum Signature: Hashable, Sendable {
        case sound
        /// By the right key, and then changed.
        case corrupted
        case byAnotherKey
        case sha1, md5
    }
    package enum Key: Hashable, Sendable {
        case own
        /// RSA, where the client can verify it.
        case rsa
        case rsa1024
        /// Of a type that neither the genuine leaf has nor an own one, where the client can verify it.
        case unusual
        /// Of our own, of the genuine leaf's type and size.
        case likeTheGenuine
        /// The genuine leaf's public key with a private key that does not belong to it.
        case genuineWithoutItsPrivateKey
        /// The lent backup key, which the app pins.
        case lentBackup
        /// The lent chain of the same CA: its leaf's public key with a private key that does not belong to it.
        case sameCAWithoutItsPrivateKey
        /// The key of the lent chain for another name.
        case lentOtherHost
    }
    /// A piece of the presented list, in order.
    package enum Part: Hashable, Sendable {
        case leaf
        /// The certificates made for this chain alone, the leaf's issuer first.
        case subordinates
        /// The forging CA's certificates between leaf and root; none for a CA that signs directly.
        case intermediates
        case root
        /// The origin's own chain, as it was shown to us.
        case genuineChain
        case genuineLeaf
        /// What the origin showed above its leaf, and the anchor it was verified by.
        case genuineIssuers
        /// What the origin showed above its leaf, and no more.
        case shownIssuers
        /// The lent chain of the same CA.
        case sameCAChain
        /// The lent chain for another name.
        case otherHostChain
    }

    package var signer: Signer
    package var subordinates: Subordinates
    package var identity: Identity
    package var name: Name
    package var validity: Validity
    package var purpose: Purpose
    package var signature: Signature
    package var key: Key
    package var order: [Part]
    /// What the lint must find in the forged certificates: exactly these.
    package var defects: Set<LeafDefect>

    package init(
        signer: Signer = .trustedCA, subordinates: Subordinates = .none, identity: Identity = .own,
        name: Name = .target, validity: Validity = .current, purpose: Purpose = .server, signature: Signature = .sound,
        key: Key = .own, order: [Part] = [.leaf, .subordinates, .intermediates], defects: Set<LeafDefect> = []
    ) {
        self.signer = signer
        self.subordinates = subordinates
        self.identity = identity
        self.name = name
        self.validity = validity
        self.purpose = purpose
        self.signature = signature
        self.key = key
        self.order = order
        self.defects = defects
    }

    /// The host used by `Name.decoy`.
    package static let decoyName = "other-host.pinproof.invalid"

    /// The origin's chain is a part of it, or a model for it.
    package var usesGenuineChain: Bool {
        signer == .genuineIssuerInName || identity == .genuine || key == .likeTheGenuine
            || key == .genuineWithoutItsPrivateKey
            || order.contains {
                $0 == .genuineChain || $0 == .genuineLeaf || $0 == .genuineIssuers
                    || $0 == .shownIssuers
            }
    }

    /// Nobody here has the private key of what is presented: the handshake's signature cannot verify.
    package var imitatesKey: Bool { key == .genuineWithoutItsPrivateKey || key == .sameCAWithoutItsPrivateKey }
}
