import Console
import Facts
import Loop

/// The files that a command is to write: each another one, in a folder that is there.
///
/// They are compared before anything is opened. Two writers of one file destroy what both have written, and a store that
/// was overwritten is lost.
package struct OutputPaths {
    private struct Output {
        var option: String
        /// As it is told.
        var path: String
        /// It, and what is written beside it.
        var files: [String]
        var isWritten: Bool
    }

    /// What is told by two paths that lead to one place, however they are spelt.
    private enum Place: Hashable {
        case file(FileStatus.Identity)
        case name(String, in: FileStatus.Identity)
        case path(String)
    }

    private var outputs: [Output] = []

    package init() {}

    /// - Parameters:
    ///   - option: as it is typed: `--keylog`.
    ///   - beside: endings of other files that belong to it.
    ///   - isWritten: false for what is read, and must not be written by another.
    package mutating func add(_ option: String, _ path: String?, beside: [String] = [], isWritten: Bool = true) {
        // Devices and the process's own streams take what several write.
        guard let path, !["/dev/stdout", "/dev/stderr"].contains(path) else { return }
        let full = Files.target(Files.absolute(path))
        guard Files.kind(full) != .stream else { return }
        outputs.append(
            Output(
                option: option, path: path, files: ([""] + beside).map { full + $0 }, isWritten: isWritten))
    }

    package func requireDifferent() throws(OutputPathError) {
        var known: [Place: Output] = [:]
        for output in outputs {
            for place in output.files.flatMap(Self.places) {
                if let other = known[place], other.option != output.option {
                    throw .same(other.option, output.option, path: output.path)
                }
                known[place] = output
            }
        }
    }

    /// - Parameter own: a folder that is made where it is missing: the data folder.
    package func requireFolders(except own: String? = Self.dataFolder) throws(OutputPathError) {
        for output in outputs where output.isWritten {
            guard let file = output.files.first else { continue }
            let folder = Self.folder(of: file)
            guard folder != own, !Files.isFolder(folder) else { continue }
            throw .noFolder(output.option, folder: folder)
        }
    }

    package static var dataFolder: String? { (try? DataFolder(environment: Terminal.environment))?.path }

    private static func places(_ path: String) -> [Place] {
        let named: Place
        let folder = folder(of: path)
        if let status = try? FileStatus(of: folder) {
            named = .name(
                String(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...]), in: status.identity)
        } else {
            named = .path(path)
        }
        // A second name of a file, or the same one in other letters where the file system does not care.
        guard let status = try? FileStatus(of: path), status.kind == .file else { return [named] }
        return [named, .file(status.identity)]
    }

    private static func folder(of path: String) -> String {
        let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        return folder.isEmpty ? "/" : String(folder)
    }
}

extension OutputPaths {
    /// Of `pinproof proxy`.
    init(_ options: ProxySession.Options) {
        self.init()
        add("the profile", options.profile, isWritten: false)
        add("--store", options.recording.store, beside: ["-wal", "-shm", ".lock", ".bodies"])
        add("--evidence", options.evidence, beside: [".1"])
        add("--pcapng", options.packets, beside: [".previous"])
        add("--keylog", options.keyLog)
        add("--ready-file", options.readyFile)
    }
}

package enum OutputPathError: ExplainedError, Hashable {
    /// Two options name one file.
    case same(String, String, path: String)
    case noFolder(String, folder: String)

    package var cause: ErrorCause {
        switch self {
        case .same: .commandLine
        // What the status says of other files that cannot be written.
        case .noFolder(let option, _): option == "--store" ? .configuration : .environment
        }
    }

    package var explanations: [Explanation] {
        switch self {
        case .same(let one, let other, let path):
            [
                Explanation(
                    "\(other) \(path): \(one) needs the same file, or one that is written beside it",
                    hints: ["give each a file of its own"])
            ]
        case .noFolder(let option, let folder):
            [
                Explanation(
                    "\(option): there is no folder \(folder)",
                    hints: ["make it first, or name a file in another folder with \(option)"])
            ]
        }
    }
}
