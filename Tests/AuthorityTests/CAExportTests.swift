import Foundation
import Support
import TLSSupport
import Testing

@testable import Authority
@testable import TLS

@Suite("a root exported")
struct CAExportTests {
    let scratch: TemporaryFolder
    let root: Certificate
    let export: CAExport
    init() throws {
        scratch = try TemporaryFolder()
        root = try CertificateAuthority.general(now: testNow).root
        export = CAExport(root)
    }

    @Test("Android's file name is the old subject hash, as OpenSSL's own tool prints it")
    func android() async throws {
        #expect(export.androidFileName.wholeMatch(of: /[0-9a-f]{8}\.0/) != nil)
        #expect(export.androidFile == root.pem)
        let pem = try scratch.write("root.pem", Array(export.pem.utf8))
        let tool = try await Command.run("openssl", ["x509", "-in", pem, "-noout", "-subject_hash_old"])
        #expect(tool.output == export.androidFileName.dropLast(2) + "\n")
    }

    @Test("PKCS#12 reads back with the certificate, the password, and no key")
    func pkcs12() async throws {
        let path = try scratch.write("root.p12", export.pkcs12())
        let tool = try await Command.run("openssl", ["pkcs12", "-in", path, "-passin", "pass:pinproof", "-info"])
        #expect(tool.status == 0)
        #expect(tool.output.contains(String(root.pem.dropLast())))
        #expect(!tool.output.contains("PRIVATE KEY"))
        let wrong = try await Command.run("openssl", ["pkcs12", "-in", path, "-passin", "pass:wrong", "-noout"])
        #expect(wrong.status != 0)
    }

    @Test("Java's keytool lists it as a trusted certificate", .enabled(if: Command.isInstalled("keytool")))
    func keytool() async throws {
        let path = try scratch.write("root.p12", export.pkcs12(password: "geheim"))
        let tool = try await Command.run("keytool", ["-list", "-keystore", path, "-storepass", "geheim"])
        #expect(tool.output.contains("trustedCertEntry"), "\(tool.output)")
        let colons = stride(from: 0, to: 64, by: 2).map { Array(root.sha256.uppercased())[$0..<$0 + 2] }
            .map { String($0) }.joined(separator: ":")
        #expect(tool.output.contains(colons))
    }

    @Test("the configuration profile is a well-formed plist with the root, removable, and the same every time")
    func mobileConfig() throws {
        let text = export.mobileConfig
        #expect(text == CAExport(root).mobileConfig)
        let profile = try PropertyListDecoder().decode(ConfigurationProfile.self, from: Data(text.utf8))
        #expect(profile.PayloadType == "Configuration")
        #expect(!profile.PayloadRemovalDisallowed)
        let payload = try #require(profile.PayloadContent.first)
        #expect(payload.PayloadType == "com.apple.security.root")
        #expect(payload.PayloadContent == Data(root.der))
        #expect(payload.PayloadUUID != profile.PayloadUUID)
        #expect(text != CAExport(try CertificateAuthority.general(now: testNow).root).mobileConfig)
    }

    @Test("names of lent CAs with markup or control characters stay inside their element")
    func hostileName() throws {
        let key = try PrivateKey.generate(.p256)
        let name = DistinguishedName(commonName: "</string><key>x</key>&\u{1}").der
        let certificate = try CertificateBuilder(
            serial: [1], signature: .ecdsa(.sha256), issuer: name, subject: name, notBefore: 0, notAfter: 1,
            publicKey: key.publicKeyDER, extensions: []
        ).signed(by: key)
        let text = CAExport(certificate).mobileConfig
        let profile = try PropertyListDecoder().decode(ConfigurationProfile.self, from: Data(text.utf8))
        #expect(profile.PayloadContent.first?.PayloadDisplayName == "</string><key>x</key>&")
    }
}

/// The keys that a device reads, by Apple's names for them.
private struct ConfigurationProfile: Decodable {
    struct Payload: Decodable {
        let PayloadContent: Data
        let PayloadDisplayName: String
        let PayloadType: String
        let PayloadUUID: UUID
    }
    let PayloadContent: [Payload]
    let PayloadRemovalDisallowed: Bool
    let PayloadType: String
    let PayloadUUID: UUID
}
