import Facts
import Filters
import Flows
import Foundation
import GRDB

/// The bytes of one flow, read when a filter asks for them. Lives within one read.
final class StoredContent: FilterContent {
    /// What comes out of the codings of one body, at most: four times what is kept of one by default.
    static let limit = 64 << 20

    private let flow: Flow
    private let db: Database
    private let tools: StoreTools
    /// By direction, once a filter has asked: each of its terms asks again.
    private var texts: [ExchangeDirection: [UInt8]?] = [:]
    /// What went wrong meanwhile; whoever asked has to look, for a filter cannot throw.
    private(set) var fault: (any Error)?

    init(_ flow: Flow, _ db: Database, _ tools: StoreTools) {
        self.flow = flow
        self.db = db
        self.tools = tools
    }

    func text(_ direction: ExchangeDirection) -> [UInt8]? {
        if let known = texts[direction] { return known }
        let text = text(direction, limit: Self.limit)?.bytes
        texts[direction] = .some(text)
        return text
    }

    /// - Parameter limit: of bytes that come out; `isCut`: there may be more.
    func text(_ direction: ExchangeDirection, limit: Int) -> (bytes: [UInt8], isCut: Bool)? {
        guard let side = flow.side(direction), let body = side.body, body.kept > 0 || flow.state == .open,
            BodyText.mayBeText(body.type)
        else { return nil }
        do {
            // Of one in a file, which may have any size, no more than will do; a file that is gone has no text.
            let most = body.encoding == nil ? limit + 1 : Self.limit
            guard let bytes = try FlowBytes.body(flow.id, direction, tools.files, db, limit: most), !bytes.isEmpty
            else {
                return nil
            }
            let text = BodyText.text(of: bytes, side, limit: limit, tools)
            return text.map { ($0.bytes, $0.isCut || bytes.count == most) }
        } catch {
            fault = error
            return nil
        }
    }

    func hasMessage(_ direction: ExchangeDirection, where fits: ([UInt8]) -> Bool) -> Bool {
        guard flow.messages > 0 else { return false }
        do {
            let sql = "SELECT data FROM message WHERE flow = ? AND up = ? AND kind <> 'binary'"
            let find = try db.cachedStatement(sql: sql)
            let cursor = try Data.fetchCursor(find, arguments: [flow.id, direction == .up])
            while let data = try cursor.next() { if fits(Array(data)) { return true } }
        } catch {
            fault = error
        }
        return false
    }
}

/// The text of a body: without its codings, in UTF-8.
enum BodyText {
    /// Pictures, sound and fonts are not; what else is binary shows in its bytes.
    static func mayBeText(_ type: String?) -> Bool {
        guard let type else { return true }
        if type == "image/svg+xml" { return true }
        return !["image/", "audio/", "video/", "font/"].contains { type.hasPrefix($0) }
    }

    static func text(
        of bytes: [UInt8], _ side: FlowSide, limit: Int, _ tools: StoreTools
    ) -> (bytes: [UInt8], isCut: Bool)? {
        var bytes = bytes
        var isCut = false
        let codings = (side.body?.encoding ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
        for coding in codings.reversed() where coding != "identity" && !coding.isEmpty {
            guard let decoder = tools.content(coding, limit) else { return nil }
            // A body that breaks off has text as far as it came.
            bytes = (try? decoder.decode(bytes[...])) ?? []
            isCut = isCut || decoder.isCut
        }
        if bytes.count > limit {
            bytes.removeSubrange(limit...)
            isCut = true
        }
        guard !bytes.isEmpty else { return nil }
        let charset = charset(side)
        if !isInUTF8(bytes, charset: charset) { bytes = tools.text(bytes, charset) }
        // A NUL near the beginning is in no text.
        return bytes.prefix(1024).contains(0) ? nil : (bytes, isCut)
    }

    private static func charset(_ side: FlowSide) -> String? {
        guard let type = side.headers.values(of: "content-type").first?.lowercased(),
            let parameter = type.split(separator: ";").dropFirst().first(where: { $0.trimmed.hasPrefix("charset=") })
        else { return nil }
        return parameter.trimmed.dropFirst(8).filter { $0 != "\"" && $0 != "'" }
    }

    /// Most bodies are in UTF-8, and say so or nothing.
    private static func isInUTF8(_ bytes: [UInt8], charset: String?) -> Bool {
        guard !bytes.starts(with: [0xfe, 0xff]), !bytes.starts(with: [0xff, 0xfe]) else { return false }
        return charset.map { ["utf-8", "utf8", "us-ascii"].contains($0) } ?? true
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
