import Facts
import Foundation
import Policy
import Support
import TLSSupport
import Testing

@testable import Authority
@testable import TLS

@Suite("a CA on disk")
struct CAStoreTests {
    let scratch: TemporaryFolder
    let store: CAStore
    init() throws {
        scratch = try TemporaryFolder()
        store = CAStore(path: scratch.path + "/ca/local")
    }

    private func error(_ body: () throws -> Void) -> CAError? { #expect(throws: CAError.self, performing: body) }

    private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: store.path).sorted() }

    @Test("a general CA: keys 0600 in a folder 0700, and the same CA when it is loaded")
    func general() throws {
        #expect(!store.exists)
        let made = try store.initialise(.general, now: testNow)
        #expect(store.exists)
        #expect(try files() == ["ca.json", "root.key", "root.pem"])
        #expect(try mode(of: store.path) == 0o700)
        #expect(try mode(of: store.path + "/root.key") == 0o600)
        let loaded = try store.load(now: testNow)
        #expect(loaded.root == made.root && loaded.kind == .general)
        #expect(try store.loadOrCreate(now: testNow).root == made.root)
        // Nothing of the making is left beside it.
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/ca") == ["local"])
    }

    @Test("a constrained CA: no root key on disk, and its scope survives")
    func constrained() throws {
        let made = try store.initialise(.constrained(try profile()), now: testNow)
        #expect(try files() == ["ca.json", "intermediate.key", "intermediate.pem", "root.pem"])
        #expect(try mode(of: store.path + "/intermediate.key") == 0o600)
        let loaded = try store.load(now: testNow)
        #expect(loaded.kind == .constrained && loaded.scope == ["api.example.com"])
        #expect(loaded.root == made.root && loaded.issuing == made.issuing)
        #expect(try !loaded.permits(host("example.com")))
    }

    @Test("a key that others can read is refused, with the chmod to run", arguments: [0o640, 0o604, 0o644, 0o660])
    func readableKey(mode: Int) throws {
        _ = try store.initialise(.general, now: testNow)
        let key = store.path + "/root.key"
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: key)
        let refused = error { _ = try store.load(now: testNow) }
        #expect(refused?.code == .permissions)
        #expect(refused?.message.contains(key) == true)
        #expect(refused?.hint?.contains("chmod 600 \(key)") == true)
        #expect(error { _ = try store.loadOrCreate(now: testNow) }?.code == .permissions)
    }

    @Test("a folder that cannot be read is not called empty, and nothing is made in its place")
    func unreadableFolder() throws {
        let path = scratch.path + "/loop"
        // Unlike a mode, a link to itself keeps the superuser out as well.
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        let store = CAStore(path: path)
        let actions: [() throws -> Void] = [
            { _ = try store.load(now: testNow) }, { _ = try store.loadOrCreate(now: testNow) },
            { _ = try store.initialise(.general, now: testNow) }, { try store.remove() },
        ]
        for action in actions {
            let refused = error(action)
            #expect(refused?.code == .unusable)
            #expect(refused?.message.hasPrefix("\(path): cannot read it: ") == true)
        }
        #expect(error { _ = try CAStore(path: scratch.path + "/none").load(now: testNow) }?.code == .missing)
    }

    @Test("a folder whose mode keeps us out is told as such")
    func forbiddenFolder() throws {
        _ = try store.initialise(.general, now: testNow)
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o000], ofItemAtPath: store.path)
        defer { try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: store.path) }
        // The superuser may read everything.
        guard !manager.isReadableFile(atPath: store.path) else { return }
        #expect(error { _ = try store.load(now: testNow) }?.message.hasSuffix("permission denied") == true)
    }

    @Test(
        "a folder that others can enter, list or write into is refused, with the chmod to run",
        arguments: [0o755, 0o711, 0o750, 0o770, 0o777])
    func openFolder(mode: Int) throws {
        _ = try store.initialise(.general, now: testNow)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: store.path)
        let refused = error { _ = try store.load(now: testNow) }
        #expect(refused?.code == .permissions && refused?.hint == "chmod 700 \(store.path)")
        #expect(error { _ = try store.loadOrCreate(now: testNow) }?.code == .permissions)
        #expect(error { try store.remove() }?.code == .permissions)
    }

    @Test("a CA in a folder that others may enter is fine, as long as its own is closed")
    func openParent() throws {
        _ = try store.initialise(.general, now: testNow)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch.path + "/ca")
        #expect(throws: Never.self) { try store.load(now: testNow) }
    }

    @Test("a file of the CA that others can write is refused, key or not")
    func writableFile() throws {
        _ = try store.initialise(.general, now: testNow)
        let facts = store.path + "/ca.json"
        try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: facts)
        #expect(error { _ = try store.load(now: testNow) }?.hint == "chmod go-w \(facts)")
    }

    @Test("what belongs to another user is refused, to root as well", arguments: ["", "/root.pem", "/root.key"])
    func anotherOwner(part: String) async throws {
        _ = try store.initialise(.general, now: testNow)
        // Only root can give a file away.
        guard try await Command.run("chown", ["12345", store.path + part]).status == 0 else { return }
        let refused = error { _ = try store.load(now: testNow) }
        #expect(refused?.code == .permissions && refused?.message.contains("(uid 12345)") == true)
        #expect(refused?.hint?.contains("chown") == true)
    }

    @Test("a link is followed to a folder of our own, and refused to one of somebody else")
    func links() async throws {
        _ = try store.initialise(.general, now: testNow)
        let link = CAStore(path: scratch.path + "/link")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: store.path)
        #expect(try link.load(now: testNow).root == store.load(now: testNow).root)
        // Only root can give a folder away.
        guard try await Command.run("chown", ["12345:12345", store.path]).status == 0 else { return }
        let refused = error { _ = try link.load(now: testNow) }
        #expect(refused?.code == .permissions && refused?.message.contains("12345") == true)
    }

    @Test("an existing CA, and anything else that lies there, is never overwritten")
    func neverOverwritten() throws {
        let made = try store.initialise(.general, now: testNow)
        #expect(error { _ = try store.initialise(.general, now: testNow) }?.code == .exists)
        #expect(try store.load(now: testNow).root == made.root)
        let other = CAStore(path: scratch.path + "/other")
        try FileManager.default.createDirectory(atPath: other.path, withIntermediateDirectories: true)
        _ = try scratch.write("other/notes.txt", Array("mine".utf8))
        #expect(error { _ = try other.initialise(.general, now: testNow) }?.code == .exists)
        #expect(error { _ = try other.loadOrCreate(now: testNow) }?.code == .exists)
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == ["notes.txt"])
        let file = CAStore(path: try scratch.write("file", []))
        #expect(error { _ = try file.initialise(.general, now: testNow) }?.code == .exists)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).allSatisfy { !$0.contains(".new-") })
    }

    @Test("an empty folder is taken, and then closed to others")
    func emptyFolder() throws {
        try FileManager.default.createDirectory(atPath: store.path, withIntermediateDirectories: true)
        _ = try store.loadOrCreate(now: testNow)
        #expect(try mode(of: store.path) == 0o700)
    }

    @Test("many that create at once get one CA, and whoever looks meanwhile sees a whole one or none")
    func concurrent() async throws {
        let store = store
        let roots = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<24 {
                group.addTask {
                    if number % 3 == 0 { return store.exists ? try store.load(now: testNow).root.sha256 : nil }
                    return try store.loadOrCreate(now: testNow).root.sha256
                }
            }
            return try await group.reduce(into: Set<String>()) { if let root = $1 { $0.insert(root) } }
        }
        #expect(roots == [try store.load(now: testNow).root.sha256])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/ca") == ["local"])
    }

    @Test("what a killed process left half-written is no CA, does no harm, and is swept away after an hour")
    func halfWritten() throws {
        let draft = scratch.path + "/ca/.local.new-0123456789abcdef"
        try FileManager.default.createDirectory(atPath: draft, withIntermediateDirectories: true)
        _ = try scratch.write("ca/.local.new-0123456789abcdef/root.key", Array("half a ke".utf8))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: testNow)], ofItemAtPath: draft)
        #expect(!store.exists)
        #expect(error { _ = try store.load(now: testNow) }?.code == .missing)
        _ = try store.initialise(.general, now: testNow + 60)
        #expect(FileManager.default.fileExists(atPath: draft))
        try store.remove()
        _ = try store.initialise(.general, now: testNow + 3700)
        #expect(!FileManager.default.fileExists(atPath: draft))
    }

    @Test("remove deletes what was made and nothing else")
    func remove() throws {
        #expect(error { try store.remove() }?.code == .missing)
        _ = try store.initialise(.constrained(try profile()), now: testNow)
        #expect(try store.remove().contains(store.path))
        #expect(!FileManager.default.fileExists(atPath: store.path))
        _ = try store.initialise(.general, now: testNow)
        _ = try scratch.write("ca/local/notes.txt", Array("mine".utf8))
        let removed = try store.remove()
        #expect(removed.count == 3 && !removed.contains(store.path))
        #expect(try files() == ["notes.txt"])
    }

    @Test("damage is told apart: a foreign key, a cut file, swapped facts, a root key beside an intermediate")
    func damage() throws {
        let made = try store.initialise(.general, now: testNow)
        let key = try File.read(store.path + "/root.key", atMost: 10_000)
        _ = try scratch.write("ca/local/root.key", PrivateKey.generate(.p256).pem())
        #expect(error { _ = try store.load(now: testNow) }?.code == .mismatch)
        _ = try scratch.write("ca/local/root.key", key.prefix(100))
        #expect(error { _ = try store.load(now: testNow) }?.message.hasPrefix(store.path + "/root.key: ") == true)
        _ = try scratch.write("ca/local/root.key", key)
        for (text, code) in [("{", CAError.Code.unusable), ("{}", .unusable)] {
            _ = try scratch.write("ca/local/ca.json", Array(text.utf8))
            #expect(error { _ = try store.load(now: testNow) }?.code == code)
        }
        let facts = CAStore.FactsFile(
            kind: "general", created: "", scope: [], sha256: String(repeating: "0", count: 64))
        _ = try scratch.write("ca/local/ca.json", JSONEncoder().encode(facts))
        #expect(error { _ = try store.load(now: testNow) }?.code == .mismatch)
        try FileManager.default.removeItem(atPath: store.path + "/root.pem")
        #expect(error { _ = try store.load(now: testNow) }?.code == .missing)

        let tight = CAStore(path: scratch.path + "/tight")
        _ = try tight.initialise(.constrained(try profile()), now: testNow)
        _ = try scratch.write("tight/root.key", key)
        #expect(error { _ = try tight.load(now: testNow) }?.code == .mismatch)
        try FileManager.default.removeItem(atPath: tight.path + "/root.key")
        _ = try scratch.write("tight/root.pem", Array(made.root.pem.utf8))
        #expect(error { _ = try tight.load(now: testNow) }?.code == .mismatch)
    }

    @Test("a CA that has ended is refused with what to do")
    func ended() throws {
        _ = try store.initialise(.general, now: testNow)
        let refused = error { _ = try store.load(now: testNow + 731 * 86_400) }
        #expect(refused?.code == .expired && refused?.hint != nil)
        #expect(refused?.message.contains("ended on 2028-01-01") == true)
        #expect(error { _ = try store.load(now: testNow - 123 * 86_400) }?.code == .expired)
    }

    @Test("a lent CA must be a CA, current, and the key its own")
    func lent() throws {
        let made = try CertificateAuthority.general(now: testNow)
        let key = try scratch.write("ca.key", made.key.pem())
        let good = try scratch.write("ca.pem", Array(made.root.pem.utf8))
        let lent = try CAStore.lend(certificate: good, key: key, now: testNow)
        #expect(lent.kind == .lent && lent.root == made.root)

        let origin = try Origin()
        let leaf = try scratch.write("leaf.pem", Array(origin.leaf.pem.utf8))
        let leafKey = try scratch.write("leaf.key", origin.key.pem())
        let notCA = error { _ = try CAStore.lend(certificate: leaf, key: leafKey, now: testNow) }
        #expect(notCA?.code == .notAnAuthority && notCA?.message.hasPrefix(leaf) == true)
        #expect(error { _ = try CAStore.lend(certificate: good, key: leafKey, now: testNow) }?.code == .mismatch)
        #expect(error { _ = try CAStore.lend(certificate: good, key: key, now: testNow + 1e9) }?.code == .expired)
        let open = try scratch.write("open.key", made.key.pem(), mode: 0o644)
        #expect(try CAStore.lend(certificate: good, key: open, now: testNow).root == made.root)
        #expect(CAStore.isExposed(key: open) && !CAStore.isExposed(key: key))
        #expect(error { _ = try CAStore.lend(certificate: "/no/ca.pem", key: key, now: testNow) }?.code == .missing)
    }

    @Test("a lent CA without keyCertSign, for clients only, or with a key nobody can verify, is refused")
    func lentKinds() throws {
        let clientAuth = CertificateExtension(
            oid: OID.extendedKeyUsage, critical: false, value: DER.sequence(DER.oid(1, 3, 6, 1, 5, 5, 7, 3, 2)))
        let name = DistinguishedName(commonName: "Team CA").der
        let cases: [(KeyType, [CertificateExtension], CAError.Code?)] = [
            (.p256, [.authority(pathLength: 0)], nil),
            (.p256, [.authority(pathLength: 0), .keyUsage(.digitalSignature)], .notAnAuthority),
            (.p256, [.authority(pathLength: 0), clientAuth], .notAnAuthority),
            (.rsa(bits: 1024), [.authority(pathLength: 0)], .unusable),
            (.ec(curve: "secp224r1"), [.authority(pathLength: 0)], .unusable),
        ]
        for (type, extensions, code) in cases {
            let key = try PrivateKey.generate(type)
            let certificate = try CertificateBuilder(
                serial: [1], signature: CertificateAuthority.signature(for: key), issuer: name, subject: name,
                notBefore: Int64(testNow) - 10, notAfter: Int64(testNow) + 1000, publicKey: key.publicKeyDER,
                extensions: extensions
            ).signed(by: key)
            let pem = try scratch.write("case.pem", Array(certificate.pem.utf8))
            let keyPath = try scratch.write("case.key", key.pem())
            if let code {
                let refused = error { _ = try CAStore.lend(certificate: pem, key: keyPath, now: testNow) }
                #expect(refused?.code == code, "\(type) \(refused?.message ?? "")")
            } else {
                #expect(try CAStore.lend(certificate: pem, key: keyPath, now: testNow).permits(host("a.test")))
            }
        }
    }
}
