import Facts
import Loop
import Policy
import TLS

/// What `pinproof ca` does; each action returns what to tell.
package struct CASession: Sendable {
    private let store: CAStore

    /// PKCS#12 importers want one; a certificate is no secret.
    package static let defaultPassword = "pinproof"

    package init(_ store: CAStore) { self.store = store }

    /// - Parameter profile: whose hosts alone it may sign for; nil: a general CA.
    package func make(only profile: Profile?) throws -> String {
        let made = try store.initialise(profile.map { .constrained($0) } ?? .general, now: WallClock.now)
        var lines = ["made a CA in \(store.path)"] + facts(made)
        lines.append("next: let the client trust the root, see pinproof ca export --help")
        return text(lines)
    }

    package func show() throws -> String { text(facts(try store.load(now: WallClock.now))) }

    package func export(_ formats: [CAExportFormat], to out: String, password: String) throws -> String {
        let export = CAExport(try store.load(now: WallClock.now).root)
        let files = try formats.map { try file($0, export, password) }
        if !Files.isFolder(out), Files.exists(out) { throw FileError.notAFolder(out) }
        try Files.makeFolders(out)
        for file in files { try Files.writeAtomically(file.bytes, to: "\(out)/\(file.name)") }
        return text(files.map { "\(out == "." ? "" : out + "/")\($0.name)  \($0.use)" })
    }

    package func remove() throws -> String {
        let removed = try store.remove()
        return text(removed.map { "removed \($0)" } + ["devices that trust this CA still do: remove it there as well"])
    }

    private func facts(_ authority: CertificateAuthority) -> [String] {
        return [
            "root      \(Files.absolute(store.rootPath))", "subject   \(authority.root.subject)",
            "sha-256   \(authority.root.sha256)",
            "valid     \(UTCTime(unix: authority.root.notBefore).rfc3339) to "
                + UTCTime(unix: authority.root.notAfter).rfc3339,
        ] + scope(of: authority)
    }

    private func scope(of authority: CertificateAuthority) -> [String] {
        guard !authority.scope.isEmpty else {
            return ["signs for every host: whoever has its key can impersonate any site to a device that trusts it"]
        }
        return [
            "signs for \(authority.scope.joined(separator: ", ")) (and names below them)",
            "          and the reserved \(CertificateAuthority.reservedDomain), which no one owns: the self-test "
                + "and other-host use it",
            "          nothing else, for clients that enforce name constraints; to any other it can be every host",
        ]
    }

    private func file(
        _ format: CAExportFormat, _ export: CAExport, _ password: String
    ) throws -> (name: String, bytes: [UInt8], use: String) {
        let stem = "pinproof-root"
        switch format {
        case .pem: return ("\(stem).pem", Array(export.pem.utf8), "curl --cacert, Python, Node, Go, Linux trust stores")
        case .der: return ("\(stem).cer", export.der, "Android's and Windows' settings, Java's keytool")
        case .pkcs12:
            return (
                "\(stem).p12", try export.pkcs12(password: password),
                "Java trust stores; the password is \"\(password)\""
            )
        case .android:
            return (export.androidFileName, Array(export.androidFile.utf8), "Android's system store (cacerts)")
        case .mobileconfig:
            return ("\(stem).mobileconfig", Array(export.mobileConfig.utf8), "iOS: install, then switch on full trust")
        }
    }

    private func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }
}
