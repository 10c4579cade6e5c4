import Facts
import Support
import TLSSupport
import Testing

@testable import TLS

@Suite("Material for pins")
struct PinMaterialTests {
    private let authority: Certificate
    private let key: PrivateKey

    init() throws {
        authority = try CertificateAuthority.general(now: testNow).root
        key = try PrivateKey.generate(.p256)
    }

    private func fault(_ bytes: [UInt8], password: String? = nil) -> PinMaterialFault? {
        do throws(PinMaterialFault) {
            _ = try PinMaterialReader.read(bytes, password: password)
            return nil
        } catch {
            return error
        }
    }

    @Test("certificates and keys keep the order of their file, and text between them is passed over")
    func order() throws {
        let text = "first\n\(String(decoding: try key.pem(), as: UTF8.self))\nthen\n\(authority.pem)"
        let found = try PinMaterialReader.read(Array(text.utf8))
        #expect(found.map(\.certificate) == [nil, authority])
        #expect(found.map(\.publicKeyDER) == [key.publicKeyDER, authority.publicKeyDER])
        #expect(found[0].keyName == "EC-P256")
        #expect(Base64.encode(found[1].spkiSHA256) == authority.spkiSHA256Base64)
    }

    @Test("DER may have line breaks and NULs behind it, and nothing else")
    func padding() throws {
        for padding: [UInt8] in [[10], [13, 10], [0, 0, 0]] {
            #expect(try PinMaterialReader.read(authority.der + padding).map(\.certificate) == [authority])
            #expect(try PinMaterialReader.read(key.publicKeyDER + padding).map(\.publicKeyDER) == [key.publicKeyDER])
        }
        let two = try PinMaterialReader.read(authority.der + authority.der + [10])
        #expect(two.map(\.certificate) == [authority, authority])
        guard case .nothing(let words)? = fault(authority.der + [1, 2, 3]) else { return #expect(Bool(false)) }
        #expect(words == "3 bytes that are no DER follow the DER at its beginning")
        #expect(fault(authority.der + authority.der.dropLast(2)) != nil)
    }

    @Test("PEM in the strings of JSON, environment files and code is read, too")
    func strings() throws {
        let escaped = authority.pem.replacing("\n", with: "\\n")
        let java = authority.pem.split(separator: "\n").map { "    \"\($0)\\n\"" }.joined(separator: " +\n") + ";\n"
        for text in ["{\"a\": \"\(escaped)\"}", "CERT=\"\(escaped)\"", "CERT=\(escaped)\n", "String c = \n\(java)"] {
            #expect(try PinMaterialReader.read(Array(text.utf8)).map(\.certificate) == [authority], "\(text)")
        }
    }

    @Test("a request has its names and its key")
    func request() throws {
        let names = try ["api.test", "192.0.2.1"].map { try #require(HostName($0)) }
        let request = CertificateRequest(for: names, key: key)
        let found = try PinMaterialReader.read(try request.der())
        #expect(found.map(\.kind) == [.request(subject: "CN=api.test", names: ["api.test"])])
        #expect(found[0].publicKeyDER == key.publicKeyDER)
        #expect(try PinMaterialReader.read(Array(try request.pem().utf8)) == found)
    }

    @Test("a name that is too long for a common name is in the SAN alone")
    func longName() throws {
        let name = try #require(HostName(String(repeating: "a", count: 62) + ".example"))
        let found = try PinMaterialReader.read(try CertificateRequest(for: [name], key: key).der())
        #expect(found.map(\.kind) == [.request(subject: "", names: [name.text])])
    }

    @Test("PKCS#12 wants a password, also where it is not used, and the right one")
    func password() throws {
        let store = try authority.trustStore(password: "x")
        #expect(fault(store) == .needsPassword("PKCS#12 file"))
        #expect(fault(store, password: "y") == .wrongPassword("PKCS#12 file"))
        #expect(try PinMaterialReader.read(store, password: "x").map(\.certificate) == [authority])
    }

    @Test("what costs too much is refused before it is done")
    func rounds() throws {
        // PBKDF2-params: salt, iterations, length
        func parameters(_ rounds: [UInt8]) -> [UInt8] {
            DER.sequence(DER.oid(1, 2, 840, 113_549, 1, 5, 12), DER.sequence(DER.octetString([1]), DER.integer(rounds)))
        }
        #expect(throws: Never.self) { try PasswordHashing.require(parameters([0x0f, 0x42, 0x40])) }
        #expect(throws: PinMaterialFault.tooManyRounds(1_000_001)) {
            try PasswordHashing.require(parameters([0x0f, 0x42, 0x41]))
        }
        #expect(throws: PinMaterialFault.tooManyRounds(.max)) {
            try PasswordHashing.require(parameters(Array(repeating: 0xff, count: 9)))
        }
    }

    @Test("a store of Java's that lies about its lengths is damaged, and nothing is read beyond it")
    func javaStore() {
        let head: [UInt8] = [0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2]
        for tail in [[], [0xff, 0xff, 0xff, 0xff], [0, 0, 0, 1, 0, 0, 0, 2, 0xff, 0xff]] as [[UInt8]] {
            guard case .damaged("Java key store", _) = fault(head + tail) else {
                Issue.record("\(tail) is taken for a store")
                continue
            }
        }
    }

    @Test("the certificates of a Bouncy Castle store stand in the clear, beside keys of every kind")
    func bouncyCastle() throws {
        func number(_ value: Int, _ size: Int = 4) -> [UInt8] {
            (0..<size).reversed().map { UInt8(value >> (8 * $0) & 255) }
        }
        func text(_ value: String) -> [UInt8] { number(value.utf8.count, 2) + Array(value.utf8) }
        let certificate = text("X.509") + number(authority.der.count) + authority.der
        func entry(_ kind: Int, _ chain: [UInt8], _ body: [UInt8]) -> [UInt8] {
            number(kind, 1) + text("alias") + number(0, 8) + chain + body
        }
        let head = number(2) + number(20) + [UInt8](repeating: 9, count: 20) + number(1024)
        let store =
            head + entry(1, number(0), certificate) + entry(4, number(1) + certificate, number(3) + [1, 2, 3])
            + entry(2, number(0), [0] + text("RAW") + text("AES") + number(2) + [1, 2])
            + entry(3, number(0), number(1) + [7]) + [0] + [UInt8](repeating: 5, count: 20)
        #expect(try PinMaterialReader.read(store).map(\.certificate) == [authority, authority])
        for count in stride(from: 32, to: store.count - 21, by: 11) {
            guard case .damaged("key store of Bouncy Castle", _) = fault(Array(store[..<count])) else {
                Issue.record("\(count) bytes are taken for a store")
                continue
            }
        }
    }

    @Test("whatever is cut off or changed is told of, and never more than that")
    func mutilated() throws {
        let sources = [
            Array(authority.pem.utf8), authority.der, try authority.trustStore(password: "x"), try key.pem(),
            try CertificateRequest(for: [try #require(HostName("a.test"))], key: key).der(), key.publicKeyDER,
        ]
        var random = SeededGenerator(seed: 7)
        for source in sources {
            for count in stride(from: 0, to: source.count, by: 7) { _ = fault(Array(source[..<count]), password: "x") }
            for _ in 0..<200 {
                var changed = source
                changed[Int.random(in: 0..<changed.count, using: &random)] = .random(in: 0...255, using: &random)
                _ = fault(changed, password: "x")
            }
        }
    }

    @Test("larger files than any of the kind are not read")
    func large() {
        guard case .tooLarge = fault([UInt8](repeating: 0x30, count: PinMaterialReader.sizeLimit + 1)) else {
            Issue.record("it was read")
            return
        }
    }
}
