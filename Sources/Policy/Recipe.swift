import Facts

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
        /// CAs that read as those of the genuine chain.
        case imitating(Imitation)
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
        /// A CA that has ended.
        case ended
        /// CAs with names of our own, as many as the genuine chain has between leaf and anchor, each with the key type,
        /// dates and extensions of the one in its place.
        case inTheGenuineShape

        static let genuineIssuerLookalikes = imitating(Imitation())
    }
    /// How near CAs come to the genuine ones whose names they have.
    package struct Imitation: Hashable, Sendable {
        package enum Identifiers: Hashable, Sendable {
            /// The leaf's issuer has the genuine one's, those above it have their own: a client that holds the genuine ones as
            /// anchors would take them for the issuers, and stop at the signature.
            case ofTheLeafsIssuer
            /// Each has its own, and is told apart from the genuine one: to be shown beside it, or to clients that hold it.
            case own
            /// Each has the genuine one's, the root's too.
            case genuine
        }

        package var identifiers = Identifiers.ofTheLeafsIssuer
        /// There is one for the root as well; else the list is as long as the genuine one.
        package var hasRoot = true
        /// The highest of them has ended, as a root's cross-signed certificate may have.
        package var hasEnded = false

        package init(
            identifiers: Identifiers = .ofTheLeafsIssuer, hasRoot: Bool = true, hasEnded: Bool = false
        ) {
            self.identifiers = identifiers
            self.hasRoot = hasRoot
            self.hasEnded = hasEnded
        }
    }
    /// Whose subject, serial, dates, names and extensions the leaf carries.
    package enum Identity: Hashable, Sendable {
        case own, genuine
        /// The genuine subject, dates, names and extensions, with a serial number of its own.
        case likeTheGenuine
        /// The genuine subject, names and extensions, with a serial number and dates as of a certificate that has just been
        /// issued in the place of the genuine one.
        case renewed
        /// Its own, and in an extension the genuine leaf's public key.
        case ownBesideTheGenuineKey
    }
    package enum Name: Hashable, Sendable {
        case target
        /// `other-host.pinproof.invalid`: reserved (RFC 6761), and permitted by constrained CAs too.
        case decoy
        /// The target as an alternative name, in a subject without a common name.
        case noCommonName
        /// The target as an alternative name, and another host as the common name: one that the app knows and does not pin; nil:
        /// the decoy.
        case foreignCommonName(HostName?)
        /// The target as the second alternative name, behind such a host.
        case second(HostName?)
        /// A wildcard over the domain that the target is in.
        case wildcard
        /// The target as the subject's common name, and no alternative name.
        case commonNameOnly
        /// The target, a NUL, and then the decoy: what ends at the NUL reads the target.
        case beforeNUL
        /// A wildcard over the target's top-level domain.
        case topLevelWildcard
        /// The domain that the target is in.
        case parentDomain
        /// The target, and behind it what these patterns stand for, as far as the CA may sign for that.
        case targetBeside([HostPattern])
        /// The target in capital letters, which a comparison of names makes no difference of (RFC 4343 §3).
        case capitals
        /// The target and what a machine calls itself, in a subject without an organization.
        case besideLocal([HostName])
        /// Another host that the app knows and does not pin, and not the target; nil: the decoy.
        case known(HostName?)
        /// Two names that the target is a part of: at the end of one, and at the beginning of the other.
        case affixed
    }
    package enum Validity: Hashable, Sendable {
        case current, expired, notYetValid
        /// From the day before this one on, for as long as public CAs will (SC-081v3: 47 days) at most.
        case around(CalendarDate)
    }
    package enum Purpose: Hashable, Sendable { case server, client }
    /// How the leaf's certificate is signed.
    package enum Signature: Hashable, Sendable {
        case sound
        /// By the right key, and then changed.
        case corrupted
        case byAnotherKey
        /// By two zeros, which any message and key fit where nobody looks whether they are zeros (CVE-2022-21449).
        case zeros
        case sha1, md5
    }
    package enum Key: Hashable, Sendable {
        case own
        /// RSA, where the client can verify it.
        case rsa
        case rsa1024
        /// RSA of 3072 bits, or on P-384 where the genuine leaf has the former; where the client can verify it.
        case unusualSize
        /// On P-384, or on P-521 where the genuine leaf has the former; where the client can verify it.
        case unusualCurve
        /// Of our own, of the genuine leaf's type and size.
        case likeTheGenuine
        /// The same; where a backup key is lent for the host, of that one's type and size: the two differ in nothing else.
        case likeTheLentOrGenuine
        /// The genuine leaf's public key with a private key that does not belong to it.
        case genuineWithoutItsPrivateKey
        /// The genuine leaf's public key, with signatures of two zeros; where it is no ECDSA key, as the one before.
        case genuineSigningZeros
        /// The lent backup key, which the app pins.
        case lentBackup
        /// The lent chain of the same CA: its leaf's public key with a private key that does not belong to it.
        case sameCAWithoutItsPrivateKey
        /// The key of the lent chain for another name.
        case lentOtherHost
        /// The genuine leaf's public key, in a certificate of the signer's, with a private key that does not belong to it.
        case genuineInNewCertificate
        /// That of a chain of the team's own, which is presented as it is.
        case rehearsed(String)
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
        /// The forging CA's root, where the origin shows its own.
        case rootIfShown
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
    /// The leaf says that it is a CA.
    package var isAuthority: Bool
    /// The leaf has no extension but its names.
    package var isBare: Bool
    package var order: [Part]
    /// What the lint must find in the forged certificates: exactly these.
    package var defects: Set<LeafDefect>

    package init(
        signer: Signer = .trustedCA, subordinates: Subordinates = .none, identity: Identity = .own,
        name: Name = .target, validity: Validity = .current, purpose: Purpose = .server, signature: Signature = .sound,
        key: Key = .own, isAuthority: Bool = false, isBare: Bool = false,
        order: [Part] = [.leaf, .subordinates, .intermediates],
        defects: Set<LeafDefect> = []
    ) {
        self.signer = signer
        self.subordinates = subordinates
        self.identity = identity
        self.name = name
        self.validity = validity
        self.purpose = purpose
        self.signature = signature
        self.key = key
        self.isAuthority = isAuthority
        self.isBare = isBare
        self.order = order
        self.defects = defects
    }

    /// As near to the genuine chain as the CA allows, in everything but keys, signatures, serial numbers and the names of
    /// issuers: a client that refuses it has little else to dislike.
    package static let likeTheGenuine = Recipe(
        subordinates: .inTheGenuineShape, identity: .likeTheGenuine, key: .likeTheLentOrGenuine,
        order: [.leaf, .subordinates, .intermediates, .rootIfShown])

    /// The genuine leaf's names, dates and extensions over another key, among the genuine certificates: for who compares what can
    /// be copied, and for who looks for a pin in the list as it is presented. The issuers' identifiers are their own, so that
    /// whoever builds a path by them finds the right ones.
    package static let cloneAmongTheGenuine = Recipe(
        subordinates: .imitating(.init(identifiers: .own)), identity: .genuine, key: .likeTheGenuine,
        order: [.leaf, .shownIssuers, .subordinates, .intermediates, .genuineChain])

    /// The genuine chain's names, dates and extensions with a defect: a client may forgive it to what it takes for its
    /// own server's certificate, and to no other.
    package static func clone(
        signer: Signer = .trustedCA, subordinates: Subordinates = .genuineIssuerLookalikes, name: Name = .target,
        validity: Validity = .current, purpose: Purpose = .server,
        order: [Part] = [.leaf, .subordinates, .intermediates],
        defects: Set<LeafDefect>
    ) -> Recipe {
        Recipe(
            signer: signer, subordinates: subordinates, identity: .genuine, name: name, validity: validity,
            purpose: purpose, key: .likeTheGenuine, order: order, defects: defects)
    }

    /// The same over a short chain of our own, for a genuine one that none can be made like. nil where its likeness to
    /// that one is the point, or it has none.
    package var plain: Recipe? {
        var plain = self
        switch (identity, subordinates) {
        case (.likeTheGenuine, .inTheGenuineShape): plain.subordinates = .none
        case (.genuine, .elsewhereOnly), (.genuine, .tooMany): break
        case (.genuine, .imitating(let imitation)) where imitation.hasEnded: plain.subordinates = .ended
        case (.genuine, .genuineIssuerLookalikes), (.genuine, .none):
            guard !defects.subtracting([.untrustedIssuer]).isEmpty else { return nil }
            plain.subordinates = .none
        default: return nil
        }
        plain.identity = .own
        if key == .likeTheGenuine { plain.key = .own }
        plain.order.removeAll { $0 == .rootIfShown }
        return plain
    }

    /// What a machine calls itself, for `Name.besideLocal`.
    package static let localNames = ["localhost", "127.0.0.1"].compactMap { HostName($0) }

    /// The host used by `Name.decoy`.
    package static let decoyName = "other-host.pinproof.invalid"

    /// The origin's chain is a part of it, or a model for it.
    package var usesGenuineChain: Bool {
        signer == .genuineIssuerInName || [.genuine, .likeTheGenuine, .renewed].contains(identity)
            || [.likeTheGenuine, .genuineWithoutItsPrivateKey, .genuineSigningZeros, .unusualSize, .unusualCurve]
                .contains(key)
            || key == .genuineInNewCertificate
            || order.contains {
                $0 == .genuineChain || $0 == .genuineLeaf || $0 == .genuineIssuers
                    || $0 == .shownIssuers
            }
    }

    /// What signed the leaf has the name of the genuine issuer, or of one above it, and another key.
    ///
    /// Who looks for an anchor by its name alone finds the genuine one, and then the signature does not verify with its key.
    package var namesGenuineIssuers: Bool {
        switch subordinates {
        case .imitating: true
        case .none, .endEntity, .unconstrainedEndEntity, .elsewhereOnly, .tooMany, .rsa, .ended, .inTheGenuineShape:
            false
        }
    }

    /// Nobody here has the private key of what is presented: the handshake's signature cannot verify.
    package var imitatesKey: Bool {
        switch key {
        case .genuineWithoutItsPrivateKey, .genuineSigningZeros, .sameCAWithoutItsPrivateKey, .genuineInNewCertificate:
            true
        default: false
        }
    }
}
