import Coding
import Facts
import Loop
import Pins
import TLS

/// A ZIP archive on disk, of which only what is asked for is read.
struct ArchiveFile {
    let archive: ZipArchive
    /// Of the whole file, in lower-case hexadecimal.
    let sha256: String
    private let file: OpenFile

    /// Whether it begins like one; a file that cannot be read is told of by whoever reads it.
    static func isArchive(_ path: String) throws -> Bool {
        let start = beginning(of: path)
        return start == [0x50, 0x4b, 3, 4] || start == [0x50, 0x4b, 5, 6]
    }

    static func isGzip(_ path: String) -> Bool { beginning(of: path).starts(with: [0x1f, 0x8b]) }

    private static func beginning(of path: String) -> [UInt8] {
        guard !Files.isFolder(path), let file = try? OpenFile(reading: path), (try? file.status())?.kind == .file
        else { return [] }
        return (try? file.read(at: 0, count: 4)) ?? []
    }

    init(_ path: String) throws {
        // Its directory is at the end: of what comes through a pipe it cannot be read first.
        try InputFile.requireFile(path, hint: "save the app as a file first")
        let digest = RunningSHA256()
        try Files.readPieces(of: path, limit: .max) { piece in
            digest.add(piece)
            return true
        }
        sha256 = digest.finish()
        let file: OpenFile
        let size: Int
        do throws(SystemError) {
            file = try OpenFile(reading: path)
            size = try file.status().size
        } catch {
            throw FileError.cannotRead(path: path, reason: Files.reason(error))
        }
        self.file = file
        do throws(ZipFault) {
            archive = try ZipArchive(size: size) { offset, count in (try? file.read(at: offset, count: count)) ?? [] }
        } catch {
            throw PinsError(.data, "\(path): \(error.message)")
        }
    }

    /// Raw deflate data (RFC 1951) in pieces; nil where it is none, or more comes of it than was said.
    static func inflate(_ limit: Int) -> ZipArchive.InflateStep {
        let decoder = ContentCoding.decoder(for: "deflate", limit: limit)
        return { packed in
            guard let decoder, let piece = try? decoder.decode(packed), !decoder.isCut else { return nil }
            return piece
        }
    }
}
