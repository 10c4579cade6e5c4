import Facts
import Policy
import TLS

/// Reads what a profile lends, once before a run.
package struct LentReader {
    private var hosts: [HostName: LentMaterials.Host] = [:]
    private var warnings: [String] = []
    private let now: Double

    /// What the files that a profile names hold. One that cannot serve its purpose is an error that says what to do.
    package static func read(for profile: Profile, now: Double) throws(CAError) -> LentMaterials {
        var reader = LentReader(now: now)
        for (name, material) in profile.lent.sorted(by: { $0.key < $1.key }) {
            reader.hosts[name] = try reader.host(name, material, profile)
        }
        return LentMaterials(reader.hosts, warnings: reader.warnings)
    }

    private init(now: Double) { self.now = now }

    private mutating func host(
        _ name: HostName, _ material: LentMaterial, _ profile: Profile
    ) throws(CAError) -> LentMaterials.Host {
        var backupKey: PrivateKey?
        if let path = material.backupKey {
            let key = try Self.key(path)
            backupKey = key
            warn(unpinned: key, path, profile.rule(for: name)?.pins ?? [])
        }
        var sameCAChain: PresentedChain?
        if let path = material.sameCAChain {
            let chain = try chain(path, notFor: name, as: .sameCAChain)
            sameCAChain = PresentedChain(certificates: chain, key: try Self.imitation(ofKeyIn: chain[0], path))
        }
        var otherHost: PresentedChain?
        if let path = material.otherHost.first, let keyPath = material.otherHost.dropFirst().first {
            let chain = try chain(path, notFor: name, as: .otherHost)
            let key = try Self.key(keyPath)
            guard key.matches(chain[0]) else {
                throw CAError(
                    .mismatch, "\(keyPath): the key does not belong to \(chain[0].subject), the first in \(path)",
                    hint: "other_host wants a chain, the server's own certificate first, and then its key")
            }
            otherHost = PresentedChain(certificates: chain, key: key)
        }
        return LentMaterials.Host(backupKey: backupKey, sameCAChain: sameCAChain, otherHost: otherHost)
    }

    /// A key with which a server can prove itself, to clients of today.
    private static func key(_ path: String) throws(CAError) -> PrivateKey {
        let key = try PrivateKey.read(path: path, isLent: true)
        switch key.type {
        case .ec where KeyType.tlsCurves.contains(key.type): break
        case .rsa(let bits) where bits >= 2048: break
        case let type:
            throw CAError(
                .unusable, "\(path): a server's key of type \(type) cannot be lent",
                hint: "lend one of type EC P-256, P-384, P-521, or RSA with 2048 bits or more")
        }
        guard !key.signsWhatItsCertificateRefuses else {
            throw CAError(
                .mismatch, "\(path): the private and the public part of the key do not belong together",
                hint: "write it anew from its source")
        }
        return key
    }

    /// The chain of a file, the server's certificate first.
    ///
    /// Under one that is for the host itself a client would be right to send its request, and be accused of it.
    private mutating func chain(
        _ path: String, notFor host: HostName, as kind: LentKind
    ) throws(CAError) -> [Certificate] {
        let chain = try Certificate.readAll(path: path)
        guard let leaf = chain.first else {
            throw CAError(.unusable, "\(path): there is no certificate in this file")
        }
        guard !leaf.isAuthority else {
            throw CAError(
                .unusable, "\(path): its first certificate, \(leaf.subject), is a CA's",
                hint: "the server's own certificate comes first, what issued it after it")
        }
        guard !leaf.isFor(host) else {
            throw CAError(
                .mismatch, "\(path): this chain is for \(host) itself",
                hint: "\(kind.rawValue) wants one for another name, which \(host)'s own client must refuse")
        }
        if Double(leaf.notAfter) <= now || Double(leaf.notBefore) > now {
            let day = UTCTime(unix: leaf.notAfter <= Int64(now) ? leaf.notAfter : leaf.notBefore).date.description
            warnings.append(
                "warning: \(path): \(leaf.subject) is outside its dates (\(day)): clients may refuse it for that alone")
        }
        return chain
    }

    private static func imitation(ofKeyIn leaf: Certificate, _ path: String) throws(CAError) -> PrivateKey {
        do throws(ImitationError) {
            let key = try PrivateKey.withoutItsPrivateKey(publicOf: leaf)
            if key.matches(leaf), key.signsWhatItsCertificateRefuses { return key }
        } catch {
            throw CAError(
                .unusable, "\(path): \(leaf.subject): \(error)", hint: "lend a chain whose first key is EC or RSA")
        }
        throw CAError(.unusable, "\(path): the key of \(leaf.subject) cannot be imitated")
    }

    private mutating func warn(unpinned key: PrivateKey, _ path: String, _ pins: [Pin]) {
        let pin = "sha256/\(Base64.encode(SHA256.digest(key.publicKeyDER)))"
        guard !pins.isEmpty, !pins.contains(where: { $0.description == pin }) else { return }
        warnings.append("warning: \(path): \(pin) is not among the pins of the profile: the app may refuse this key")
    }
}
