import Loop
import Subprocess

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// One stream of COMMAND's output on its way into a file of bounded size.
///
/// For its owner alone: a client may print anything.
struct OutputFile: Sendable {
    /// Enough for a verbose UI test run; a client that prints without end must not fill the disk.
    static let defaultLimit = 16 << 20

    let path: String
    /// The end of what came, as far as a last line can reach.
    let end = Locked<[UInt8]>([])
    var limit = OutputFile.defaultLimit

    /// Copies the stream to its end; what is over the limit is read and dropped, so that the client never blocks.
    /// Returns why the file is not complete.
    func copy(_ stream: SubprocessOutputSequence) async -> FileError? {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.create, .truncate, .closeOnExec, .noFollow],
                permissions: .ownerReadWrite)
        } catch {
            await drain(stream)
            return .cannotWrite(path: path, reason: Files.reason(error))
        }
        var failure: FileError?
        var room = limit
        var isCut = false
        do {
            for try await buffer in stream {
                let bytes = Data(buffer: buffer)
                end.withLock { $0 = Array(($0 + bytes.suffix(LastLine.window)).suffix(LastLine.window)) }
                guard !isCut, failure == nil else { continue }
                do {
                    try file.writeAll(bytes.prefix(room))
                    isCut = buffer.count > room
                    if isCut { try file.writeAll("\n[cut by pinproof after \(limit) bytes]\n".utf8) }
                    room -= min(room, buffer.count)
                } catch {
                    failure = .cannotWrite(path: path, reason: Files.reason(error))
                }
            }
        } catch {
            // The stream broke because the process ended while a descendant held it open: what came is kept.
        }
        do { try file.close() } catch { failure = failure ?? .cannotWrite(path: path, reason: Files.reason(error)) }
        return failure
    }

    private func drain(_ stream: SubprocessOutputSequence) async {
        do { for try await _ in stream {} } catch {}
    }
}
