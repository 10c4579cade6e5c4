import Facts
import Support
import TLSSupport
import Testing

@testable import TLS

@Test(
    "keys survive PKCS#8, know their type, and match their certificate and no other",
    arguments: [KeyType.p256, .rsa(bits: 2048)])
func keys(type: KeyType) throws {
    let origin = try Origin(key: type)
    let pem = try origin.key.pem()
    #expect(String(decoding: pem, as: UTF8.self).hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    let again = try PrivateKey(pem: pem)
    #expect(again.type == type)
    #expect(again.publicKeyDER == origin.key.publicKeyDER)
    #expect(again.matches(origin.leaf))
    #expect(!again.matches(origin.root))
    #expect(!again.signsWhatItsCertificateRefuses)
}

@Suite("a key that passes for a certificate's own")
struct ImitatedKeyTests {
    @Test(
        "the handshake reaches the signature and fails there, never before",
        arguments: [KeyType.p256, .p384, .p521, .rsa(bits: 2048), .other("ED25519"), .other("ED448")],
        [TLSVersion.tls12, .tls13])
    func signatureError(type: KeyType, version: TLSVersion) throws {
        let origin = try Origin(key: type)
        let target = try host("api.example.com")
        let honest = try HandshakeTrial(
            PresentedChain(certificates: [origin.leaf], key: origin.key), to: target, trusting: [origin.root],
            version: version, now: testNow)
        #expect(honest.completed && honest.verification == 0)

        let imitation = try PrivateKey.withoutItsPrivateKey(publicOf: origin.leaf)
        #expect(imitation.matches(origin.leaf))
        #expect(imitation.signsWhatItsCertificateRefuses)
        let trial = try HandshakeTrial(
            PresentedChain(certificates: [origin.leaf], key: imitation), to: target, trusting: [origin.root],
            version: version, now: testNow)
        #expect(!trial.completed)
        // The certificate stage was passed; what failed is the signature of the handshake.
        #expect(trial.verification == 0)
        #expect(trial.clientError?.says("bad signature") == true, "\(trial.clientError?.description ?? "none")")
        // The server did its part and heard the client's alert (decrypt_error), or in TLS 1.3 hears nothing more.
        #expect(trial.serverError?.entries.contains { $0.reasonCode != 1051 } != true, "\(trial)")
    }

    @Test(
        "a signature of zeros is what the client is shown, and refuses, in TLS 1.2 and 1.3",
        arguments: [KeyType.p256, .p384, .p521], [TLSVersion.tls12, .tls13])
    func zeros(type: KeyType, version: TLSVersion) throws {
        let origin = try Origin(key: type)
        let key = try PrivateKey.signingZeros(publicOf: origin.leaf)
        #expect(key.matches(origin.leaf) && key.publicKeyDER == origin.leaf.publicKeyDER && key.type == type)
        #expect(try key.sign([1, 2, 3], with: .sha256) == [0x30, 6, 2, 1, 0, 2, 1, 0])
        #expect(key.signsWhatItsCertificateRefuses)
        let trial = try HandshakeTrial(
            PresentedChain(certificates: [origin.leaf], key: key), to: host("api.example.com"), trusting: [origin.root],
            version: version, now: testNow)
        #expect(!trial.completed && trial.verification == 0)
        #expect(trial.clientError?.says("bad signature") == true, "\(trial.clientError?.description ?? "none")")
    }

    @Test("other kinds of keys have no signature of zeros", arguments: [KeyType.rsa(bits: 2048), .other("ED25519")])
    func noZeros(type: KeyType) throws {
        let origin = try Origin(key: type)
        let error = #expect(throws: ImitationError.self) { try PrivateKey.signingZeros(publicOf: origin.leaf) }
        #expect(error == .keyType(type))
    }

    @Test("keys that cannot be imitated are named", arguments: ["X25519", "X448"])
    func impossible(name: String) throws {
        let origin = try Origin(key: .other(name))
        let error = #expect(throws: ImitationError.self) {
            try PrivateKey.withoutItsPrivateKey(publicOf: origin.leaf)
        }
        #expect(error == .keyType(.other(name)))
        #expect(error?.description == "a key of type \(name) cannot be imitated")
    }
}
