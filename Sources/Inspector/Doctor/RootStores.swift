import Facts
import Loop
import TLS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Looks for the CA in stores that programs share: the system's, and those of browsers.
struct RootStores: Sendable {
    var runner: ProgramRunner
    /// Of the CA's root.
    var sha256: String

    struct Found: Sendable {
        var stores: [TrustChecks.Store] = []
        var missing: [String] = []
    }

    func look() async -> Found {
        var found = Found()
        if let system { found.stores.append(system) } else { found.missing.append("a bundle of the system's roots") }
        let home = runner.environment["HOME"] ?? ""
        for (id, name, profiles) in Self.browsers(home) {
            if profiles.isEmpty { found.missing.append("a profile of \(name)") }
            for profile in profiles.prefix(Self.profileLimit) { found.stores.append(await look(id, name, profile)) }
        }
        return found
    }

    // MARK: The system's

    /// Where the distributions keep what programs read: Debian, Fedora, openSUSE, Alpine.
    private static let bundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
        "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]
    /// A bundle of all public roots has some 250 KB.
    private static let sizeLimit = 8 << 20

    private static var isApple: Bool {
        #if canImport(Darwin)
            true
        #else
            false
        #endif
    }

    private var system: TrustChecks.Store? {
        // On Apple's systems programs read other files, and the system a keychain.
        guard !Self.isApple, let path = Self.bundles.first(where: Files.exists) else { return nil }
        let remedy =
            Files.isFolder("/etc/pki/ca-trust/source/anchors")
            ? "`sudo cp ROOT /etc/pki/ca-trust/source/anchors/pinproof.pem && sudo update-ca-trust`"
            : "`sudo cp ROOT /usr/local/share/ca-certificates/pinproof.crt && sudo update-ca-certificates`"
        let content: TrustChecks.Store.Content
        do {
            let roots = try Certificate.all(in: try Files.read(path, limit: Self.sizeLimit))
            content = roots.contains { $0.sha256.lowercased() == sha256 } ? .hasCA : .lacksCA
        } catch {
            content = .unread("\(path) cannot be read")
        }
        return TrustChecks.Store(id: "system", name: "the system's store (\(path))", content: content, remedy: remedy)
    }

    // MARK: Browsers'

    /// Who has more looks at the first ones.
    private static let profileLimit = 8
    /// Entries of a store that bear trust; who has more has made a store of his own.
    private static let entryLimit = 40

    /// Folders with a certificate store (`cert9.db`) in them.
    private static func browsers(_ home: String) -> [(id: String, name: String, profiles: [String])] {
        guard home.hasPrefix("/") else { return [] }
        let parents = [
            "\(home)/.mozilla/firefox", "\(home)/snap/firefox/common/.mozilla/firefox",
            "\(home)/.var/app/org.mozilla.firefox/.mozilla/firefox",
            "\(home)/Library/Application Support/Firefox/Profiles",
        ]
        let firefox = parents.flatMap { parent in
            ((try? FileTree.entries(of: parent)) ?? []).map { "\(parent)/\($0)" }
        }
        return [
            ("firefox", "Firefox", firefox.filter { Files.exists("\($0)/cert9.db") }),
            ("chromium", "Chromium", ["\(home)/.pki/nssdb"].filter { Files.exists("\($0)/cert9.db") }),
        ]
    }

    private func look(_ id: String, _ name: String, _ profile: String) async -> TrustChecks.Store {
        let shown = TrustChecks.shellPath(profile, home: runner.environment["HOME"])
        let name = id == "firefox" ? "\(name)'s store (\(Self.lastPart(profile)))" : "\(name)'s store"
        return TrustChecks.Store(
            id: id, name: name, content: await content(of: profile),
            remedy: "`certutil -A -d sql:\(shown) -n pinproof -t C,, -i ROOT`")
    }

    private static func lastPart(_ path: String) -> String {
        Printable.excerpt(path.split(separator: "/").last.map(String.init) ?? path, limit: 40)
    }

    private func content(of profile: String) async -> TrustChecks.Store.Content {
        guard let certutil = runner.path(of: "certutil") else {
            return .unread("certutil is not installed (libnss3-tools, nss-tools)")
        }
        func run(_ arguments: [String]) async -> String? {
            let arguments = ["-L", "-d", "sql:" + profile] + arguments
            guard case .ended(let run) = await runner.run(certutil, arguments, seconds: TrustClient.patience),
                run.exit == 0
            else { return nil }
            return run.output
        }
        guard let listing = await run([]) else { return .unread("certutil cannot read it") }
        for name in NSSListing.trusted(listing).prefix(Self.entryLimit) {
            guard let pem = await run(["-n", name, "-a"]),
                let roots = try? Certificate.all(in: Array(pem.utf8))
            else { continue }
            if roots.contains(where: { $0.sha256.lowercased() == sha256 }) { return .hasCA }
        }
        return .lacksCA
    }
}

/// What `certutil -L` prints: a name, blanks, and three lists of trust.
enum NSSListing {
    /// Those that are trusted to issue servers' certificates: `C` in the first list.
    static func trusted(_ listing: String) -> [String] {
        listing.split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.split(separator: " ")
            guard let flags = words.last, words.count > 1 else { return nil }
            let lists = flags.split(separator: ",", omittingEmptySubsequences: false)
            guard lists.count == 3, lists[0].contains("C") else { return nil }
            let name = line[..<flags.startIndex].drop { $0 == " " }
            return String(name.reversed().drop { $0 == " " }.reversed())
        }
    }
}
