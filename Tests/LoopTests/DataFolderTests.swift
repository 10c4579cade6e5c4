import Foundation
import Testing

@testable import Loop

@Suite("the data folder")
struct DataFolderTests {
    private let home = ["HOME": "/h/a"]

    private func path(_ environment: [String: String], isApple: Bool = false) throws -> String {
        try DataFolder(environment: environment.merging(home) { given, _ in given }, isApple: isApple).path
    }

    @Test("PINPROOF_HOME is it, whatever else is said")
    func named() throws {
        #expect(try path(["PINPROOF_HOME": "/data/own/", "XDG_DATA_HOME": "/x"]) == "/data/own")
        #expect(try path(["PINPROOF_HOME": "/data/own"], isApple: true) == "/data/own")
        #expect(try path(["PINPROOF_HOME": "own"]) == Files.absolute("own"))
    }

    @Test("else it is the system's place for such data")
    func usual() throws {
        #expect(try path([:]) == "/h/a/.local/share/pinproof")
        #expect(try path(["PINPROOF_HOME": "", "XDG_DATA_HOME": ""]) == "/h/a/.local/share/pinproof")
        #expect(try path(["XDG_DATA_HOME": "/x"]) == "/x/pinproof")
        // Relative ones are to be ignored, says the specification.
        #expect(try path(["XDG_DATA_HOME": "x"]) == "/h/a/.local/share/pinproof")
        #expect(try path(["XDG_DATA_HOME": "/x"], isApple: true) == "/h/a/Library/Application Support/pinproof")
    }

    @Test("a user without a home is told what to set")
    func homeless() {
        for home in ["", "relative"] {
            #expect(throws: FileError.noDataFolder) { try DataFolder(environment: ["HOME": home]) }
        }
        #expect(throws: FileError.noDataFolder) { try DataFolder(environment: [:]) }
    }

    @Test("one below a folder at the top that is not there is an error, and not the end of the process")
    func atTheTop() throws {
        // Nobody, not even root, makes folders there.
        for place in ["/proc/pinproof", "/proc/pinproof/a/b"] {
            let error = #expect(throws: FileError.self) { try DataFolder(environment: ["PINPROOF_HOME": place]).make() }
            guard case .noDataFolderMade(place, _)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        // The one case in which the folder above has no name; nobody may make it on a disk that is read alone.
        guard ProcessControl.userID == 0, FileManager.default.isWritableFile(atPath: "/") else { return }
        let name = "/pinproof-test-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: name) }
        try DataFolder(environment: ["PINPROOF_HOME": name + "/data"]).make()
        #expect(Files.isFolder(name + "/data"))
    }

    @Test("it is made with what is missing above it, closed to others, and one that is there stays as it is")
    func making() throws {
        let scratch = FileManager.default.temporaryDirectory.path + "/pinproof-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        let data = try DataFolder(environment: ["PINPROOF_HOME": scratch + "/a/b"])
        try data.make()
        try data.make()
        for made in ["", "/a", "/a/b"] { #expect(try FileStatus(of: scratch + made).mode == 0o700) }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: data.path)
        try data.make()
        #expect(try FileStatus(of: data.path).mode == 0o755)
        #expect(data.file("flows.db") == scratch + "/a/b/flows.db")

        let blocked = try DataFolder(environment: ["PINPROOF_HOME": scratch + "/a/file"])
        try Data().write(to: URL(filePath: blocked.path))
        #expect(throws: FileError.noDataFolderMade(path: blocked.path, reason: "a file is in its place")) {
            try blocked.make()
        }
    }
}
