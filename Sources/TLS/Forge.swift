import Facts
import Policy

/// Makes the chain that an attack presents for a host, and keeps it for the next connection.
///
/// Confined to one event loop; what is dear and shared is in `ForgeMaterial`. Every forged leaf is read back before it
/// is handed out: it has exactly the defects its recipe names, or the forge throws.
public final class Forge {
    /// Hosts times attacks that one loop is likely to meet; an entry is about 4 KB.
    public static let cacheLimit = 1024

    private let material: ForgeMaterial
    private let lint: LeafLint
    private var cache: BoundedCache<Key, Entry>

    private struct Key: Hashable {
        let host: HostName
        let attack: AttackID
        let variant: String?
        let rsaLeaf: Bool
        /// The origin's chain where the recipe uses it; else empty.
        let genuine: [String]
    }

    private struct Entry {
        let chain: PresentedChain
        let freshUntil: Double
    }

    public init(_ material: ForgeMaterial) {
        self.material = material
        lint = LeafLint(trusted: material.trusted.issuing, others: [material.untrusted.issuing])
        cache = BoundedCache(limit: Self.cacheLimit)
    }

    /// `genuine` is the chain as the origin showed it, leaf first; needed by recipes that present it.
    public func chain(
        for host: HostName, attack: Attack, variant: Attack.Variant, rsaLeaf: Bool, genuine: [Certificate], now: Double
    ) throws(ForgeError) -> PresentedChain {
        let recipe = variant.recipe
        let usesGenuine = recipe.order.contains(.genuineChain) || recipe.key == .genuineWithoutItsPrivateKey
        let key = Key(
            host: host, attack: attack.id, variant: variant.name, rsaLeaf: rsaLeaf,
            genuine: usesGenuine ? genuine.map(\.sha256) : [])
        if let entry = cache[key], now < entry.freshUntil { return entry.chain }
        guard !usesGenuine || !genuine.isEmpty else { throw .noGenuineChain(host) }
        let entry = try make(recipe, host, rsaLeaf, genuine, now)
        cache.set(key, entry)
        return entry.chain
    }

    private func make(
        _ recipe: Recipe, _ host: HostName, _ rsaLeaf: Bool, _ genuine: [Certificate], _ now: Double
    ) throws(ForgeError) -> Entry {
        guard recipe.key == .own else { return try imitate(host, genuine, recipe) }
        let (leaf, key, freshUntil) = try leaf(recipe, host, rsaLeaf, now)
        let chain = PresentedChain(
            certificates: arrange(recipe, leaf: leaf, genuine: genuine), key: key)
        return Entry(chain: chain, freshUntil: freshUntil)
    }

    private func leaf(
        _ recipe: Recipe, _ host: HostName, _ rsaLeaf: Bool, _ now: Double
    ) throws(ForgeError) -> (Certificate, PrivateKey, freshUntil: Double) {
        let issuer = authority(recipe.signer)
        let name = recipe.name == .decoy ? HostName(Recipe.decoyName) ?? host : host
        if let issuer, !issuer.permits(name) { throw .outsideScope(name, scope: issuer.scope) }
        do {
            let leafKey = try material.leafKey(rsa: rsaLeaf)
            let specification = try LeafSpecification(
                name, recipe.validity, key: leafKey, issuer: issuer, end: material.trusted.notAfter, now: now)
            let leaf = try specification.make()
            let found = lint.defects(of: leaf, for: host, now: now)
            guard found == recipe.defects else { throw ForgeError.lint(host, intended: recipe.defects, found: found) }
            return (leaf, leafKey.key, specification.freshUntil(recipe.validity, now: now))
        } catch let error as ForgeError {
            throw error
        } catch let error as OpenSSLError {
            throw .openSSL(error)
        } catch {
            throw .openSSL(OpenSSLError(operation: "forge a certificate: \(error)", entries: []))
        }
    }

    /// The genuine chain under a key that is not its own. Nothing forged is presented, so nothing is linted; that the
    /// key does not belong to the certificate is checked by a signature.
    private func imitate(_ host: HostName, _ genuine: [Certificate], _ recipe: Recipe) throws(ForgeError) -> Entry {
        guard let leaf = genuine.first else { throw .noGenuineChain(host) }
        let key: PrivateKey
        do throws(ImitationError) {
            key = try PrivateKey.withoutItsPrivateKey(publicOf: leaf)
        } catch {
            throw .cannotImitate(error)
        }
        guard key.matches(leaf), key.signsWhatItsCertificateRefuses else { throw .imitationIsNoMismatch(host) }
        let chain = PresentedChain(certificates: arrange(recipe, leaf: nil, genuine: genuine), key: key)
        return Entry(chain: chain, freshUntil: .infinity)
    }

    private func authority(_ signer: Recipe.Signer) -> CertificateAuthority? {
        switch signer {
        case .trustedCA: material.trusted
        case .untrustedCA: material.untrusted
        case .leafItself: nil
        }
    }

    private func arrange(_ recipe: Recipe, leaf: Certificate?, genuine: [Certificate]) -> [Certificate] {
        let authority = authority(recipe.signer)
        var out: [Certificate] = []
        for part in recipe.order {
            switch part {
            case .leaf: out += leaf.map { [$0] } ?? []
            case .intermediates: out += authority?.presentedIntermediates ?? []
            // A lent CA that another one issued stands among the intermediates already.
            case .root: out += authority.map { out.contains($0.root) ? [] : [$0.root] } ?? []
            case .genuineChain: out += genuine
            }
        }
        return out
    }
}
