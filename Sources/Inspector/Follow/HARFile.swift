import Evidence
import Formats
import Loop

/// One HAR file that grows, and is whole after each entry.
///
/// Its end (`]}}`) is written with every entry and overwritten by the next, in one call, so that a process which is killed
/// leaves a file that anybody reads.
final class HARFile {
    let path: String
    private let file: OpenFile
    private let identity: FileStatus.Identity?
    private var writer = HARWriter(version: Version.pinproof)
    private let end: [UInt8]
    private(set) var entries = 0
    /// Bytes, with its end.
    private(set) var size: Int

    /// Makes a new one, for its owner alone, without entries.
    init(creating path: String) throws(SystemError) {
        self.path = path
        file = try OpenFile(creating: path, mode: 0o600)
        identity = try? FileStatus(of: path).identity
        end = writer.end()
        let bytes = writer.begin() + end
        size = bytes.count
        do throws(SystemError) { try file.write(bytes, at: 0) } catch {
            _ = FileTree.removeFile(path)
            throw error
        }
    }

    /// Nobody has moved it away, or removed it: what is written then, nobody would find.
    var isInPlace: Bool { (try? FileStatus(of: path).identity) == identity }

    /// - Throws: where the disk does not take it; the file is then as it was before.
    func add(_ recorded: RecordedFlow) throws(SystemError) {
        var next = writer
        let entry = next.entry(recorded)
        let start = size - end.count
        do throws(SystemError) { try file.write(entry + end, at: start) } catch {
            // Where the end stood there is room for it.
            try? file.write(end, at: start)
            try? file.cut(to: size)
            throw error
        }
        writer = next
        entries += 1
        size += entry.count
    }

    /// Makes what is there survive a power cut; where that cannot be, it is as good as it gets.
    func flush() { try? file.flush() }
}
