import Facts
import Loop

/// A file that only its owner may read, and that nobody sees before it is whole.
package enum PrivateFile {
    /// - Parameters:
    ///   - isWanted: false: what was filled in is thrown away, and what stood there before stays.
    ///   - fill: gives the bytes to what it is handed, in order.
    /// - Throws: `FileError` where the file cannot be written; what stood there before stays then.
    package static func write<Value>(
        _ path: String, isWanted: (Value) -> Bool = { _ in true },
        _ fill: (_ write: ([UInt8]) throws -> Void) throws -> Value
    ) throws -> Value {
        // What a link leads to is written, and what is no file is written into, as a shell would.
        let path = Files.target(path)
        if Files.kind(path) == .stream { return try writeInto(path, fill) }
        let draft = "\(path).\(ProcessControl.ownID).part"
        do {
            let file = try OpenFile(creating: draft, mode: 0o600)
            let value = try fill { try file.write($0) }
            guard isWanted(value) else {
                _ = FileTree.removeFile(draft)
                return value
            }
            try file.flush()
            try FileTree.rename(draft, to: path)
            return value
        } catch {
            _ = FileTree.removeFile(draft)
            guard let error = error as? SystemError else { throw error }
            throw FileError.cannotWrite(path: path, reason: error.reason)
        }
    }

    /// A device, or a pipe that somebody reads.
    private static func writeInto<Value>(
        _ path: String, _ fill: (_ write: ([UInt8]) throws -> Void) throws -> Value
    ) throws -> Value {
        do {
            let file = try OpenFile(appending: path, mode: 0o600)
            return try fill { try file.write($0) }
        } catch let error as SystemError {
            throw FileError.cannotWrite(path: path, reason: error.reason)
        }
    }
}
