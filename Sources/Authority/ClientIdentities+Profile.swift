import Facts
import Loop
import Policy
import TLS

extension ClientIdentities {
    /// The profile's, read.
    ///
    /// Like a CA of somebody else's, a client certificate may lie where a team can read it: that is told, and no error.
    ///
    /// - Parameter environment: where `password_env` is looked up.
    package static func read(
        for profile: Profile, environment: [String: String], now: Double
    ) throws(CAError) -> (identities: ClientIdentities, warnings: [String]) {
        var entries: [(pattern: HostPattern, identity: ClientIdentity)] = []
        var warnings: [String] = []
        for rule in profile.upstream.clientCertificates {
            let identity: ClientIdentity
            let secret: String
            switch rule.material {
            case .pkcs12(let path, let password):
                identity = try read(pkcs12: path, try text(of: password, environment))
                secret = path
            case .pair(let certificate, let key):
                identity = try read(certificate: certificate, key: key)
                secret = key
            }
            entries.append((rule.pattern, identity))
            if File.isOpenToOthers(secret) {
                warnings.append("warning: \(secret): others can read or write this key of a client certificate")
            }
            if Double(identity.leaf.notAfter) < now {
                let end = UTCTime(unix: identity.leaf.notAfter).date
                warnings.append("warning: the client certificate for \(rule.pattern) has expired on \(end)")
            }
        }
        return (ClientIdentities(entries), warnings)
    }

    /// Certificates, their issuers and keys in all: those in use take some 10 KiB.
    private static let fileLimit = 1 << 20

    private static func read(pkcs12 path: String, _ password: String) throws(CAError) -> ClientIdentity {
        let bytes = try File.read(path, atMost: fileLimit)
        let store: PKCS12Store
        do throws(PKCS12Store.Fault) {
            store = try PKCS12Store(bytes, password: password)
        } catch {
            throw failure(error, path, hasPassword: !password.isEmpty)
        }
        guard let identity = ClientIdentity(store.certificates, key: store.key) else {
            throw CAError(.mismatch, "\(path): its key belongs to none of its certificates")
        }
        return identity
    }

    private static func failure(_ fault: PKCS12Store.Fault, _ path: String, hasPassword: Bool) -> CAError {
        switch fault {
        case .notPKCS12:
            CAError(
                .unusable, "\(path): this is no PKCS#12 file",
                hint: "a certificate and a key in PEM go under \"certificate\" and \"key\"")
        case .wrongPassword:
            CAError(
                .unusable, "\(path): the password does not open it",
                hint: hasPassword ? nil : "give one as password, password_file or password_env")
        case .incomplete: CAError(.unusable, "\(path): it holds no certificate with its private key")
        case .unreadable(let reason):
            CAError(
                .unusable, "\(path): it cannot be opened: \(reason)",
                hint: "write it anew: openssl pkcs12 -legacy -in \(path) -nodes | openssl pkcs12 -export -out new.p12")
        }
    }

    private static func read(certificate path: String, key keyPath: String) throws(CAError) -> ClientIdentity {
        let certificates = try Certificate.readAll(path: path)
        let key = try PrivateKey.read(path: keyPath, isLent: true)
        guard let identity = ClientIdentity(certificates, key: key) else {
            throw CAError(.mismatch, "\(keyPath): the key belongs to no certificate in \(path)")
        }
        return identity
    }

    private static func text(
        of password: ClientCertificateRule.Password, _ environment: [String: String]
    ) throws(CAError) -> String {
        switch password {
        case .none: return ""
        case .text(let text): return text
        case .variable(let name):
            guard let text = environment[name] else {
                throw CAError(
                    .missing, "the password of a client certificate is to be in the variable \(name), which is not set",
                    hint: "\(name)=… pinproof proxy …")
            }
            return text
        case .file(let path):
            // Longer ones are no passwords.
            let bytes = try File.read(path, atMost: 4096)
            let line = bytes.prefix { $0 != 0x0a && $0 != 0x0d }
            guard let text = String(validating: line, as: UTF8.self) else {
                throw CAError(.unusable, "\(path): the password in it is not UTF-8 text")
            }
            return text
        }
    }
}
