import Facts
import Filters
import Flows
import Foundation
import GRDB

/// Everything of a flow that a bare word is looked for in, as one text for the index.
struct FlowText {
    /// Of one body, and of all messages together: what people look for stands near the beginning, and the index has three
    /// entries for each byte. Flows with more are looked through as well.
    static let limit = 1 << 20

    private(set) var bytes: [UInt8] = []
    /// Nothing was left out.
    private(set) var isWhole = true

    init(_ flow: Flow, _ db: Database, _ tools: StoreTools) throws {
        add(flow.urlText)
        for side in [flow.request, flow.response].compactMap({ $0 }) {
            for fields in [side.headers, side.trailers] + side.informational.map(\.headers) {
                for field in fields { add("\(field.name): \(field.value)") }
            }
        }
        let content = StoredContent(flow, db, tools)
        for direction in ExchangeDirection.allCases {
            guard let text = content.text(direction, limit: Self.limit) else { continue }
            bytes += text.bytes
            bytes.append(UInt8(ascii: "\n"))
            isWhole = isWhole && !text.isCut
        }
        if let fault = content.fault { throw fault }
        if flow.messages > 0 { try addMessages(flow.id, db) }
        // The tokenizer takes a NUL for the end.
        for index in bytes.indices where bytes[index] == 0 { bytes[index] = 1 }
    }

    private mutating func add(_ text: String?) {
        guard let text else { return }
        bytes += text.utf8
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func addMessages(_ id: Int64, _ db: Database) throws {
        let find = try db.cachedStatement(
            sql: "SELECT data FROM message WHERE flow = ? AND kind <> 'binary' ORDER BY n")
        let cursor = try Data.fetchCursor(find, arguments: [id])
        let most = bytes.count + Self.limit
        while let data = try cursor.next() {
            guard bytes.count + data.count <= most else {
                isWhole = false
                return
            }
            bytes += data
            bytes.append(UInt8(ascii: "\n"))
        }
    }
}
