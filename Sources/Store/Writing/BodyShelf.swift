import Facts
import Foundation
import GRDB
import Loop

/// Bytes of bodies: once for each hash, and in pieces as long as they are coming.
///
/// Used within write transactions only. What several flows use is counted, and goes with the last of them.
struct BodyShelf {
    /// A row of this size is read and pruned without a pause that anyone would notice.
    static let pieceSize = 256 << 10

    /// What a flow's direction has in the store so far.
    struct Place: Hashable {
        var body: Int64?
        /// Bytes that lie there.
        var stored = 0
        var pieces = 0
        /// Whole, with its hash; nothing is added any more.
        var isSettled = false
        /// The file in which it lies.
        var file: String?
        /// Bytes in the middle of it were left out: what is kept is its beginning, and nothing is put behind that.
        var isCut = false
    }

    /// nil: everything lies in the store.
    let overflow: Overflow?
    private let files: BodyFiles

    init(_ files: BodyFiles, overflow: Overflow? = nil) {
        self.files = files
        self.overflow = overflow
    }

    private struct Hash: Hashable {
        let sha256: [UInt8]
        let size: Int
    }

    /// Of this transaction: who else uses what. Written by `finish`.
    private var uses: [Int64: Int] = [:]
    private var known: [Hash: Int64] = [:]
    /// Bytes that were left out of it for want of a descriptor.
    private(set) var leftOut = 0

    /// Adds bytes behind those that are there.
    ///
    /// - Parameter name: of the file, should it need one.
    mutating func append(_ bytes: [UInt8], to place: inout Place, name: String, _ db: Database) throws {
        guard !bytes.isEmpty, !place.isSettled else { return }
        guard !place.isCut else { return leftOut += bytes.count }
        let body: Int64
        if let there = place.body {
            body = there
        } else {
            try db.cachedStatement(sql: "INSERT INTO body (uses) VALUES (1)").execute()
            body = db.lastInsertedRowID
            place.body = body
        }
        if let overflow {
            do {
                if place.file == nil, bytes.count > overflow.largest - place.stored {
                    try moveOut(body, as: name, &place, overflow, db)
                }
                if let file = place.file { return try append(bytes, toFile: file, of: body, &place, overflow, db) }
            } catch let error as SystemError where error.isOutOfDescriptors {
                // A moment later there may be some. Heads do not wait for that: the store itself is open.
                place.isCut = true
                return leftOut += bytes.count
            }
        }
        let insert = try db.cachedStatement(sql: "INSERT INTO piece (body, n, bytes) VALUES (?, ?, ?)")
        for start in stride(from: 0, to: bytes.count, by: Self.pieceSize) {
            let piece = Data(bytes[start..<min(bytes.count, start + Self.pieceSize)])
            try insert.execute(arguments: [body, place.pieces, piece])
            place.pieces += 1
        }
        place.stored += bytes.count
    }

    /// A body that is there as a whole, at once; `sha256` is of all of it, also where only its beginning is kept.
    mutating func put(_ bytes: [UInt8], sha256: [UInt8]?, to place: inout Place, name: String, _ db: Database) throws {
        guard !bytes.isEmpty else { return }
        place.stored = bytes.count
        place.isSettled = true
        if let sha256, let body = try find(Hash(sha256: sha256, size: bytes.count), db) {
            uses[body, default: 0] += 1
            place.body = body
            return
        }
        if bytes.count > min(Self.pieceSize, overflow?.largest ?? .max) {
            place.isSettled = false
            place.stored = 0
            try append(bytes, to: &place, name: name, db)
            if let sha256, place.stored == bytes.count { try settle(&place, sha256: sha256, db) }
            return
        }
        try db.cachedStatement(sql: "INSERT INTO body (key, sha256, size, uses, bytes) VALUES (?, ?, ?, 1, ?)")
            .execute(arguments: [sha256.map(Self.key), sha256.map { Data($0) }, bytes.count, Data(bytes)])
        place.body = db.lastInsertedRowID
        if let sha256 { known[Hash(sha256: sha256, size: bytes.count)] = db.lastInsertedRowID }
    }

    /// What came in pieces is whole: from now on others may share it, or it is found to be there already.
    mutating func settle(_ place: inout Place, sha256: [UInt8], _ db: Database) throws {
        guard let body = place.body, !place.isSettled else { return }
        place.isSettled = true
        let hash = Hash(sha256: sha256, size: place.stored)
        if let other = try find(hash, db) {
            guard other != body else { return }
            uses[other, default: 0] += 1
            place.body = other
            try Self.release(body, files, db)
            return
        }
        // What came in crumbs lies as one from now on.
        let isOne = place.file == nil && place.stored <= Self.pieceSize
        let whole = isOne ? Data(try Self.bytes(body, files, db) ?? []) : nil
        try db.cachedStatement(sql: "UPDATE body SET key = ?, sha256 = ?, size = ?, bytes = ? WHERE id = ?")
            .execute(arguments: [Self.key(sha256), Data(sha256), place.stored, whole, body])
        if whole != nil { try db.cachedStatement(sql: "DELETE FROM piece WHERE body = ?").execute(arguments: [body]) }
        known[hash] = body
    }

    /// The end of a transaction.
    mutating func finish(_ db: Database) throws {
        let add = try db.cachedStatement(sql: "UPDATE body SET uses = uses + ? WHERE id = ?")
        for (body, more) in uses { try add.execute(arguments: [more, body]) }
        forget()
    }

    /// Between two transactions others may have written.
    mutating func forget() {
        leftOut = 0
        uses.removeAll(keepingCapacity: true)
        known.removeAll(keepingCapacity: true)
    }

    private mutating func find(_ hash: Hash, _ db: Database) throws -> Int64? {
        if let body = known[hash] { return body }
        let find = try db.cachedStatement(sql: "SELECT id FROM body WHERE key = ? AND sha256 = ? AND size = ?")
        guard
            let body = try Int64.fetchOne(
                find, arguments: [Self.key(hash.sha256), Data(hash.sha256), hash.size])
        else { return nil }
        known[hash] = body
        return body
    }

    /// One flow less uses it; nobody else has begun to in this transaction.
    static func release(_ body: Int64, _ files: BodyFiles, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE body SET uses = uses - 1 WHERE id = ?").execute(arguments: [body])
        let gone = try db.cachedStatement(sql: "DELETE FROM body WHERE id = ? AND uses <= 0")
        try gone.execute(arguments: [body])
        if db.changesCount > 0 {
            try db.cachedStatement(sql: "DELETE FROM piece WHERE body = ?").execute(arguments: [body])
            try releaseFile(of: body, files, db)
        }
    }

    /// Its bytes that are kept, from the first one; nil where they lay in a file that is missing or too short.
    static func bytes(_ body: Int64, _ files: BodyFiles, _ db: Database, limit: Int = .max) throws -> [UInt8]? {
        let whole = try db.cachedStatement(sql: "SELECT bytes FROM body WHERE id = ?")
        if let data = try Data.fetchOne(whole, arguments: [body]) { return Array(data.prefix(limit)) }
        var bytes: [UInt8] = []
        let pieces = try db.cachedStatement(sql: "SELECT bytes FROM piece WHERE body = ? ORDER BY n")
        let cursor = try Data.fetchCursor(pieces, arguments: [body])
        while bytes.count < limit, let piece = try cursor.next() { bytes += piece.prefix(limit - bytes.count) }
        if bytes.isEmpty, let (name, size) = try file(of: body, db) {
            return try files.read(name, size: size, limit: limit)
        }
        return bytes
    }

    /// How many bytes of it are kept, and in how many pieces.
    static func extent(_ body: Int64, _ db: Database) throws -> (bytes: Int, pieces: Int) {
        let sql = """
            SELECT coalesce((SELECT length(bytes) FROM body WHERE id = ?1), 0)
                + coalesce((SELECT sum(length(bytes)) FROM piece WHERE body = ?1), 0)
                + coalesce((SELECT size FROM file WHERE body = ?1), 0),
                (SELECT count(*) FROM piece WHERE body = ?1)
            """
        let row = try Row.fetchOne(try db.cachedStatement(sql: sql), arguments: [body])
        return try (row?.optional(0) ?? 0, row?.optional(1) ?? 0)
    }

    private static func key(_ sha256: [UInt8]) -> Int64 {
        Int64(bitPattern: sha256.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
