import Authority
import Facts
import Loop
import TLS

/// The CA that lies here, as it was found; none is made.
enum LocalCA: Hashable, Sendable {
    struct Root: Hashable, Sendable {
        /// Lower-case hexadecimal.
        var sha256: String
        var notBefore: Double
        var notAfter: Double
        /// Of the certificate that clients have to trust.
        var rootPath: String
        /// Others can read its key, which is its owner's business.
        var warning: String?
    }

    case found(Root)
    case missing(path: String)
    /// It is there, and not as it has to be; `isReadable`: what is wrong is told by its content or its permissions.
    case unusable(Explanation, isReadable: Bool)

    var root: Root? {
        if case .found(let root) = self { root } else { nil }
    }

    static func look(_ choice: CAChoice, now: Double) -> LocalCA {
        do throws(CAError) {
            switch choice {
            case .folder(let path): return try look(CAStore(path: path), now)
            case .personal(let data): return try look(CAStore(in: data), now)
            case .ephemeral: return .missing(path: "an ephemeral CA")
            case .lent(let certificate, let key):
                let root = try CAStore.lend(certificate: certificate, key: key, now: now).root
                var found = describe(root, Files.absolute(certificate))
                if CAStore.isExposed(key: key) { found.warning = "\(key): others can read or write this key" }
                return .found(found)
            }
        } catch {
            let isReadable = error.code == .permissions || error.code == .expired
            let explanation = Explanation(error.message, hints: error.hint.map { [$0] } ?? [])
            return .unusable(explanation, isReadable: isReadable)
        }
    }

    private static func look(_ store: CAStore, _ now: Double) throws(CAError) -> LocalCA {
        do throws(CAError) {
            return .found(describe(try store.load(now: now).root, Files.absolute(store.rootPath)))
        } catch {
            guard error.code == .missing, !store.exists else { throw error }
            return .missing(path: Files.absolute(store.path))
        }
    }

    private static func describe(_ root: Certificate, _ path: String) -> Root {
        Root(
            sha256: root.sha256.lowercased(), notBefore: Double(root.notBefore), notAfter: Double(root.notAfter),
            rootPath: path)
    }
}
