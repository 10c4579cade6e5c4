import Facts
import Foundation
import Loop
import Policy
import Support
import TLS
import Testing

@testable import Authority

@Test("a CA that was made for other hosts is refused, and the host named")
func outsideScope() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/ca"
    let profile = try sampleProfile([("api.test", .refuse), ("bank.test", .tunnel)])
    _ = try CAStore(path: path).initialise(.constrained(profile), now: WallClock.now)
    let ca = try ForgingCA.open(.folder(path), now: WallClock.now)
    // Hosts that are only tunnelled need no certificate.
    try ca.requireScope(for: profile)
    var other = try sampleProfile([("api.test", .refuse), ("*.cdn.test", .accept)])
    #expect(throws: CAUseError.outsideScope(host: "*.cdn.test", scope: ["api.test"], ca: path)) {
        try ca.requireScope(for: other)
    }
    other = profile
    other.controls = [try #require(HostPattern("control.test"))]
    #expect(throws: CAUseError.outsideScope(host: "control.test", scope: ["api.test"], ca: path)) {
        try ca.requireScope(for: other)
    }
    #expect(throws: CAUseError.self) {
        try ca.requireScope(forDebugging: Profile(name: "everything", others: .accept))
    }
}

@Test("a general CA is made on first use and found again")
func madeOnce() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/deep/ca"
    let first = try ForgingCA.open(.folder(path), now: WallClock.now)
    let second = try ForgingCA.open(.folder(path), now: WallClock.now)
    #expect(first.isNew && !second.isNew)
    #expect(first.authority.root.sha256 == second.authority.root.sha256)
    #expect(first.rootPath == path + "/root.pem")
    try first.requireScope(for: try sampleProfile())
}

@Test("a project's own CA comes first, and else it is the user's, whatever the folder")
func usualChoice() throws {
    let folder = try TemporaryFolder()
    let environment = ["PINPROOF_HOME": folder.path + "/data"]
    let personal = CAChoice.personal(try DataFolder(environment: environment))
    #expect(try CAChoice.usual(environment: environment, below: folder.path + "/") == personal)
    try FileManager.default.createDirectory(atPath: folder.path + "/ca", withIntermediateDirectories: false)
    #expect(try CAChoice.usual(environment: environment, below: folder.path + "/") == personal)
    // Even one that cannot be used: it is told, and no other takes its place.
    _ = try folder.write("ca/local", [])
    let project = CAChoice.folder(folder.path + "/ca/local")
    #expect(try CAChoice.usual(environment: environment, below: folder.path + "/") == project)
    #expect(throws: CAError.self) { try ForgingCA.open(project, now: WallClock.now) }
}

@Test("the user's own CA is made on first use, in a data folder that nobody else can look into")
func personalCA() throws {
    let folder = try TemporaryFolder()
    let data = try DataFolder(environment: ["PINPROOF_HOME": folder.path + "/a/data"])
    let first = try ForgingCA.open(.personal(data), now: WallClock.now)
    #expect(first.isNew && first.rootPath == data.path + "/ca/root.pem")
    for made in ["a", "a/data", "a/data/ca"] { #expect(try mode(of: "\(folder.path)/\(made)") == 0o700) }
    let second = try ForgingCA.open(.personal(data), now: WallClock.now)
    #expect(!second.isNew && second.authority.root == first.authority.root)
    #expect(try CASession(CAStore(in: data)).show().contains(data.path + "/ca/root.pem"))
}

@Test("an ephemeral CA leaves nothing on disk and is another one each time")
func ephemeral() throws {
    let one = try ForgingCA.open(.ephemeral, now: WallClock.now)
    let two = try ForgingCA.open(.ephemeral, now: WallClock.now)
    #expect(one.rootPath == nil)
    #expect(one.authority.root.sha256 != two.authority.root.sha256)
}

@Test("a constrained CA is shown with the reserved domain, and with what its limits depend on")
func constrainedScope() throws {
    let folder = try TemporaryFolder()
    let profile = try sampleProfile([("api.example.com", .refuse)])
    let session = CASession(CAStore(path: folder.path + "/ca"))
    for text in [try session.make(only: profile), try session.show()] {
        #expect(text.contains("signs for api.example.com (and names below them)\n"))
        #expect(text.contains("the reserved pinproof.invalid"))
        #expect(text.contains("nothing else, for clients that enforce name constraints"))
    }
}

@Test("ca init, show, export and remove tell what they did, and never touch a key on export")
func session() throws {
    let folder = try TemporaryFolder()
    let session = CASession(CAStore(path: folder.path + "/ca"))
    #expect(try session.make(only: nil).contains("signs for every host"))
    #expect(throws: CAError.self) { try session.make(only: nil) }
    #expect(try session.show().contains(folder.path + "/ca/root.pem"))
    _ = try session.export(CAExportFormat.allCases, to: folder.path + "/out", password: "x")
    let names = try folder.names("out")
    #expect(names.count == CAExportFormat.allCases.count)
    for name in names where !name.hasSuffix(".p12") && !name.hasSuffix(".cer") {
        #expect(try !folder.text("out/\(name)").contains("PRIVATE KEY"))
    }
    #expect(try session.remove().contains("removed \(folder.path)/ca/root.key"))
    #expect(throws: CAError.self) { try session.show() }
    #expect(throws: CAUseError.unknownExportFormat("jks")) { try CAExportFormat.parse(list: "pem,jks") }
    #expect(try CAExportFormat.parse(list: "der,pem,der") == [.der, .pem])
}

@Suite("what a run's CA and what is lent can present")
struct PresentableTests {
    private func names(_ attacks: [Attack]) -> [String] {
        attacks.flatMap { attack in attack.variants.map(attack.name(of:)) }
    }

    @Test("without anything lent the variants that need it are not in the run, and nobody is bothered with it")
    func nothingLent() throws {
        let ca = try ForgingCA.open(.ephemeral, now: WallClock.now)
        let all = AttackSelection.set(.all).attacks
        let found = ca.presentable(all, for: try sampleProfile(), lent: LentMaterials())
        #expect(found.warnings.isEmpty)
        let lacking = Set(names(all)).subtracting(names(found.attacks))
        #expect(lacking.isSuperset(of: ["lent-key", "other-host/same-ca", "other-host/lent"]))
        // `api.test` is in no domain that a wildcard may stand for.
        #expect(lacking.contains("trusted-ca/wildcard"))
        #expect(all.flatMap(\.variants).count { $0.needs != nil } == lacking.count - 1)
        #expect(
            !found.attacks.contains { $0.id == Attack.lentKey.id } && !found.attacks.contains { $0.variants.isEmpty })
    }

    @Test("what is lent for one host brings its variants into the run")
    func lent() throws {
        let folder = try TemporaryFolder()
        let store = CAStore(path: folder.path + "/ca")
        _ = try store.initialise(.general, now: WallClock.now)
        var profile = try sampleProfile([("api.test", .refuse), ("b.test", .refuse)])
        let host = try #require(HostName("b.test"))
        profile.lent = [host: LentMaterial(backupKey: folder.path + "/ca/root.key")]
        let lent = try LentReader.read(for: profile, now: WallClock.now)
        let ca = try ForgingCA.open(.ephemeral, now: WallClock.now)
        let found = ca.presentable(AttackSelection.set(.standard).attacks, for: profile, lent: lent)
        #expect(names(found.attacks).contains("lent-key") && !names(found.attacks).contains("other-host/lent"))
    }

    @Test("what a constrained CA may sign for no host is left out, and told once for each reason")
    func constrained() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/ca"
        func found(_ hosts: [(String, HostExpectation)], made: [(String, HostExpectation)]) throws -> (
            names: [String], warnings: [String]
        ) {
            let store = CAStore(path: path)
            if store.exists { try store.remove() }
            _ = try store.initialise(.constrained(sampleProfile(made)), now: WallClock.now)
            let ca = try ForgingCA.open(.folder(path), now: WallClock.now)
            let found = ca.presentable(
                AttackSelection.set(.all).attacks, for: try sampleProfile(hosts), lent: LentMaterials())
            return (names(found.attacks), found.warnings)
        }
        let narrow = try found([("api.a.test", .refuse)], made: [("api.a.test", .refuse)])
        #expect(!narrow.names.contains { $0.hasSuffix("top-level-wildcard") || $0.hasSuffix("parent-domain") })
        #expect(
            narrow.warnings == [
                "warning: left out: trusted-ca/wildcard: the CA is constrained to api.a.test and cannot sign for *.a.test",
                "warning: weaker: trusted-ca/home-made: names are missing: the CA may not sign for localhost",
                "warning: left out: wrong-usage/top-level-wildcard: the CA is constrained to api.a.test and cannot sign "
                    + "for *.test",
                "warning: left out: wrong-usage/parent-domain: the CA is constrained to api.a.test and cannot sign for "
                    + "a.test",
                "warning: left out: wrong-usage/affixed-name: the CA is constrained to api.a.test and cannot sign for "
                    + "x-api.a.test",
            ])
        // One host that can be shown it is enough, and under a wildcard there is one.
        let both: [(String, HostExpectation)] = [("api.a.test", .refuse), ("a.test", .refuse)]
        #expect(try found(both, made: both).names.contains("wrong-usage/parent-domain"))
        let wildcard = try found([("*.a.test", .refuse)], made: [("*.a.test", .refuse)])
        #expect(wildcard.names.contains("wrong-usage/parent-domain"))
        #expect(wildcard.warnings.map { $0.prefix(17) } == ["warning: weaker: ", "warning: left out"])
    }
}
