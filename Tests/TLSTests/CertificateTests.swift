import Facts
import Foundation
import TLSSupport
import Testing

@testable import TLS

@Test("a certificate survives DER and PEM, and says what it was made of")
func roundTrip() throws {
    let origin = try Origin()
    let again = try Certificate(der: origin.leaf.der)
    #expect(again == origin.leaf)
    #expect(try Certificate(pem: Array(origin.leaf.pem.utf8)) == origin.leaf)
    #expect(again.sha256 == SHA256.hex(origin.leaf.der))
    #expect(again.subject == "CN=api.example.com,O=Example")
    #expect(again.issuer == origin.root.subject)
    #expect(again.notBefore == Int64(testNow) - 86_400)
    #expect(again.notAfter == Int64(testNow) + 86_400 * 300)
    #expect(again.publicKeyDER == origin.key.publicKeyDER)
    #expect(again.spkiSHA256Base64 == Base64.encode(SHA256.digest(origin.key.publicKeyDER)))
    #expect(again.keyType == .p256)
    #expect(origin.root.signed(again))
    #expect(!again.signed(origin.root))
}

@Test("bytes after a certificate, a cut one and no bytes at all are errors that leave the queue empty")
func noCertificates() throws {
    let der = try Origin().leaf.der
    #expect(throws: OpenSSLError.self) { try Certificate(der: der + [0]) }
    #expect(throws: OpenSSLError.self) { try Certificate(der: Array(der.dropLast())) }
    #expect(throws: OpenSSLError.self) { try Certificate(der: []) }
    #expect(OpenSSLError.drain("look").entries.isEmpty)
}

@Test("an error names what was tried and what OpenSSL said, and is not mixed with an older one")
func errors() throws {
    _ = try? Certificate(der: [0x30, 0x03, 0x02, 0x01])
    let error = #expect(throws: OpenSSLError.self) { try PrivateKey(pem: Array("nothing".utf8)) }
    #expect(error?.operation == "read a private key")
    #expect(
        error?.entries.contains { $0.reason.contains("no start line") || $0.reason.contains("unsupported") } == true)
    #expect(error?.description.hasPrefix("cannot read a private key: ") == true)
    #expect(error?.entries.contains { $0.library.contains("asn1") || $0.library.contains("ASN.1") } == false)
}

@Test("subjects of hostile certificates are printed without control characters")
func hostileSubject() throws {
    let key = try PrivateKey.generate(.p256)
    let name = DistinguishedName(organization: nil, commonName: "a\u{1b}[31m\u{0}\nb").der
    let certificate = try CertificateBuilder(
        serial: [1], signature: .ecdsa(.sha256), issuer: name, subject: name, notBefore: 0, notAfter: 1,
        publicKey: key.publicKeyDER, extensions: []
    ).signed(by: key)
    #expect(certificate.subject.unicodeScalars.allSatisfy { $0.value >= 0x20 })
}

@Test("a certificate whose dates cannot be read was never valid")
func unreadableDates() throws {
    var der = try Origin().leaf.der
    // The first UTCTime is notBefore: month 13.
    let at = try #require(der.indices.first { der[$0] == 0x17 && der[$0 + 1] == 13 })
    der.replaceSubrange(at + 4..<at + 6, with: Array("13".utf8))
    let certificate = try? Certificate(der: der)
    #expect(certificate == nil || certificate?.notBefore == .max)
}
