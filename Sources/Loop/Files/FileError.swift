import Facts

/// A file or folder that cannot be used as it has to be.
package enum FileError: ExplainedError, Hashable {
    /// A file stands where a folder is wanted.
    case notAFolder(String)
    case cannotWrite(path: String, reason: String)
    case cannotRead(path: String, reason: String)
    /// Nothing says where a user's own data belong.
    case noDataFolder
    case noDataFolderMade(path: String, reason: String)

    package var cause: ErrorCause {
        switch self {
        case .cannotRead(_, let reason) where Files.isOutOfDescriptors(reason): .environment
        case .notAFolder, .cannotRead: .commandLine
        case .cannotWrite, .noDataFolder, .noDataFolderMade: .environment
        }
    }

    package var explanations: [Explanation] {
        switch self {
        case .notAFolder(let path):
            [Explanation("\(path): a file, where a folder is needed", hints: ["name another with --out"])]
        case .cannotWrite(let path, let reason):
            [
                Explanation(
                    "\(path): cannot write: \(reason)",
                    hints: Files.hints(
                        reason,
                        else: "name a place that can be written to (gate and flows: --out; proxy: --evidence, --keylog)"
                    ))
            ]
        case .cannotRead(let path, let reason):
            [Explanation("\(path): cannot read: \(reason)", hints: Files.hints(reason))]
        case .noDataFolder:
            [
                Explanation(
                    "there is no home folder (HOME) to keep the CA and recordings in",
                    hints: ["set PINPROOF_HOME to a folder of your own"])
            ]
        case .noDataFolderMade(let path, let reason):
            [
                Explanation(
                    "\(path): cannot make the folder for the CA and recordings: \(reason)",
                    hints: Files.hints(reason, else: "set PINPROOF_HOME to a folder that can be written to"))
            ]
        }
    }
}

extension Files {
    /// Where files or space have run out, nothing else is worth advice.
    package static func hints(_ reason: String, else usual: String? = nil) -> [String] {
        if reason.contains("no space left") { return [] }
        return isOutOfDescriptors(reason) ? [DescriptorShortage.hint] : usual.map { [$0] } ?? []
    }
}
