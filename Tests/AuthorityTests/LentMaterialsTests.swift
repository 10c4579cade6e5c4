import Facts
import Policy
import Support
import TLSSupport
import Testing

@testable import Authority
@testable import TLS

@Suite("what is lent")
struct LentMaterialsTests {
    let scratch: TemporaryFolder
    let target: HostName
    init() throws {
        scratch = try TemporaryFolder()
        target = try host("api.example.com")
    }

    private func materials(_ lent: LentMaterial, pins: [Pin] = []) throws -> LentMaterials {
        var profile = try profile()
        profile.rules[0].pins = pins
        profile.lent = [target: lent]
        return try LentReader.read(for: profile, now: testNow)
    }

    private func file(_ name: String, _ certificates: Certificate...) throws -> String {
        try scratch.write(name, Array(certificates.map(\.pem).joined().utf8))
    }

    private func complaint(_ lent: LentMaterial) -> String {
        do {
            _ = try materials(lent)
            return "nothing"
        } catch { return "\(error)".replacing(scratch.path + "/", with: "") }
    }

    /// The chain for a variant, from the attack's own recipe.
    private func chain(_ attack: Attack, _ variant: String?, _ lent: LentMaterials) throws -> PresentedChain {
        let material = try ForgeMaterial(.general(now: testNow), lent: lent)
        let one = try #require(attack.variants.first { $0.name == variant })
        let origin = try Origin()
        let chain = try Forge(material).chain(
            for: target, attack: attack, variant: one, rsaLeaf: false,
            genuine: GenuineChain([origin.leaf], verifiedAs: [origin.leaf, origin.root]), now: testNow)
        if attack.id == "lent-key" {
            let trial = try HandshakeTrial(
                chain, to: target, trusting: [material.trusted.root], version: .tls13, now: testNow)
            #expect(trial.completed, "\(trial.verdict)")
        }
        return chain
    }

    @Test(
        "a backup key of any type in use goes into a leaf of the forging CA",
        arguments: [
            KeyType.p256, .p384, .p521, .rsa(bits: 2048), .rsa(bits: 3072),
        ])
    func backupKey(type: KeyType) throws {
        let key = try PrivateKey.generate(type)
        let lent = try materials(LentMaterial(backupKey: scratch.write("backup.key", key.pem())))
        let chain = try chain(.lentKey, nil, lent)
        #expect(chain.certificates[0].publicKeyDER == key.publicKeyDER)
        #expect(chain.certificates.count == 1 && chain.certificates[0].isFor(target))
        #expect(lent.has(.backupKey, for: target) && !lent.has(.otherHost, for: target))
        #expect(lent.warnings.isEmpty)
    }

    @Test("a lent chain for another name is presented as it is, with its key or with one that imitates it")
    func chains() throws {
        let (same, other) = (try Origin("shop.example.com"), try Origin("other.example.com"))
        let lent = try materials(
            LentMaterial(
                sameCAChain: file("same.pem", same.leaf, same.root),
                otherHost: [file("o.pem", other.leaf, other.root), scratch.write("o.key", other.key.pem())]))
        let withKey = try chain(.otherHost, "lent", lent)
        #expect(withKey.certificates == [other.leaf, other.root])
        func trial(_ chain: PresentedChain, _ root: Certificate, _ tolerated: Set<Int>) throws -> HandshakeTrial {
            try HandshakeTrial(
                chain, to: target, trusting: [root], version: .tls13, tolerating: tolerated, now: testNow)
        }
        #expect(try trial(withKey, other.root, []).verification == 62)
        #expect(try trial(withKey, other.root, [62]).completed)
        let without = try chain(.otherHost, "same-ca", lent)
        #expect(without.certificates == [same.leaf, same.root] && without.key.matches(same.leaf))
        #expect(try trial(without, same.root, []).verification == 62)
        // One that overlooks the name gets as far as the signature, and no further.
        let sloppy = try trial(without, same.root, [62])
        #expect(!sloppy.completed && sloppy.clientError?.says("bad signature") ?? false)
    }

    @Test("what is not lent cannot be presented")
    func nothing() throws {
        let none = LentMaterials()
        #expect(throws: ForgeError.nothingLent(target, .backupKey)) { try chain(.lentKey, nil, none) }
        #expect(throws: ForgeError.nothingLent(target, .sameCAChain)) { try chain(.otherHost, "same-ca", none) }
        #expect(throws: ForgeError.nothingLent(target, .otherHost)) { try chain(.otherHost, "lent", none) }
        #expect(none.has(nil, for: target))
    }

    @Test("files that cannot serve say so, by name, and say what to do")
    func faults() throws {
        let origin = try Origin("shop.example.com")
        let own = try Origin()
        let modern = try Origin("shop.example.com", key: .other("X25519"))
        let chain = try file("shop.pem", origin.leaf, origin.root)
        let text = try scratch.write("notes.txt", Array("hello".utf8))
        let stranger = try scratch.write("stranger.key", PrivateKey.generate(.p256).pem())
        #expect(
            complaint(LentMaterial(backupKey: text)) == """
                notes.txt: there is no private key in this file
                hint: keys are read as PEM or DER, without a password
                """)
        #expect(complaint(LentMaterial(backupKey: "\(scratch.path)/gone.key")) == "gone.key: no such file")
        #expect(complaint(LentMaterial(backupKey: chain)).hasPrefix("shop.pem: there is no private key in this file"))
        let short = try scratch.write("short.key", PrivateKey.generate(.rsa(bits: 1024)).pem())
        #expect(complaint(LentMaterial(backupKey: short)).hasPrefix("short.key: a server's key of type RSA-1024"))
        let halves = try scratch.write("halves.key", PrivateKey.withoutItsPrivateKey(publicOf: origin.leaf).pem())
        #expect(complaint(LentMaterial(backupKey: halves)).contains("halves.key: "))
        #expect(
            complaint(LentMaterial(otherHost: [chain, stranger])).hasPrefix(
                "stranger.key: the key does not belong to CN=shop.example.com,O=Example, the first in shop.pem"))
        let backwards = try file("backwards.pem", origin.root, origin.leaf)
        #expect(complaint(LentMaterial(sameCAChain: backwards)).contains("is a CA's\nhint: the server's own"))
        let mine = try file("mine.pem", own.leaf, own.root)
        #expect(
            complaint(LentMaterial(sameCAChain: mine)).hasPrefix("mine.pem: this chain is for api.example.com itself"))
        #expect(complaint(LentMaterial(otherHost: [mine, stranger])).contains("is for api.example.com itself"))
        let odd = try file("odd.pem", modern.leaf)
        #expect(complaint(LentMaterial(sameCAChain: odd)).contains("cannot be imitated"))
        #expect(complaint(LentMaterial(sameCAChain: text)).contains("notes.txt: there is no certificate in this file"))
    }

    @Test("a key that is not pinned, and a chain outside its dates, are told and used all the same")
    func warnings() throws {
        let key = try PrivateKey.generate(.p256)
        let pin = try #require(Pin("sha256/\(Base64.encode(SHA256.digest(key.publicKeyDER)))"))
        let path = try scratch.write("backup.key", key.pem())
        #expect(try materials(LentMaterial(backupKey: path), pins: [pin]).warnings.isEmpty)
        let other = try #require(Pin("sha256/\(Base64.encode(SHA256.digest([1])))"))
        let warned = try materials(LentMaterial(backupKey: path), pins: [other]).warnings
        #expect(warned.count == 1 && warned[0].contains("is not among the pins"))
        let old = try Origin("shop.example.com")
        var profile = try profile()
        profile.lent = [target: LentMaterial(sameCAChain: try file("old.pem", old.leaf))]
        let late = try LentReader.read(for: profile, now: testNow + 86_400 * 400)
        #expect(
            late.warnings.count == 1 && late.warnings[0].contains("old.pem: CN=shop.example.com,O=Example is outside"))
        #expect(late.has(.sameCAChain, for: target))
    }

    @Test("keys are read in every form that people keep them in", arguments: [KeyType.p256, .p384, .rsa(bits: 2048)])
    func forms(type: KeyType) async throws {
        let key = try PrivateKey.generate(type)
        let source = try scratch.write("source.key", key.pem())
        var isRSA = false
        if case .rsa = type { isRSA = true }
        let forms = [
            ["pkey", "-traditional"], ["pkey", "-traditional", "-outform", "DER"],
            ["pkcs8", "-topk8", "-nocrypt"], ["pkcs8", "-topk8", "-nocrypt", "-outform", "DER"],
            isRSA ? ["rsa", "-outform", "DER"] : ["ec", "-outform", "DER", "-no_public"],
            isRSA ? ["rsa", "-traditional"] : ["ec", "-param_enc", "named_curve"],
        ]
        for (index, form) in forms.enumerated() {
            let out = "\(scratch.path)/\(index).key"
            let done = try await Command.run("openssl", form + ["-in", source, "-out", out])
            try #require(done.status == 0, "\(form): \(done.errors)")
            let read = try PrivateKey.read(path: out, isLent: true)
            #expect(read.publicKeyDER == key.publicKeyDER, "\(form)")
        }
        // As `openssl ecparam -genkey` writes it, with the parameters before the key.
        let parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
        let both = try scratch.write("both.key", Array(parameters.utf8) + key.pem())
        #expect(try PrivateKey.read(path: both, isLent: true).publicKeyDER == key.publicKeyDER)
    }
}
