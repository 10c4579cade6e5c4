import Facts
import Foundation
import GRDB
import Loop

/// What lies in files.
extension BodyShelf {
    /// Where bodies of one that records go, once they are too large.
    struct Overflow {
        var files: BodyFiles
        /// Bytes of a body that lie in the store at most.
        var largest: Int
    }

    /// Moves what has come so far into a file.
    func moveOut(_ body: Int64, as name: String, _ place: inout Place, _ overflow: Overflow, _ db: Database) throws {
        let pieces = try db.cachedStatement(sql: "SELECT bytes FROM piece WHERE body = ? ORDER BY n")
        let cursor = try Data.fetchCursor(pieces, arguments: [body])
        var written = 0
        try overflow.files.write([], to: name, at: 0)
        while let piece = try cursor.next() {
            try overflow.files.write(Array(piece), to: name, at: written)
            written += piece.count
        }
        try db.cachedStatement(sql: "DELETE FROM piece WHERE body = ?").execute(arguments: [body])
        try db.cachedStatement(sql: "INSERT INTO file (body, name, size) VALUES (?, ?, ?)")
            .execute(arguments: [body, name, written])
        place.file = name
        place.pieces = 0
    }

    func append(
        _ bytes: [UInt8], toFile name: String, of body: Int64, _ place: inout Place, _ overflow: Overflow,
        _ db: Database
    ) throws {
        try overflow.files.write(bytes, to: name, at: place.stored)
        place.stored += bytes.count
        try db.cachedStatement(sql: "UPDATE file SET size = ? WHERE body = ?").execute(arguments: [place.stored, body])
    }

    static func file(of body: Int64, _ db: Database) throws -> (name: String, size: Int)? {
        let find = try db.cachedStatement(sql: "SELECT name, size FROM file WHERE body = ?")
        return try Row.fetchOne(find, arguments: [body]).map { (try $0.value(0), try $0.value(1)) }
    }

    /// Takes the file away as soon as the store has forgotten it, and not before.
    static func releaseFile(of body: Int64, _ files: BodyFiles, _ db: Database) throws {
        guard let (name, _) = try file(of: body, db) else { return }
        try db.cachedStatement(sql: "DELETE FROM file WHERE body = ?").execute(arguments: [body])
        db.afterNextTransaction { _ in files.remove(name) }
    }

    /// Bytes in files.
    static func fileSizes(_ db: Database) throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: "SELECT coalesce(sum(size), 0) FROM file")) ?? 0
    }
}
