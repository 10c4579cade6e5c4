import Loop

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// COMMAND as it will be run: found, and executable, before the first trial.
package struct Command: Sendable, Hashable {
    /// Absolute.
    package let path: String
    /// As given; the first is argv[0].
    package let words: [String]

    /// Finds the program: a name in PATH, a path with a slash from the current folder.
    package init(
        _ words: [String], searching path: String? = ProcessInfo.processInfo.environment["PATH"]
    ) throws(GateError) {
        let word = words.first ?? ""
        self.words = words
        guard !word.isEmpty else { throw .commandNotFound(word, inPath: true) }
        guard !word.contains("/") else {
            let path = Files.absolute(word)
            guard Files.exists(path) else { throw .commandNotFound(word, inPath: false) }
            guard !Files.isFolder(path) else { throw .commandIsFolder(word) }
            guard FileManager.default.isExecutableFile(atPath: path) else { throw .commandNotExecutable(word) }
            try FirstLine(of: path)?.require(by: word)
            self.path = path
            return
        }
        // As a shell does it: the first executable wins; an empty entry is the current folder.
        let folders = (path ?? Self.defaultPath).split(separator: ":", omittingEmptySubsequences: false)
        var forbidden: String?
        for folder in folders {
            let candidate = Files.absolute("\(folder.isEmpty ? "." : folder)/\(word)")
            guard Files.exists(candidate), !Files.isFolder(candidate) else { continue }
            if FileManager.default.isExecutableFile(atPath: candidate) {
                try FirstLine(of: candidate)?.require(by: candidate)
                self.path = candidate
                return
            }
            forbidden = forbidden ?? candidate
        }
        throw forbidden.map { .commandNotExecutable($0) } ?? .commandNotFound(word, inPath: true)
    }

    /// What is odd about the words, though it may be meant; nil: nothing.
    package var doubt: String? {
        guard words.dropFirst().contains("") else { return nil }
        return
            "an argument of COMMAND is empty, as \"$PINPROOF_CA\" is where your own shell expands it before pinproof has set it: "
            + "put COMMAND into a script, or into sh -c '…' with single quotes"
    }

    /// What POSIX shells use when PATH is not set.
    private static let defaultPath = "/usr/local/bin:/usr/bin:/bin"
}
