import Foundation
import Support
import TLS
import Testing

@testable import Authority

@Suite("files of certificates")
struct CertificateFilesTests {
    let scratch: TemporaryFolder
    let origin: Origin
    init() throws {
        scratch = try TemporaryFolder()
        origin = try Origin()
    }

    @Test("PEM with several certificates and other blocks between them; DER with one")
    func good() throws {
        let key = String(decoding: try origin.key.pem(), as: UTF8.self)
        let text = "# a comment\n" + origin.leaf.pem + key + "\r\n" + origin.root.pem
        let pem = try scratch.write("chain.pem", text.utf8)
        #expect(try Certificate.readAll(path: pem) == [origin.leaf, origin.root])
        #expect(try Certificate.readAll(path: scratch.write("root.der", origin.root.der)) == [origin.root])
        // Windows line ends (one Character each), and none at the end of the file.
        let windows = origin.root.pem.replacingOccurrences(of: "\n", with: "\r\n").dropLast()
        #expect(try Certificate.readAll(path: scratch.write("w.pem", String(windows).utf8)) == [origin.root])
    }

    @Test("each error names the file, and the second certificate when that is the broken one")
    func bad() throws {
        var broken = origin.root.pem
        broken.replaceSubrange(
            broken.index(broken.startIndex, offsetBy: 60)..<broken.index(broken.startIndex, offsetBy: 70),
            with: "!!!!!!!!!!")
        let cases: [(String, [UInt8], String)] = [
            ("empty.pem", [], "no certificate in this file"),
            ("text.pem", Array("hello".utf8), "no certificate in this file"),
            ("key.pem", try origin.key.pem(), "no certificate in this file"),
            ("cut.der", Array(origin.root.der.dropLast(3)), "cannot parse a certificate"),
            ("second.pem", Array((origin.leaf.pem + broken).utf8), "cannot read certificate 2"),
        ]
        for (name, bytes, words) in cases {
            let path = try scratch.write(name, bytes)
            let error = #expect(throws: CAError.self) { try Certificate.readAll(path: path) }
            #expect(error?.message.hasPrefix(path + ": ") == true)
            #expect(error?.message.contains(words) == true, "\(name): \(error?.message ?? "")")
        }
        let missing = #expect(throws: CAError.self) { try Certificate.readAll(path: scratch.path + "/no.pem") }
        #expect(missing?.code == .missing)
        #expect(throws: CAError.self) { try Certificate.readAll(path: scratch.path) }
        let huge = try scratch.write("huge.pem", Array(repeating: 0x20, count: Certificate.largestFile + 1))
        #expect(throws: CAError.self) { try Certificate.readAll(path: huge) }
    }
}

@Test("an encrypted key and a key that others can read are refused with a hint, before anything else is tried")
func refusedKeys() async throws {
    let scratch = try TemporaryFolder()
    let pem = try PrivateKey.generate(.p256).pem()
    #expect(try PrivateKey.read(path: scratch.write("good.key", pem)).type == .p256)
    for mode in [0o640, 0o604, 0o644, 0o620, 0o660] {
        let path = try scratch.write("open.key", pem, mode: mode)
        let error = #expect(throws: CAError.self) { try PrivateKey.read(path: path) }
        #expect(error?.code == .permissions)
        #expect(error?.hint?.hasPrefix("chmod 600 \(path)") == true)
    }
    let plain = try scratch.write("plain.key", pem)
    let sealed = scratch.path + "/sealed.key"
    let made = try await Command.run(
        "openssl", ["pkey", "-in", plain, "-aes256", "-passout", "pass:x", "-out", sealed])
    #expect(made.status == 0)
    let path = try scratch.write("sealed.key", try File.read(sealed, atMost: 10_000))
    let error = #expect(throws: CAError.self) { try PrivateKey.read(path: path) }
    #expect(error?.message.contains("encrypted") == true)
    let empty = try scratch.write("empty.key", [])
    #expect(throws: CAError.self) { try PrivateKey.read(path: empty) }
    #expect(throws: CAError.self) { try PrivateKey.read(path: scratch.path) }
}
