import Facts
import Loop

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The folder of one run: evidence, presented chains, the client's output, profile, reports.
package struct RunFolder: Sendable, Hashable {
    /// Absolute.
    package let path: String
    /// It was there before, empty.
    private let wasThere: Bool

    /// Names tried in one second before giving up.
    private static let collisionLimit = 1000
    /// File systems allow 255 bytes a name; time and counter need some.
    private static let nameLimit = 100

    /// Makes the folder that `--out` names. An empty one is taken, one that holds something is refused.
    package static func create(at path: String) throws -> RunFolder {
        let path = Files.absolute(path)
        let wasThere = Files.isFolder(path)
        if wasThere {
            guard let isEmpty = Files.isEmpty(path) else {
                throw FileError.cannotRead(path: path, reason: "permission denied")
            }
            guard isEmpty else { throw RunFolderError.folderNotEmpty(path) }
        } else if Files.exists(path) {
            throw FileError.notAFolder(path)
        }
        return try RunFolder(filling: path, wasThere: wasThere)
    }

    /// Makes `<parent>/<UTC time>-<profile name>`; a second run in the same second gets `-2`, and so on.
    package static func create(
        under parent: String, profile: String, startedAt seconds: Double
    ) throws -> RunFolder {
        let parent = Files.absolute(parent)
        // In this order: another run may make it between the two questions.
        if Files.exists(parent), !Files.isFolder(parent) { throw FileError.notAFolder(parent) }
        try Files.makeFolders(parent)
        let stem = "\(parent)/\(UTCTime(unix: seconds).compact)-\(fileName(of: profile))"
        for attempt in 1...collisionLimit {
            let path = attempt == 1 ? stem : "\(stem)-\(attempt)"
            if try Files.makeNewFolder(path) { return try RunFolder(filling: path) }
        }
        throw RunFolderError.noFreeFolderName(stem)
    }

    private init(filling path: String, wasThere: Bool = false) throws(FileError) {
        self.path = path
        self.wasThere = wasThere
        try Files.makeFolders(path)
        for folder in ["presented", "client"] { try Files.makeFolders("\(path)/\(folder)") }
    }

    package static let evidenceName = "evidence.jsonl"
    package static let profileName = "profile.yaml"
    /// Evidence given by `--evidence-from`: judging again has to find what the gate found.
    package static let controlsName = "controls"

    private static let stateName = "state"

    package var evidence: String { "\(path)/\(Self.evidenceName)" }
    package var ca: String { "\(path)/ca.pem" }
    package var profile: String { "\(path)/\(Self.profileName)" }

    /// Where COMMAND's output of one trial goes; `stream` is `out` or `err`.
    package func client(trial: Int, phase: String, stream: String) -> String {
        "\(path)/client/\(trial)-\(Self.fileName(of: phase)).\(stream)"
    }

    /// Makes the folder in which the app of one cold start finds nothing, or, with nil, what the starts before it left.
    ///
    /// - Parameter continuing: it finds a copy of what was kept as this, where something was.
    package func makeState(trial: Int?, continuing kept: KeptState? = nil) throws(FileError) -> String {
        if trial != nil { remove(ownState) }
        // One that is still there holds what only somebody else may remove: this start gets a new one all the same.
        let isTaken = Files.kind(ownState) != nil
        let state = trial.map { isTaken ? "\(states)/\($0)" : ownState } ?? "\(states)/kept"
        if let kept, let earlier = names(of: kept).last {
            Files.removeFolder(state)
            try Files.copyFolder("\(states)/\(earlier)", to: state)
        }
        try Files.makeFolders(state)
        return state
    }

    /// What is kept of a start's PINPROOF_STATE, for a later one to go on from.
    package enum KeptState: String, CaseIterable, Sendable {
        case untouched, attacked
        fileprivate var prefix: String { "\(rawValue)-" }
    }

    /// What an app keeps can be large, and no verdict reads it.
    package func removeState(trial: Int) { remove(state(of: trial)) }

    /// The app may have put a link in the folder's place: that alone goes, and not what it leads to.
    private func remove(_ state: String) {
        if Files.kind(state) == .link { _ = FileTree.removeFile(state) } else { Files.removeFolder(state) }
    }

    /// What this start left is what a later one may go on from, in the place of what an earlier one had left.
    ///
    /// - Parameter unlessKept: what an earlier one had left stays.
    /// - Throws: where it cannot be copied as it is: it holds what only somebody else may read, say.
    package func keepState(of trial: Int, as kept: KeptState, unlessKept: Bool = false) throws(FileError) {
        let earlier = names(of: kept)
        if unlessKept, !earlier.isEmpty { return }
        let copy = "\(states)/\(kept.prefix)\(trial)"
        do throws(FileError) {
            try Files.copyFolder(state(of: trial), to: copy)
        } catch {
            Files.removeFolder(copy)
            throw error
        }
        for name in earlier { Files.removeFolder("\(states)/\(name)") }
    }

    /// The run is over: nothing goes on from what was kept any more.
    package func removeKeptStates() {
        for name in KeptState.allCases.flatMap(names) { Files.removeFolder("\(states)/\(name)") }
        // What somebody else alone may remove stays, and so does what `--keep-state` kept.
        let left = (try? FileManager.default.contentsOfDirectory(atPath: states)) ?? [""]
        if left.isEmpty { Files.removeFolder(states) }
    }

    private var states: String { "\(path)/\(Self.stateName)" }
    /// The same path for each start: apps write down where their files are, in links and in what they have verified.
    private var ownState: String { "\(states)/current" }

    /// Of a start that has one.
    private func state(of trial: Int) -> String {
        let other = "\(states)/\(trial)"
        return FileManager.default.fileExists(atPath: other) ? other : ownState
    }

    /// Names of folders, the last trial's last.
    private func names(of kept: KeptState) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: states)) ?? []
        return names.filter { $0.hasPrefix(kept.prefix) }.sorted { ($0.count, $0) < ($1.count, $1) }
    }

    /// Writes a file of the run so that readers see all of it or nothing.
    package func write(_ text: String, as name: String) throws(FileError) {
        try Files.writeAtomically(text.utf8, to: "\(path)/\(name)")
    }

    /// Keeps the profile as it is used, for its owner alone: it may hold what opens a client's key.
    package func keepProfile(_ text: String) throws(FileError) {
        try Files.writePrivate(text.utf8, to: profile)
    }

    /// Keeps a presented chain under its hash; the same chain again is not written twice.
    package func keepPresented(pem: String, sha256: String) throws(FileError) {
        let file = "\(path)/presented/\(Self.fileName(of: sha256)).pem"
        guard !Files.exists(file) else { return }
        try Files.writeAtomically(pem.utf8, to: file)
    }

    /// Keeps the evidence of other runs that this one is judged with.
    package func keepControls(_ files: [EvidenceFile]) throws(FileError) {
        guard !files.isEmpty else { return }
        try Files.makeFolders("\(path)/\(Self.controlsName)")
        for (index, file) in files.enumerated() {
            try Files.copy(
                file.path, sha256: file.sha256, limit: EvidenceFile.sizeLimit,
                to: "\(path)/\(Self.controlsName)/\(index + 1).jsonl")
        }
    }

    /// Leaves things as they were: something failed before the run began.
    package func discard() {
        let made = wasThere ? (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] : [""]
        for name in made { try? FileManager.default.removeItem(atPath: "\(path)/\(name)") }
    }

    /// A text as part of a file name: letters, digits, `.`, `_` and `-`; never empty, never starting with a dot.
    static func fileName(of text: String) -> String {
        let safe = text.utf8.prefix(nameLimit).map { byte -> Character in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                Character(UnicodeScalar(byte))
            default: "-"
            }
        }
        let trimmed = String(safe.drop { $0 == "." })
        return trimmed.isEmpty ? "run" : trimmed
    }
}
