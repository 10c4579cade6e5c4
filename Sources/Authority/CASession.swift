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

    /// - Parameters:
    ///   - profile: whose hosts alone it may sign for; nil: a general CA.
    ///   - chain: a PEM file with the genuine chain whose root it is named like; nil: it has a name of ours.
    package func make(only profile: Profile?, like chain: String? = nil) throws -> String {
        let model = try chain.map { path throws(CAError) in try RootModel.read(path: path) }
        let made = try store.initialise(profile.map { .constrained($0) } ?? .general, like: model, now: WallClock.now)
        var lines = ["made a CA in \(store.path)"] + facts(made)
        lines.append("next: let the client trust the root, see pinproof ca export --help")
        return text(lines)
    }

    package func show() throws -> String { text(facts(try store.load(now: WallClock.now))) }

    package func export(_ formats: [CAExportFormat], to out: String, password: String) throws -> String {
        let authority = try store.load(now: WallClock.now)
        let export = CAExport(authority.root, isNamesake: authority.isNamesake)
        let files = try formats.map { try file($0, export, password) }
        if !Files.isFolder(out), Files.exists(out) { throw FileError.notAFolder(out) }
        try Files.makeFolders(out)
        for file in files { try Files.writeAtomically(file.bytes, to: "\(out)/\(file.name)") }
        return text(files.map { "\(out == "." ? "" : out + "/")\($0.name)  \($0.use)" })
    }

    package func remove() throws -> String {
        let authority = try? store.load(now: WallClock.now)
        let removed = try store.remove()
        let lines =
            removed.map { "removed \($0)" } + ["devices that trust this CA still do: remove it there as well"]
        guard let authority, authority.isNamesake else { return text(lines) }
        return text(lines + ["it bears another CA's name: look for its sha-256, \(authority.root.sha256)"])
    }

    private func facts(_ authority: CertificateAuthority) -> [String] {
        return [
            "root      \(Files.absolute(store.rootPath))", "subject   \(authority.root.subject)",
            "sha-256   \(authority.root.sha256)",
            "valid     \(UTCTime(unix: authority.root.notBefore).rfc3339) to "
                + UTCTime(unix: authority.root.notAfter).rfc3339,
        ] + namesake(authority) + scope(of: authority)
    }

    private func namesake(_ authority: CertificateAuthority) -> [String] {
        guard authority.isNamesake else { return [] }
        return [
            "key       \(authority.root.keyType)",
            "warning   the root bears a genuine CA's name, and is not that CA: install it on test devices alone, and on none",
            "          that anybody uses for anything else; only its sha-256 tells it from the genuine one",
        ]
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
            let beside = export.isNamesake ? ", beside the genuine root; where that is not there, as .0" : ""
            return (
                export.androidFileName, Array(export.androidFile.utf8), "Android's system store (cacerts)\(beside)"
            )
        case .mobileconfig:
            return ("\(stem).mobileconfig", Array(export.mobileConfig.utf8), "iOS: install, then switch on full trust")
        }
    }

    private func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }
}
