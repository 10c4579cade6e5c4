import Authority
import Loop
import Support
import Testing

@testable import Inspector

@Suite("LocalCA")
struct LocalCATests {
    private let folder: TemporaryFolder
    private let store: CAStore

    init() throws {
        folder = try TemporaryFolder()
        store = CAStore(path: folder.path + "/ca")
    }

    private func look() -> LocalCA { .look(.folder(store.path), now: WallClock.now) }

    @Test("a folder without a CA stays as it is")
    func missing() {
        #expect(look() == .missing(path: store.path))
        #expect(!Files.exists(store.path))
    }

    @Test("one that is whole is known by its root, dates and place")
    func found() throws {
        let root = try store.initialise(.general, now: WallClock.now).root
        let found = try #require(look().root)
        #expect(found.sha256 == root.sha256.lowercased() && found.rootPath == store.rootPath)
        #expect(found.notAfter > WallClock.now && found.warning == nil)
    }

    @Test("one whose key others can read is told with what to do; it can be read")
    func exposed() throws {
        _ = try store.initialise(.general, now: WallClock.now)
        try FileTree.setMode(0o644, of: store.path + "/root.key")
        guard case .unusable(let explanation, isReadable: true) = look() else {
            Issue.record("\(look())")
            return
        }
        #expect(
            explanation.message.contains("others can read") && explanation.hints.first?.hasPrefix("chmod 600") == true)
    }

    @Test("one that is damaged cannot be read")
    func damaged() throws {
        _ = try store.initialise(.general, now: WallClock.now)
        try Files.writeAtomically("{}".utf8, to: store.path + "/ca.json")
        guard case .unusable(_, isReadable: false) = look() else {
            Issue.record("\(look())")
            return
        }
    }

    @Test("one that is lent is looked at where it lies, and its exposed key is a note")
    func lent() throws {
        let made = try store.initialise(.general, now: WallClock.now).root
        let key = store.path + "/root.key"
        let choice = CAChoice.lent(certificate: store.rootPath, key: key)
        #expect(LocalCA.look(choice, now: WallClock.now).root?.sha256 == made.sha256.lowercased())
        try FileTree.setMode(0o644, of: key)
        #expect(LocalCA.look(choice, now: WallClock.now).root?.warning?.contains("others can read") == true)
    }
}
