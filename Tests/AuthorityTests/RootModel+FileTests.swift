import Foundation
import Loop
import Support
import TLS
import TLSSupport
import Testing

@testable import Authority

@Suite("the chain that a CA is made like")
struct RootModelFileTests {
    let scratch: TemporaryFolder
    let origin: Origin
    init() throws {
        scratch = try TemporaryFolder()
        origin = try Origin()
    }

    @Test("with the root or without it, the name is the root's")
    func good() throws {
        let names = try [origin.leaf.pem + origin.root.pem, origin.root.pem].enumerated().map { index, text in
            try RootModel.read(path: scratch.write("chain\(index).pem", text.utf8))
        }
        #expect(names[0] == names[1])
        let folder = scratch.path + "/ca"
        let made = try CASession(CAStore(path: folder)).make(only: nil, like: scratch.path + "/chain0.pem")
        let root = try #require(Certificate.readAll(path: folder + "/root.pem").first)
        #expect(root.subject == origin.root.subject && root.sha256 != origin.root.sha256)
        #expect(made.contains("key       \(origin.root.keyType)\n"))
    }

    @Test("what holds no chain is an error that says so, and no CA is made of it")
    func bad() throws {
        let cases: [(String, [UInt8], CAError.Code, String)] = [
            ("text.pem", Array("hello".utf8), .unusable, "no certificate in this file"),
            ("key.pem", try origin.key.pem(), .unusable, "no certificate in this file"),
            ("leaf.pem", Array(origin.leaf.pem.utf8), .mismatch, "stands alone, and is no CA"),
            (
                "order.pem", Array((origin.root.pem + origin.leaf.pem).utf8), .mismatch,
                "was not issued by the one after it"
            ),
        ]
        for (name, bytes, code, words) in cases {
            let path = try scratch.write(name, bytes)
            let session = CASession(CAStore(path: scratch.path + "/ca"))
            let error = #expect(throws: CAError.self) { try session.make(only: nil, like: path) }
            #expect(error?.code == code && error?.hint != nil)
            #expect(error?.message.hasPrefix(path + ": ") == true)
            #expect(error?.message.contains(words) == true, "\(name): \(error?.message ?? "")")
        }
        let missing = #expect(throws: CAError.self) { try RootModel.read(path: scratch.path + "/no.pem") }
        #expect(missing?.code == .missing)
        #expect(!Files.exists(scratch.path + "/ca"))
    }

    @Test("whoever makes, shows, exports or removes it is told that its name is another's")
    func isTold() throws {
        let chain = try scratch.write("chain.pem", (origin.leaf.pem + origin.root.pem).utf8)
        let session = CASession(CAStore(path: scratch.path + "/ca"))
        let made = try session.make(only: nil, like: chain)
        for text in [made, try session.show()] {
            #expect(text.contains("the root bears a genuine CA's name, and is not that CA"))
            #expect(text.contains("install it on test devices alone"))
        }
        let exported = try session.export(CAExportFormat.allCases, to: scratch.path + "/out", password: "x")
        #expect(exported.contains("beside the genuine root"))
        // In the first place of its hash stands the genuine one.
        #expect(try scratch.names("out").contains { $0.wholeMatch(of: /[0-9a-f]{8}\.1/) != nil })
        let root = try #require(Certificate.readAll(path: scratch.path + "/ca/root.pem").first)
        #expect(try session.remove().contains("look for its sha-256, \(root.sha256)"))
    }

    @Test("a CA with a name of ours is told of nothing of the kind")
    func isNotTold() throws {
        let session = CASession(CAStore(path: scratch.path + "/ca"))
        #expect(try !session.make(only: nil).contains("genuine"))
        _ = try session.export([.android], to: scratch.path + "/out", password: "x")
        #expect(try scratch.names("out").allSatisfy { $0.hasSuffix(".0") })
        #expect(try !session.remove().contains("sha-256"))
    }
}
