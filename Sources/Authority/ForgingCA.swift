import Facts
import Loop
import Policy
import TLS

/// The CA of a run: what signs, and where clients find what they are to trust.
package struct ForgingCA: Sendable {
    package let authority: CertificateAuthority
    /// Absolute path of the root's PEM; nil: it has to be put into the run folder.
    package let rootPath: String?
    /// As messages and the header name it.
    package let name: String
    /// Made just now, so nobody trusts it yet.
    package let isNew: Bool
    /// What its owner should know.
    package var warning: String?

    package static func open(_ choice: CAChoice, now: Double) throws -> ForgingCA {
        switch choice {
        case .folder(let path): return try open(CAStore(path: path), now: now)
        case .personal(let data): return try open(CAStore(in: data), now: now)
        case .ephemeral:
            return ForgingCA(
                authority: try .general(now: now), rootPath: nil, name: "the ephemeral CA", isNew: true)
        case .lent(let certificate, let key):
            // The file may hold a whole bundle; clients get the one certificate that signs.
            return ForgingCA(
                authority: try CAStore.lend(certificate: certificate, key: key, now: now), rootPath: nil,
                name: certificate, isNew: false,
                warning: CAStore.isExposed(key: key)
                    ? "warning: \(key): others can read or write this key, and so sign what its clients trust" : nil)
        }
    }

    private static func open(_ store: CAStore, now: Double) throws -> ForgingCA {
        let isNew = !store.exists
        return ForgingCA(
            authority: try store.loadOrCreate(now: now), rootPath: Files.absolute(store.rootPath), name: store.path,
            isNew: isNew)
    }

    /// Refuses a profile with a host that the CA may not sign for: clients would refuse such a leaf for that reason
    /// alone, and the refusal would prove nothing.
    package func requireScope(for profile: Profile) throws(CAUseError) {
        let forged = profile.rules.filter { $0.expect != .tunnel }.map(\.pattern) + profile.controls
        for pattern in forged where !authority.permits(pattern.base) {
            throw .outsideScope(host: pattern.description, scope: authority.scope, ca: name)
        }
        // The decoy's own domain; the self-test's clients ask for it, too.
        guard let decoy = HostName(Recipe.decoyName), !authority.permits(decoy) else { return }
        throw .outsideScope(host: decoy.text, scope: authority.scope, ca: name)
    }

    /// The debugging proxy leaves alone what it cannot sign for; only intercepting everything needs a general CA.
    package func requireScope(forDebugging profile: Profile) throws(CAUseError) {
        if profile.others == .accept, !authority.scope.isEmpty {
            throw .outsideScope(host: "every host (others: accept)", scope: authority.scope, ca: name)
        }
        for rule in profile.rules where rule.expect != .tunnel && !authority.permits(rule.pattern.base) {
            throw .outsideScope(host: rule.pattern.description, scope: authority.scope, ca: name)
        }
    }

    package var header: RunHeader.CA { RunHeader.CA(sha256: authority.root.sha256, scope: authority.scope) }
}
