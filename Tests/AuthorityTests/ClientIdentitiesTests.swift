import Facts
import Foundation
import Policy
import Support
import TLS
import Testing

@testable import Authority

@Suite("client certificates on disk")
struct ClientIdentitiesTests {
    private typealias Files = ClientCertificateFiles
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @discardableResult
    private func read(
        _ materials: [(String, ClientCertificateRule.Material)], _ environment: [String: String] = [:],
        now: Double = 1_800_000_000
    ) throws(CAError) -> (identities: ClientIdentities, warnings: [String]) {
        var profile = Profile(name: "p")
        for (pattern, material) in materials {
            guard let pattern = HostPattern(pattern) else { continue }
            profile.upstream.clientCertificates.append(ClientCertificateRule(pattern: pattern, material: material))
        }
        return try ClientIdentities.read(for: profile, environment: environment, now: now)
    }

    private func pkcs12(_ bytes: [UInt8], mode: Int = 0o600) throws -> String {
        try folder.write("client.p12", bytes, mode: mode)
    }

    private func code(_ body: () throws -> Void) -> CAError.Code? {
        (#expect(throws: CAError.self, performing: body))?.code
    }

    @Test(
        "a PKCS#12 file with its password is certificate, key and issuer, however old its ciphers are",
        arguments: [ClientCertificateFiles.modern, ClientCertificateFiles.legacy])
    func opened(bytes: [UInt8]) throws {
        let path = try pkcs12(bytes)
        let secret = try folder.write("secret", Array("secret\r\nand more".utf8))
        let passwords: [ClientCertificateRule.Password] = [.text("secret"), .file(secret), .variable("SECRET")]
        for password in passwords {
            let (identities, warnings) = try read([("a.test", .pkcs12(path, password))], ["SECRET": "secret"])
            let identity = try #require(identities.identity(for: try host("a.test")))
            #expect(identity.certificates.map(\.subject) == [Files.subject, Files.issuer])
            #expect(identity.key.matches(identity.leaf) && warnings.isEmpty)
            #expect(identities.identity(for: try host("b.test")) == nil)
        }
    }

    @Test("a file with an empty password needs none")
    func withoutPassword() throws {
        let (identities, _) = try read([("a.test", .pkcs12(try pkcs12(Files.open), .none))])
        #expect(identities.entries.first?.identity.certificates.map(\.subject) == [Files.subject])
    }

    @Test("what cannot be opened says why, and never the password")
    func unusable() throws {
        let path = try pkcs12(Files.modern)
        for (password, environment) in [
            (ClientCertificateRule.Password.text("hidden"), [:]), (.none, [:]), (.variable("P"), ["P": "hidden"]),
        ] as [(ClientCertificateRule.Password, [String: String])] {
            let error = #expect(throws: CAError.self) { try read([("a.test", .pkcs12(path, password))], environment) }
            #expect(error?.code == .unusable && error?.message == "\(path): the password does not open it")
            #expect(error?.hint?.contains("hidden") != true)
        }
        #expect(code { try read([("a.test", .pkcs12(path, .variable("P")))]) } == .missing)
        #expect(code { try read([("a.test", .pkcs12(path, .file(folder.path + "/none")))]) } == .missing)
        #expect(code { try read([("a.test", .pkcs12(folder.path + "/none", .none))]) } == .missing)
        for bytes in [[], [0x30], Array(Files.key.utf8), Array(Files.modern.prefix(200)), Files.keyless] {
            let path = try pkcs12(bytes)
            #expect(code { try read([("a.test", .pkcs12(path, .text("secret")))]) } == .unusable)
        }
    }

    @Test("a damaged file is an error, wherever the damage is, and never more")
    func damaged() throws {
        for cut in stride(from: 0, to: Files.modern.count, by: 7) {
            #expect(throws: PKCS12Store.Fault.self) { try PKCS12Store(Array(Files.modern[..<cut]), password: "secret") }
        }
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<200 {
            var bytes = Files.modern
            let at = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[at] ^= UInt8.random(in: 1...255, using: &generator)
            _ = try? PKCS12Store(bytes, password: "secret")
        }
        // Nothing of it is left for the next one.
        _ = try PKCS12Store(Files.modern, password: "secret")
    }

    @Test("PEM: the key finds its certificate, whatever the order, and that its issuer")
    func pair() throws {
        let chain = try folder.write("client.pem", Array(Files.chain.utf8))
        let key = try folder.write("client.key", Array(Files.key.utf8))
        let (identities, warnings) = try read([("a.test", .pair(certificate: chain, key: key))])
        let identity = try #require(identities.entries.first?.identity)
        #expect(identity.certificates.map(\.subject) == [Files.subject, Files.issuer] && warnings.isEmpty)
        let other = try folder.write("other.key", PrivateKey.generate(.p256).pem())
        #expect(code { try read([("a.test", .pair(certificate: chain, key: other))]) } == .mismatch)
        #expect(code { try read([("a.test", .pair(certificate: key, key: key))]) } == .unusable)
    }

    @Test("a key that others can read, and a certificate that has expired, are told")
    func warnings() throws {
        let path = try pkcs12(Files.open, mode: 0o644)
        let (_, warnings) = try read([("*.a.test", .pkcs12(path, .none))], now: 1e11)
        #expect(warnings.count == 2 && warnings.first?.contains(path) == true)
        #expect(warnings.last?.contains("*.a.test has expired on ") == true)
    }

    @Test("the most specific pattern decides")
    func specific() throws {
        let own = try pkcs12(Files.open)
        let key = try folder.write("client.key", Array(Files.key.utf8))
        let chain = try folder.write("client.pem", Array(Files.chain.utf8))
        let (identities, _) = try read([
            ("**.test", .pair(certificate: chain, key: key)), ("a.test", .pkcs12(own, .none)),
        ])
        #expect(identities.identity(for: try host("a.test"))?.certificates.count == 1)
        #expect(identities.identity(for: try host("b.test"))?.certificates.count == 2)
        #expect(identities.identity(for: try host("b.example")) == nil)
    }
}
