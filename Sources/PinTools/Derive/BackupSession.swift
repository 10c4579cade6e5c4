import Facts
import Loop
import Pins
import TLS

/// `pinproof pins backup`: a key to be pinned now and deployed when the first one has to go.
package struct BackupSession: Sendable {
    package enum KeyKind: String, Hashable, Sendable, CaseIterable {
        case ecP256 = "ec-p256"
        case ecP384 = "ec-p384"
        case rsa2048 = "rsa-2048"
        case rsa3072 = "rsa-3072"
        case rsa4096 = "rsa-4096"

        var type: KeyType {
            switch self {
            case .ecP256: .p256
            case .ecP384: .p384
            case .rsa2048: .rsa(bits: 2048)
            case .rsa3072: .rsa(bits: 3072)
            case .rsa4096: .rsa(bits: 4096)
            }
        }
    }

    package struct Outcome: Hashable, Sendable {
        package var keyPath: String
        package var requestPath: String
        package var item: PinnableItem
    }

    private let hosts: [HostName]
    private let folder: String
    private let kind: KeyKind

    /// - Parameter hosts: at least one; the first gives the files their names.
    package init(_ hosts: [HostName], into folder: String, _ kind: KeyKind = .ecP256) {
        self.hosts = hosts
        self.folder = folder
        self.kind = kind
    }

    /// Overwrites nothing: a backup key that is lost cannot be had again.
    package func run() throws -> Outcome {
        guard let host = hosts.first else { throw PinsError(.commandLine, "no host is named") }
        let name = folder + "/" + host.text.replacing(":", with: "_") + "-backup"
        let (keyPath, requestPath) = (name + ".key", name + ".csr")
        try OutputPlace.choosing("pins backup --out DIR") { () throws(FileError) in try Files.makeFolders(folder) }
        for path in [keyPath, requestPath] where Files.kind(path) != nil {
            throw PinsError(
                .commandLine, "\(path): there is a file already, and a backup key is never overwritten",
                hints: ["name another folder with --out, or take its pin: pinproof pins \(path)"])
        }
        let key = try PrivateKey.generate(kind.type, primes: 2)
        let request = try CertificateRequest(for: hosts, key: key).pem()
        try create(keyPath, try key.pem(), mode: 0o600)
        try create(requestPath, Array(request.utf8), mode: 0o644)
        return Outcome(keyPath: keyPath, requestPath: requestPath, item: PinnableItem(PinMaterial(key)))
    }

    private func create(_ path: String, _ bytes: [UInt8], mode: Int) throws {
        try OutputPlace.choosing("pins backup --out DIR") { () throws(FileError) in
            do throws(SystemError) {
                let file = try OpenFile(creating: path, mode: mode)
                try file.write(bytes)
                try file.flush()
            } catch {
                throw .cannotWrite(path: path, reason: Files.reason(error))
            }
        }
    }
}
