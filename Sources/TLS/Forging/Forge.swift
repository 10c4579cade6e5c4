import Facts
import Policy

/// Makes the chain that an attack presents for a host, and keeps it for the next connection.
///
/// Confined to one event loop; what is dear and shared is in `ForgeMaterial`. Every forged leaf is read back before it
/// is handed out: it has exactly the defects its recipe names, or the forge throws.
package final class Forge {
    /// Hosts times attacks that one loop is likely to meet again; see `ForgedChains` for what each takes. To forge a leaf
    /// once more takes less than the handshake that shows it.
    package static let cacheLimit = 256

    let material: ForgeMaterial
    private let lint: LeafLint
    private var cache: ForgedChains<Key>
    /// Answers that were stapled, some 600 bytes each.
    var staples: BoundedCache<StapleKey, [UInt8]>

    private struct Key: Hashable {
        let host: HostName
        let attack: AttackID
        /// By which a host that is not attacked is told from one that is: both meet `trusted-ca`.
        let recipe: Recipe
        let rsaLeaf: Bool
        let takes: LeafKeyTypes
        let isVerified: Bool
        /// The origin's chain where the recipe uses it; else empty.
        let genuine: [String]
    }

    private typealias Entry = ForgedChains<Key>.Entry

    /// Seconds by which the clock may have been set back since a chain was made: leaves are backdated by two days.
    private static let setBack = 86_400.0

    /// A signature of the trusted CA.
    private var hasVerified = false

    /// What one chain is made for.
    private struct Order {
        var recipe: Recipe
        let host: HostName
        let rsaLeaf: Bool
        let takes: LeafKeyTypes
        let genuine: GenuineChain?
        let now: Double
        let isVerified: Bool
        /// Nothing could be made like the genuine chain.
        var isPlainInstead = false

        /// The origin's own leaf, where the forged one passes for it.
        var model: Certificate? {
            switch recipe.identity {
            case .genuine, .likeTheGenuine, .renewed: genuine?.certificates.first
            case .own, .ownBesideTheGenuineKey: nil
            }
        }
    }

    package init(_ material: ForgeMaterial) {
        self.material = material
        lint = LeafLint(trusted: material.trusted.issuing, others: [material.untrusted.issuing])
        let authorities = [material.trusted, material.untrusted]
        cache = ForgedChains(limit: Self.cacheLimit, shared: authorities.flatMap { [$0.root, $0.issuing] })
        staples = BoundedCache(limit: Self.cacheLimit)
    }

    /// The chain to present.
    ///
    /// - Parameters:
    ///   - rsaLeaf: the leaf's key is RSA where the recipe leaves the choice; a recipe that asks for RSA gets it only so.
    ///   - takes: other types of keys than P-256 that the client can verify.
    ///   - genuine: the chain of the origin; needed by recipes that present or imitate it.
    ///   - verifies: the leaf's signature as well, each time and not once alone. A verdict hangs on it; to a debugging session it
    ///     is as much work as the rest of forging.
    package func chain(
        for host: HostName, attack: Attack, variant: Attack.Variant, rsaLeaf: Bool,
        takes: LeafKeyTypes = .all, genuine: GenuineChain?, now: Double, verifies: Bool = true
    ) throws(ForgeError) -> PresentedChain {
        let recipe = variant.recipe
        let genuine = recipe.usesGenuineChain ? genuine : nil
        let key = Key(
            host: host, attack: attack.id, recipe: recipe, rsaLeaf: rsaLeaf, takes: takes,
            isVerified: verifies,
            genuine: genuine.map { $0.sha256.prefix(1) + $0.issuers.map(\.sha256) } ?? [])
        if let entry = cache.entry(key, now: now) { return entry.chain }
        guard !recipe.usesGenuineChain || genuine?.certificates.isEmpty == false else { throw .noGenuineChain(host) }
        let entry = try makeOrPlain(
            Order(
                recipe: recipe, host: host, rsaLeaf: rsaLeaf, takes: takes, genuine: genuine, now: now,
                isVerified: verifies))
        cache.set(key, entry)
        return entry.chain
    }

    /// Something odd about the genuine chain is no reason to show none: a plain one is, and it is told.
    private func makeOrPlain(_ order: Order) throws(ForgeError) -> Entry {
        do throws(ForgeError) {
            return try make(order)
        } catch {
            guard error.isOfLikeness, let plain = order.recipe.plain else { throw error }
            var order = order
            order.recipe = plain
            order.isPlainInstead = true
            return try make(order)
        }
    }

    private func make(_ order: Order) throws(ForgeError) -> Entry {
        switch order.recipe.key {
        case .genuineWithoutItsPrivateKey, .genuineSigningZeros: return try imitate(order)
        case .sameCAWithoutItsPrivateKey:
            guard let chain = material.lent[order.host]?.sameCAChain else {
                throw .nothingLent(order.host, .sameCAChain)
            }
            return Entry(chain: chain, fresh: ForgedChains<Key>.always)
        case .lentOtherHost:
            guard let chain = material.lent[order.host]?.otherHost else { throw .nothingLent(order.host, .otherHost) }
            return Entry(chain: chain, fresh: ForgedChains<Key>.always)
        case .rehearsed(let name):
            guard let chain = material.lent.rehearsed[name] else { throw .nothingRehearsed(name) }
            return Entry(chain: chain, fresh: ForgedChains<Key>.always)
        case .own, .rsa, .rsa1024, .unusualSize, .unusualCurve, .likeTheGenuine, .likeTheLentOrGenuine,
            .lentBackup, .genuineInNewCertificate:
            return try forge(order)
        }
    }

    private func forge(_ order: Order) throws(ForgeError) -> Entry {
        var recipe = order.recipe
        recipe.name = material.trusted.permitted(recipe.name)
        if let obstacle = material.trusted.obstacle(to: recipe, for: order.host) { throw obstacle }
        do {
            let authority = authority(recipe.signer)
            let subordinates = try authority.map {
                try SubordinateChain(
                    recipe.subordinates, under: $0, genuine: order.genuine, material: material,
                    isTimeless: recipe.validity != .current, now: order.now)
            }
            var issuer = subordinates?.issuer
            if recipe.signer == .genuineIssuerInName, let chain = order.genuine { issuer = try inName(of: chain) }
            var specification = try LeafSpecification(
                LeafName(recipe.name, for: order.host), recipe.validity, key: leafKey(order), issuer: issuer,
                begin: material.trusted.notBefore, end: material.trusted.notAfter, now: order.now)
            if recipe.purpose == .client { specification.purpose = .clientAuth }
            if recipe.isAuthority { specification.constraints = .authority(pathLength: 0) }
            specification.isBare = recipe.isBare
            try takeOver(order, authority, subordinates, &specification)
            let leaf = try specification.make(recipe.signature)
            let below = subordinates?.certificates ?? []
            let found = lint.defects(
                of: leaf, below: below, like: order.model, resembling: .init(recipe.identity), named: recipe.name,
                for: order.host, now: order.now, verifies: order.isVerified || !hasVerified)
            guard found == recipe.defects else {
                throw ForgeError.lint(order.host, intended: recipe.defects, found: found)
            }
            if recipe.signer == .trustedCA, !found.contains(.badSignature) { hasVerified = true }
            let certificates = arrange(order, leaf, below)
            var unlike = order.isPlainInstead ? ["plain-chain"] : []
            if order.model != nil, let genuine = order.genuine {
                unlike = Likeness(of: certificates, to: genuine, under: authority?.root).differences
            }
            let above = below.first ?? authority?.issuing
            let responder = OCSPResponder(
                name: leaf.issuerDER, key: specification.signer,
                signature: issuer?.signature ?? CertificateAuthority.signature(for: specification.signer),
                serial: leaf.serial, certificate: above.flatMap { certificates.contains($0) ? nil : $0 })
            let until = specification.freshUntil(recipe.validity, now: order.now)
            return Entry(
                chain: PresentedChain(
                    certificates: certificates, key: specification.key.key, unlike: unlike, voucher: .issuer(responder)),
                fresh: order.now - Self.setBack..<max(order.now, until))
        } catch let error as ForgeError {
            throw error
        } catch let error as OpenSSLError {
            throw .openSSL(error)
        } catch {
            throw .openSSL(OpenSSLError(operation: "forge a certificate: \(error)", entries: []))
        }
    }

    /// What of the genuine leaf the forged one says of itself.
    private func takeOver(
        _ order: Order, _ authority: CertificateAuthority?, _ subordinates: SubordinateChain?,
        _ specification: inout LeafSpecification
    ) throws(OpenSSLError) {
        if order.recipe.identity == .ownBesideTheGenuineKey {
            specification.keyBeside = order.genuine?.certificates.first?.publicKeyDER
        }
        guard let model = order.model else { return }
        let names =
            order.recipe.name == .target
            ? try ClonedNames.of(model, for: order.host, under: authority)
            : LeafName(order.recipe.name, for: order.host).alternative
        if order.recipe.identity == .likeTheGenuine, let subordinates {
            try specification.take(
                likenessOf: model, names: names, from: subordinates.begin,
                until: min(material.trusted.notAfter, subordinates.issuer.notAfter), now: order.now)
        } else if order.recipe.identity == .renewed {
            let end = min(material.trusted.notAfter, subordinates?.issuer.notAfter ?? .max)
            try specification.take(renewalOf: model, names: names, until: end, now: order.now)
        } else {
            try specification.take(identityOf: model, names: names, now: order.now)
        }
    }

    private func leafKey(_ order: Order) throws -> LeafKey {
        let usual = order.rsaLeaf ? KeyType.rsa(bits: 2048) : .p256
        let genuine = order.genuine?.certificates.first?.keyType
        switch order.recipe.key {
        case .rsa1024: return try material.leafKey(.rsa(bits: 1024))
        case .unusualSize:
            return try material.leafKey(firstTaken([.rsa(bits: 3072), .p384], besides: genuine, order) ?? usual)
        case .unusualCurve:
            return try material.leafKey(firstTaken([.p384, .p521], besides: genuine, order) ?? usual)
        case .lentBackup:
            guard let lent = material.lent[order.host]?.backupKey else {
                throw ForgeError.nothingLent(order.host, .backupKey)
            }
            return lent
        case .genuineInNewCertificate: return LeafKey(try genuineKeyAlone(order))
        case .likeTheGenuine: return try material.leafKey(nearest(genuine, order) ?? usual)
        case .likeTheLentOrGenuine:
            let lent = material.lent[order.host]?.backupKey?.key.type
            return try material.leafKey(nearest(lent ?? genuine, order) ?? usual)
        default: return try material.leafKey(usual)
        }
    }

    /// The genuine leaf's public key, which anybody can put into a certificate, with a private key that does not belong to it.
    private func genuineKeyAlone(_ order: Order) throws -> PrivateKey {
        guard let leaf = order.genuine?.certificates.first else { throw ForgeError.noGenuineChain(order.host) }
        let key: PrivateKey
        do throws(ImitationError) { key = try PrivateKey.withoutItsPrivateKey(publicOf: leaf) } catch {
            throw ForgeError.cannotImitate(error)
        }
        guard key.signsWhatItsCertificateRefuses else { throw ForgeError.imitationIsNoMismatch(order.host) }
        return key
    }

    /// The first of these types that the genuine leaf does not have, and that the client can verify.
    private func firstTaken(_ types: [KeyType], besides genuine: KeyType?, _ order: Order) -> KeyType? {
        types.first { $0 != genuine && nearest($0, order) == $0 }
    }

    /// The nearest type that the client can verify: what it takes of the origin it mostly takes of us, but an origin may
    /// have shown us another certificate than it would have shown the client.
    private func nearest(_ type: KeyType?, _ order: Order) -> KeyType? {
        guard let type = type?.imitated else { return nil }
        if order.rsaLeaf { if case .rsa = type { return type } else { return nil } }
        return order.takes.has(type) ? type : nil
    }

    /// The genuine leaf's issuer with a key of ours: only the signature tells.
    private func inName(of genuine: GenuineChain) throws -> Issuer? {
        guard let leaf = genuine.certificates.first else { return nil }
        let style = leaf.issuerStyle(of: genuine.path.first)
        let key = try material.issuerKey(style.key, under: material.trusted)
        return Issuer(
            name: leaf.issuerDER, keyIdentifier: leaf.authorityKeyIdentifier ?? key.identifier, key: key.key,
            signature: style.signature, notAfter: .max)
    }

    /// The genuine chain under a key that is not its own. Nothing forged is presented, so nothing is linted; that the
    /// key does not belong to the certificate is checked by a signature.
    private func imitate(_ order: Order) throws(ForgeError) -> Entry {
        guard let leaf = order.genuine?.certificates.first else { throw .noGenuineChain(order.host) }
        let key: PrivateKey
        do throws(ImitationError) {
            // Other kinds of keys have no such signature.
            let hasZeros = order.recipe.key == .genuineSigningZeros && KeyType.tlsCurves.contains(leaf.keyType)
            key =
                try hasZeros
                ? PrivateKey.signingZeros(publicOf: leaf) : PrivateKey.withoutItsPrivateKey(publicOf: leaf)
        } catch {
            throw .cannotImitate(error)
        }
        guard key.matches(leaf), key.signsWhatItsCertificateRefuses else { throw .imitationIsNoMismatch(order.host) }
        return Entry(
            chain: PresentedChain(certificates: arrange(order, nil, []), key: key, voucher: .origin),
            fresh: ForgedChains<Key>.always)
    }

    private func authority(_ signer: Recipe.Signer) -> CertificateAuthority? {
        switch signer {
        case .trustedCA: material.trusted
        case .untrustedCA: material.untrusted
        case .leafItself, .genuineIssuerInName: nil
        }
    }

    /// A look-alike of the genuine root is presented with those of the other issuers. A CA that bears its name is that one.
    private func rootInItsPlace(_ order: Order, _ authority: CertificateAuthority?) -> [Certificate] {
        guard case .imitating(let imitation) = order.recipe.subordinates, imitation.hasRoot,
            imitation.identifiers != .own, let authority, let genuine = order.genuine?.path.last?.subjectDER,
            authority.signs(as: genuine)
        else { return [] }
        return [authority.root]
    }

    private func arrange(_ order: Order, _ leaf: Certificate?, _ subordinates: [Certificate]) -> [Certificate] {
        let authority = authority(order.recipe.signer)
        var out: [Certificate] = []
        for part in order.recipe.order {
            switch part {
            case .leaf: out += leaf.map { [$0] } ?? []
            case .subordinates: out += subordinates + rootInItsPlace(order, authority)
            case .intermediates: out += authority?.presentedIntermediates ?? []
            // A lent CA that another one issued stands among the intermediates already.
            case .root: out += authority.map { out.contains($0.root) ? [] : [$0.root] } ?? []
            case .rootIfShown:
                if order.genuine?.showsRoot ?? false {
                    out += authority.map { out.contains($0.root) ? [] : [$0.root] } ?? []
                }
            case .genuineChain: out += order.genuine?.certificates ?? []
            case .genuineLeaf: out += order.genuine?.certificates.prefix(1) ?? []
            case .shownIssuers: out += order.genuine?.certificates.dropFirst() ?? []
            case .genuineIssuers: out += order.genuine?.issuers ?? []
            // Presented whole, as they were lent.
            case .sameCAChain, .otherHostChain: break
            }
        }
        return out
    }
}
