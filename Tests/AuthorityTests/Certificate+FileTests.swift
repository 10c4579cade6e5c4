import Foundation
import Support
import TLS
import TLSSupport
import Testing

@testable import Authority

@Suite("files of certificates")
struct CertificateFileTests {
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
