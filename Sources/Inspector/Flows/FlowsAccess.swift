import Coding
import Console
import Facts
import Filters
import Flows
import Formats
import Foundation
import Loop
import Store

/// What every `pinproof flows` command begins with: the store, and a filter.
package struct FlowsAccess: Sendable {
    package let store: FlowStore
    package let filter: Filter

    /// - Parameters:
    ///   - filter: the words of the command line; they are one filter.
    ///   - now: Unix seconds.
    /// - Throws: `FilterFault` before anything is opened, then `StoreError`.
    package init(store path: String, filter words: [String] = [], now: Double = WallClock.now) throws {
        filter = try Filter.parse(words.joined(separator: " "), in: .local(now: now))
        store = try FlowStore.reader(path: path, tools: .linked)
    }

    /// Those that match, the oldest first; whoever takes them may read more of them meanwhile.
    package func forEach(_ take: (Flow) throws -> Void) throws {
        var after: Int64?
        repeat {
            let page = try store.flows(matching: filter, after: after, limit: Self.page)
            for flow in page.flows { try take(flow) }
            after = page.next
        } while after != nil
    }

    private static let page = 200

    /// A flow with all of its bytes.
    package func recorded(_ flow: Flow) throws -> RecordedFlow {
        RecordedFlow(
            flow, request: try body(of: flow, .up), response: try body(of: flow, .down),
            messages: flow.messages > 0 ? try store.messages(of: flow.id) : [],
            rawUp: try store.raw(of: flow.id, .up), rawDown: try store.raw(of: flow.id, .down))
    }

    private func body(of flow: Flow, _ direction: ExchangeDirection) throws -> Formats.RecordedBody {
        guard let side = flow.side(direction), let body = side.body, body.kept > 0 || body.size == 0 else {
            return RecordedBody()
        }
        let wire = try store.body(of: flow.id, direction)
        return RecordedBody(wire: wire, decoded: Self.decoded(wire, of: body))
    }

    /// Without its content coding; nil where it could not be removed. Of a body that was cut, as far as it goes.
    static func decoded(_ wire: [UInt8], of body: FlowBody) -> [UInt8]? {
        guard let encoding = body.encoding else { return wire }
        guard let decoder = ContentCoding.decoder(for: encoding, limit: decodedLimit) else { return nil }
        do throws(DecodingFault) {
            let decoded = try decoder.decode(wire[...])
            // A fault comes behind the content that stands before it.
            if !body.isCut { _ = try decoder.decode([]) }
            return decoder.isCut || !body.isCut && !decoder.isWhole ? nil : decoded
        } catch {
            return nil
        }
    }

    /// Of what a body is decoded to in memory: a bomb of one megabyte must not take all there is.
    static let decodedLimit = 256 * 1024 * 1024
}

extension FilterContext {
    /// Times without a zone are this machine's.
    package static func local(now: Double, book: FilterBook = FilterBook()) -> FilterContext {
        FilterContext(
            now: now, localOffset: { TimeZone.current.secondsFromGMT(for: Date(timeIntervalSince1970: $0)) },
            regex: { pattern, ignoresCase throws(FilterRegexFault) in
                do throws(RegexFault) {
                    return LinearPattern(regex: try LinearRegex(pattern, ignoresCase: ignoresCase))
                } catch {
                    throw FilterRegexFault(error.description, offset: error.offset)
                }
            }, book: book)
    }
}

private struct LinearPattern: FilterRegex {
    let regex: LinearRegex
    func matches(_ bytes: [UInt8]) -> Bool { regex.matches(in: bytes) }
}
