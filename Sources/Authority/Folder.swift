import Loop
import TLS

/// A folder that holds keys, made whole in one step.
///
/// It is trusted only when it is ours, and closed to everyone else.
enum Folder {
    /// Refuses a folder that belongs to someone else, and one that others can enter: whoever can change what lies
    /// there can give us a key of his own, and whoever can look may find one. The superuser is no exception: the
    /// folder's owner is someone else to him as well.
    static func requireOurs(_ path: String) throws(CAError) {
        let link: FileStatus
        let target: FileStatus
        do throws(SystemError) {
            link = try FileStatus(of: path, followingLinks: false)
            target = try FileStatus(of: path)
        } catch {
            throw File.failed("read", path, error)
        }
        guard target.kind == .folder else { throw CAError(.unusable, "\(path): it is not a folder") }
        if link.kind == .link, !target.isOurs {
            throw CAError(
                .permissions, "\(path): it is a link to a folder of another user (uid \(target.owner))",
                hint: "give the folder itself with --ca, or make a new CA")
        }
        guard target.isOurs else {
            throw CAError(
                .permissions, "\(path): the folder belongs to another user (uid \(target.owner))",
                hint: File.adoption(of: path))
        }
        guard target.mode & 0o077 == 0 else {
            let what = target.mode & 0o022 == 0 ? "look into" : "write into"
            throw CAError(
                .permissions, "\(path): others can \(what) this folder (mode \(target.modeDigits))",
                hint: "chmod 700 \(path)")
        }
    }

    /// Refuses a folder that is there but cannot be listed: what is in it must not pass for absent.
    static func requireReadable(_ path: String) throws(CAError) {
        do throws(SystemError) { _ = try FileTree.entries(of: path) } catch {
            // A name that leads nowhere, or to a file, holds no CA: the caller says so in its own words.
            guard error.isNotFound || error.isNotAFolder else { throw File.failed("read", path, error) }
        }
    }

    /// Makes `path` appear with all of its files at once, or not at all.
    ///
    /// They are written into a folder beside it, which is then renamed: a reader sees the whole CA or none, and of
    /// two that make it at the same time one wins. False: something was there already (now, or before).
    static func publish(
        _ path: String, _ files: [(name: String, bytes: [UInt8], isSecret: Bool)]
    ) throws(CAError) -> Bool {
        let parent = parent(of: path)
        try makeParents(parent)
        // Against a clash of names alone: whoever could guess it cannot write into it.
        let draft = "\(parent)/\(draftPrefix(path))\(String(UInt64.random(in: .min ... .max), radix: 16))"
        do throws(SystemError) { try FileTree.makeFolder(draft, mode: 0o700) } catch {
            throw File.failed("create", draft, error)
        }
        var isPublished = false
        defer { if !isPublished { discard(draft, files.map(\.name)) } }
        for file in files { try File.create("\(draft)/\(file.name)", file.bytes, isSecret: file.isSecret) }
        FileTree.flush(draft)
        do throws(SystemError) { try FileTree.rename(draft, to: path) } catch {
            if error.isTaken || error.isNotAFolder { return false }
            throw File.failed("create", path, error)
        }
        isPublished = true
        FileTree.flush(parent)
        return true
    }

    /// Removes what a killed process left beside `path`, once no living one can still be writing it.
    static func sweep(_ path: String, _ names: [String], now: Double) {
        let parent = parent(of: path)
        for entry in entries(parent) where entry.hasPrefix(draftPrefix(path)) {
            let draft = "\(parent)/\(entry)"
            guard let status = try? FileStatus(of: draft, followingLinks: false), status.kind == .folder,
                status.isOurs, status.modified < now - draftLifetime
            else { continue }
            discard(draft, names)
        }
    }

    /// Removes these files, and the folder when nothing else is in it.
    @discardableResult
    static func discard(_ path: String, _ names: [String]) -> (removed: [String], folderGone: Bool) {
        let removed = names.filter { FileTree.removeFile("\(path)/\($0)") }
        return (removed, FileTree.removeFolder(path))
    }

    /// None where the folder cannot be listed.
    static func entries(_ path: String) -> [String] { (try? FileTree.entries(of: path)) ?? [] }

    /// An hour: making a CA takes milliseconds.
    static let draftLifetime = 3600.0

    static func draftPrefix(_ path: String) -> String { ".\(name(of: path)).new-" }

    private static func trimmed(_ path: String) -> String {
        var path = Substring(path)
        while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
        return String(path)
    }

    private static func name(of path: String) -> String {
        String(trimmed(path).split(separator: "/").last ?? "ca")
    }

    static func parent(of path: String) -> String {
        let path = trimmed(path)
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func makeParents(_ path: String) throws(CAError) {
        // A link that leads nowhere is something, too.
        guard (try? FileStatus(of: path, followingLinks: false)) == nil else { return }
        try makeParents(parent(of: path))
        do throws(SystemError) { try FileTree.makeFolder(path, mode: 0o755) } catch {
            guard error.isTaken else { throw File.failed("create", path, error) }
        }
    }
}
