#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where a user's own things lie, whatever the current folder is: CA and recordings.
///
///     let data = try DataFolder(environment: Terminal.environment)
///     let store = data.file("flows.db")
///     try data.make()                     // before anything is written into it
package struct DataFolder: Hashable, Sendable {
    /// Absolute. The folder need not exist.
    package let path: String

    /// `PINPROOF_HOME`; else the system's usual place for such data.
    ///
    /// That is `Library/Application Support` on Apple's systems and else `XDG_DATA_HOME`, or `.local/share` where that
    /// is not given. An empty variable is none, and so is an `XDG_DATA_HOME` that is not absolute (XDG Base Directory
    /// Specification).
    ///
    /// - Throws: `FileError.noDataFolder` for a user without a home.
    package init(environment: [String: String]) throws(FileError) {
        try self.init(environment: environment, isApple: Self.isApple)
    }

    init(environment: [String: String], isApple: Bool) throws(FileError) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let named = value("PINPROOF_HOME") {
            path = Files.absolute(named)
            return
        }
        if !isApple, let shared = value("XDG_DATA_HOME"), shared.hasPrefix("/") {
            path = Files.absolute("\(shared)/pinproof")
            return
        }
        guard let home = value("HOME"), home.hasPrefix("/") else { throw .noDataFolder }
        path = Files.absolute(home + (isApple ? "/Library/Application Support/pinproof" : "/.local/share/pinproof"))
    }

    private static var isApple: Bool {
        #if canImport(Darwin)
            true
        #else
            false
        #endif
    }

    /// The path of what has this name in it.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes it, and folders above it that are missing, closed to everyone else (0700). One that is there stays as it is.
    package func make() throws(FileError) {
        do throws(SystemError) { try Self.make(path) } catch {
            throw .noDataFolderMade(path: path, reason: Files.reason(error))
        }
        guard Files.isFolder(path) else { throw .noDataFolderMade(path: path, reason: "a file is in its place") }
    }

    private static func make(_ path: String) throws(SystemError) {
        // The folder above one at the top has no name of its own.
        guard !path.isEmpty, path != "/", (try? FileStatus(of: path, followingLinks: false)) == nil else { return }
        try make(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        do throws(SystemError) { try FileTree.makeFolder(path, mode: 0o700) } catch {
            // Another process may have been quicker.
            guard error.isTaken else { throw error }
        }
    }
}
