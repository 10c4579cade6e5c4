import Facts
import Loop
import Policy
import TLS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A CA on disk: a folder of mode 0700 with certificates, the signing key and `ca.json`.
///
/// The key's file has mode 0600. The folder appears whole or not at all, whoever interrupts and however many make it
/// at once.
package struct CAStore: Sendable {
    package enum Kind: Sendable, Hashable {
        case general
        /// One intermediate constrained to the profile's hosts; the root key is destroyed.
        case constrained(Profile)
    }

    /// The folder.
    package let path: String
    /// The folder's own, which is made before it and closed to others.
    private let data: DataFolder?

    package init(path: String) {
        self.path = path
        data = nil
    }

    /// The user's own CA.
    package init(in data: DataFolder) {
        path = data.file("ca")
        self.data = data
    }

    package var rootPath: String { "\(path)/\(Name.root)" }
    /// True when a CA (usable or not) lies there.
    package var exists: Bool { Folder.entries(path).contains(Name.facts) }

    private enum Name {
        static let root = "root.pem"
        static let rootKey = "root.key"
        static let intermediate = "intermediate.pem"
        static let intermediateKey = "intermediate.key"
        static let facts = "ca.json"
        /// The facts first, so that what a cut `remove` leaves is no CA any more.
        static let all = [facts, rootKey, intermediateKey, intermediate, root]
    }

    /// `ca.json`, for people and other tools; the certificates are what counts.
    struct FactsFile: Codable, Equatable {
        var schema = Self.currentSchema
        var kind: String
        /// RFC 3339, UTC.
        var created: String
        var scope: [String]
        var sha256: String

        static let currentSchema = "pinproof.ca/1"
    }

    /// The CA that lies there.
    package func load(now: Double) throws(CAError) -> CertificateAuthority {
        try Folder.requireReadable(path)
        guard exists else { throw nothingHere }
        try Folder.requireOurs(path)
        // The key is asked for more, when it is read.
        for name in [Name.facts, Name.root, Name.intermediate] { try File.requireOurs(file(name)) }
        let facts = try readFacts()
        guard let kind = CertificateAuthority.Kind(rawValue: facts.kind), kind != .lent else {
            throw CAError(.unusable, "\(file(Name.facts)): unknown kind of CA \"\(facts.kind)\"")
        }
        let root = try certificate(Name.root)
        try AuthorityCheck.require(root, at: file(Name.root), now: now)
        let (issuing, key, keyName) =
            kind == .general
            ? (root, try PrivateKey.read(path: file(Name.rootKey)), Name.rootKey)
            : (
                try certificate(Name.intermediate), try PrivateKey.read(path: file(Name.intermediateKey)),
                Name.intermediateKey
            )
        if kind == .constrained {
            try AuthorityCheck.require(issuing, at: file(Name.intermediate), now: now)
            guard issuing.issuerDER == root.subjectDER, root.signed(issuing) else {
                throw CAError(.mismatch, "\(file(Name.intermediate)): it was not issued by \(file(Name.root))")
            }
            // What makes it safe to leave on a CI machine: without these it would be a general CA in disguise.
            guard try issuing.hasNameConstraints(), !Folder.entries(path).contains(Name.rootKey) else {
                throw CAError(
                    .mismatch, "\(path): it says to be constrained, but has no name constraints or keeps its root key",
                    hint: "make a new one: pinproof ca remove, then pinproof ca init --only PROFILE")
            }
        }
        guard key.matches(issuing) else {
            throw CAError(
                .mismatch, "\(file(keyName)): the key is not the one of the certificate beside it",
                hint: "make a new one: pinproof ca remove, then pinproof ca init")
        }
        let authority = try CertificateAuthority(kind: kind, root: root, issuing: issuing, key: key)
        guard authority.scope == facts.scope, root.sha256 == facts.sha256 else {
            throw CAError(.mismatch, "\(file(Name.facts)): it does not belong to the certificates beside it")
        }
        return authority
    }

    /// The CA that lies there, or else a new general one.
    package func loadOrCreate(now: Double) throws -> CertificateAuthority {
        try Folder.requireReadable(path)
        if exists { return try load(now: now) }
        let made = try CertificateAuthority.general(now: now)
        if try publish(made, now: now) { return made }
        // Another process was quicker, and its CA is as good.
        guard exists else { throw occupied }
        return try load(now: now)
    }

    /// Makes a new CA; one that is there already is never overwritten.
    ///
    /// - Parameter model: the genuine root that its root is named like; nil: it has a name of ours.
    package func initialise(_ kind: Kind, like model: RootModel? = nil, now: Double) throws -> CertificateAuthority {
        try Folder.requireReadable(path)
        guard !exists else { throw alreadyThere }
        let made =
            switch kind {
            case .general: try CertificateAuthority.general(now: now, like: model)
            case .constrained(let profile): try CertificateAuthority.constrained(to: profile, now: now, like: model)
            }
        guard try publish(made, now: now) else { throw exists ? alreadyThere : occupied }
        return made
    }

    /// Deletes exactly the files that pinproof made; the folder too when nothing else is in it.
    /// - Returns: the paths that are gone.
    @discardableResult
    package func remove() throws(CAError) -> [String] {
        try Folder.requireReadable(path)
        guard exists else { throw nothingHere }
        try Folder.requireOurs(path)
        let (removed, folderGone) = Folder.discard(path, Name.all)
        if let left = Folder.entries(path).first(where: { Name.all.contains($0) }) {
            throw CAError(.unusable, "\(file(left)): cannot be deleted")
        }
        return removed.map(file) + (folderGone ? [path] : [])
    }

    /// A CA of somebody else: the first certificate of the file signs, with this key.
    ///
    /// A team's test CA may lie where a team can read it, so its permissions are no error; `isExposed` tells.
    package static func lend(certificate path: String, key keyPath: String, now: Double) throws(CAError)
        -> CertificateAuthority
    {
        guard let certificate = try Certificate.readAll(path: path).first else {
            throw CAError(.unusable, "\(path): there is no certificate in this file")
        }
        try AuthorityCheck.require(certificate, at: path, now: now)
        let key = try PrivateKey.read(path: keyPath, isLent: true)
        guard key.matches(certificate) else {
            throw CAError(
                .mismatch, "\(keyPath): the key does not belong to the certificate \(certificate.subject) in \(path)")
        }
        return try CertificateAuthority(kind: .lent, root: certificate, issuing: certificate, key: key)
    }

    /// Others than its owner can read or write the key file.
    package static func isExposed(key path: String) -> Bool { File.isOpenToOthers(path) }

    // MARK: - Parts

    private func file(_ name: String) -> String { "\(path)/\(name)" }

    private func certificate(_ name: String) throws(CAError) -> Certificate {
        let found = try Certificate.readAll(path: file(name))
        guard let first = found.first, found.count == 1 else {
            throw CAError(.unusable, "\(file(name)): there is more than one certificate in it")
        }
        return first
    }

    private func readFacts() throws(CAError) -> FactsFile {
        let bytes = try File.read(file(Name.facts), atMost: 1 << 20)
        guard let facts = try? JSONDecoder().decode(FactsFile.self, from: Data(bytes)) else {
            throw CAError(.unusable, "\(file(Name.facts)): it is damaged")
        }
        guard facts.schema == FactsFile.currentSchema else {
            throw CAError(
                .unusable, "\(file(Name.facts)): \"\(facts.schema)\" is not known to this version",
                hint: "use the version of pinproof that made it, or make a new CA")
        }
        return facts
    }

    private func publish(_ authority: CertificateAuthority, now: Double) throws -> Bool {
        try data?.make()
        Folder.sweep(path, Name.all, now: now)
        let facts = FactsFile(
            kind: authority.kind.rawValue, created: UTCTime(unix: now).rfc3339,
            scope: authority.scope,
            sha256: authority.root.sha256)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        var files: [(name: String, bytes: [UInt8], isSecret: Bool)] = [
            (Name.root, Array(authority.root.pem.utf8), false),
            (Name.facts, Array(try encoder.encode(facts)) + [0x0a], false),
        ]
        if authority.kind == .constrained {
            files.append((Name.intermediate, Array(authority.issuing.pem.utf8), false))
        }
        files.append(
            (authority.kind == .constrained ? Name.intermediateKey : Name.rootKey, try authority.key.pem(), true))
        return try Folder.publish(path, files)
    }

    private var nothingHere: CAError {
        CAError(.missing, "\(path): there is no CA here", hint: "make one: pinproof ca init --ca \(path)")
    }
    private var alreadyThere: CAError {
        CAError(.exists, "\(path): there is a CA already", hint: "remove it first: pinproof ca remove --ca \(path)")
    }
    private var occupied: CAError {
        CAError(.exists, "\(path): something else is there, and nothing is overwritten", hint: "choose another folder")
    }
}
