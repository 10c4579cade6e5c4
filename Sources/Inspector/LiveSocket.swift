import Loop
import TLS

/// Where a running proxy answers programs of the same user.
///
/// A Unix socket, in a folder that is closed to everybody else: whoever reaches it needs no token. `pinproof mcp` finds it by
/// the store that the proxy records into.
package enum LiveSocket {
    /// Bytes of a socket's path that every system takes (`sun_path` has 104 on macOS, 108 on Linux).
    private static let pathLimit = 100

    /// - Returns: nil where there is no folder for it, or only one whose path is too long.
    package static func path(forStore store: String, environment: [String: String]) -> String? {
        let name = SHA256.hex(Array(Files.target(store).utf8)).prefix(16) + ".sock"
        return folders(environment).map { "\($0)/\(name)" }.first { $0.utf8.count <= pathLimit }
    }

    /// The page's own socket in a process. What processes that were killed have left beside it goes.
    package static func pagePath(environment: [String: String]) -> String {
        let name = "page-\(ProcessControl.ownID).sock"
        let paths = folders(environment).map { "\($0)/\(name)" }
        // Every system has room for this one.
        guard let path = paths.first(where: { $0.utf8.count <= pathLimit }) else {
            return "/tmp/pinproof-\(ProcessControl.ownID)/\(name)"
        }
        let folder = String(path.dropLast(name.count + 1))
        for entry in (try? FileTree.entries(of: folder)) ?? [] where entry.hasPrefix("page-") {
            guard let owner = Int32(entry.dropFirst("page-".count).prefix { $0 != "." }), !ProcessControl.isThere(owner)
            else { continue }
            _ = FileTree.removeFile("\(folder)/\(entry)")
        }
        return path
    }

    /// The user's folder for such things, which goes when the user leaves (XDG Base Directory Specification), else one of ours.
    private static func folders(_ environment: [String: String]) -> [String] {
        var folders: [String] = []
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/"), Files.isFolder(runtime) {
            folders.append("\(runtime)/pinproof")
        }
        if let data = try? DataFolder(environment: environment) { folders.append(data.file("live")) }
        return folders
    }

    /// Makes the folder, and looks that nobody else gets in. What a proxy that was killed has left there goes.
    ///
    /// - Returns: a reason why there is none.
    package static func prepare(_ path: String) -> String? {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        do { try DataFolder(environment: ["PINPROOF_HOME": folder]).make() } catch { return "\(error)" }
        guard let status = try? FileStatus(of: folder, followingLinks: false), status.kind == .folder, status.isOurs,
            status.mode & 0o077 == 0
        else { return "\(folder) is open to others" }
        _ = FileTree.removeFile(path)
        return nil
    }
}
