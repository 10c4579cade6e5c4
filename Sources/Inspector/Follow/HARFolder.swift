import Console
import Facts
import Formats
import Loop

/// A folder with HAR files, one after the other, named by the time at which they were begun.
///
///     pinproof-20260101T100000Z-001.har
struct HARFolder {
    struct Limits: Hashable, Sendable {
        /// Bytes of a file after which the next one is begun; one entry may be larger.
        var file = 64 << 20
        /// Seconds after which the next one is begun.
        var seconds = 3600.0
        /// Bytes of all files of these names in the folder; the oldest go first, the newest stays.
        ///
        /// As much as the store keeps, so that a proxy which runs for weeks does not fill the disk.
        var folder = 4 << 30
    }

    let path: String
    let limits: Limits
    private let now: @Sendable () -> Double
    private var file: HARFile?
    private var began = 0.0
    private var last = (stem: "", number: 0)
    private(set) var files = 0
    /// Files that were removed for the limit.
    private(set) var removed = 0

    /// Makes the folder (0700) where there is none, and the first file.
    init(_ path: String, limits: Limits, now: @escaping @Sendable () -> Double = { WallClock.now }) throws(Complaint) {
        self.path = path
        self.limits = limits
        self.now = now
        do throws(SystemError) {
            try Self.make(path)
            try begin()
        } catch {
            throw Self.complaint(error, path)
        }
    }

    /// A file that somebody has taken away is followed by the next one.
    ///
    /// - Throws: where the disk does not take it, or the folder is gone; all that was added before is there.
    mutating func add(_ recorded: RecordedFlow) throws(Complaint) {
        do throws(SystemError) {
            if let file,
                !file.isInPlace || file.entries > 0 && (file.size >= limits.file || now() - began >= limits.seconds)
            {
                try begin()
            }
            try file?.add(recorded)
        } catch {
            throw Self.complaint(error, file?.path ?? path)
        }
    }

    func finish() { file?.flush() }

    // MARK: Inside

    private mutating func begin() throws(SystemError) {
        file?.flush()
        began = now()
        let stem = "\(path)/\(Self.prefix)\(UTCTime(unix: began).compact)-"
        // Others that were begun in the same second; a number of one that was removed would be out of order.
        if stem != last.stem { last = (stem, 0) }
        while true {
            last.number += 1
            let number = last.number
            let digits = String(number)
            let name = stem + String(repeating: "0", count: max(0, 3 - digits.count)) + digits + Self.suffix
            do throws(SystemError) {
                file = try HARFile(creating: name)
                break
            } catch {
                guard error.isTaken, number < 10_000 else { throw error }
            }
        }
        files += 1
        removeOldest()
    }

    private static let prefix = "pinproof-"
    private static let suffix = ".har"

    private mutating func removeOldest() {
        // The one at hand stays, also where the clock was set back and its name is the oldest.
        let own = file?.path
        let names = ((try? FileTree.entries(of: path)) ?? []).filter { Self.isOurs($0) && "\(path)/\($0)" != own }
        var sizes = names.map { (name: $0, size: (try? FileStatus(of: "\(path)/\($0)").size) ?? 0) }
        var sum = sizes.reduce(0) { $0 + $1.size }
        // Room for the file that was just begun.
        while sum > limits.folder - limits.file, !sizes.isEmpty {
            let oldest = sizes.removeFirst()
            sum -= oldest.size
            if FileTree.removeFile("\(path)/\(oldest.name)") { removed += 1 }
        }
    }

    /// `pinproof-20260101T100000Z-001.har`, and nothing that somebody else has put there.
    static func isOurs(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
        let middle = Array(name.dropFirst(prefix.count).dropLast(suffix.count).utf8)
        guard middle.count >= 20, middle[8] == UInt8(ascii: "T"), middle[15] == UInt8(ascii: "Z"),
            middle[16] == UInt8(ascii: "-")
        else { return false }
        return middle.enumerated().allSatisfy { [8, 15, 16].contains($0) || $1 >= 0x30 && $1 <= 0x39 }
    }

    private static func make(_ path: String) throws(SystemError) {
        guard !Files.isFolder(path) else { return }
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex { try make(String(path[..<slash])) }
        do throws(SystemError) { try FileTree.makeFolder(path, mode: 0o700) } catch {
            guard error.isTaken, Files.isFolder(path) else { throw error }
        }
    }

    private static func complaint(_ error: SystemError, _ path: String) -> Complaint {
        let hint =
            error.isOutOfSpace
            ? "free some space, or name a folder on another disk with --har; what was written before is whole"
            : "name a folder that you can write to with --har"
        return Complaint("\(path): cannot write: \(error.reason)", hints: [hint], status: .configuration)
    }
}
