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
    /// Of what matches, what is not shown unless it is asked for; nil where nothing is muted.
    package let muted: Filter?

    /// - Parameters:
    ///   - filter: the words of the command line; they are one filter.
    ///   - book: filters that have names.
    ///   - now: Unix seconds.
    /// - Throws: `FilterFault` before anything is opened, then `StoreError`.
    package init(
        store path: String, filter words: [String] = [], book: FilterBook = FilterBook(), now: Double = WallClock.now
    ) throws {
        let typed = words.joined(separator: " ")
        filter = try Filter.parse(typed, in: .local(now: now, book: book))
        muted = try book.muted(forFilter: typed, now: now)
        store = try FlowStore.reader(path: path, tools: .linked)
    }

    /// Takes the whole store away where it failed because its disk is full.
    ///
    /// - Returns: false where that was not why.
    package static func eraseStore(of error: any Error) throws -> Bool {
        guard case .full(let path) = error as? StoreError else { return false }
        try FlowStore.erase(path: path)
        return true
    }

    /// Of a store that is open already.
    package init(_ store: FlowStore, filter: Filter = .everything) {
        self.store = store
        self.filter = filter
        muted = nil
    }

    /// What is shown of what matches.
    package var visible: Filter { muted.map { filter.without($0) } ?? filter }
    /// What is not.
    package var hidden: Filter? { muted.map { filter.and($0) } }

    /// The numbers of those that match, the oldest first; whoever takes them may read more of them meanwhile.
    package func forEachID(_ take: (Int64) throws -> Void) throws {
        var after: Int64?
        repeat {
            let page = try store.ids(matching: filter, after: after, limit: Self.page)
            for id in page { try take(id) }
            after = page.count == Self.page ? page.last : nil
        } while after != nil
    }

    private static let page = 1000

    /// The messages of a flow in their order, as many as it says that it has, with few of them in memory at once.
    package func forEachMessage(of flow: Flow, _ take: (FlowMessage) throws -> Void) throws {
        var (left, after) = (flow.messages, -1 as Int?)
        while left > 0, let last = after {
            let page = try store.messagePage(
                of: flow.id, after: last, limit: min(left, Self.page), bytes: Self.pageBytes)
            for message in page.messages { try take(message) }
            left -= page.messages.count
            after = page.next
        }
    }

    /// Of messages that are in memory at once.
    private static let pageBytes = 4 * 1024 * 1024

    /// Of those that match, how many have not ended.
    package func openCount() throws -> Int {
        try store.count(matching: filter.and(Filter.parse("is:open", in: .local(now: 0))))
    }

    /// A flow with all of its bytes, as it is at this moment; nil where it has gone meanwhile.
    ///
    /// - Parameter withMessages: they are in it; else `forEachMessage` has them.
    /// - Returns: `gone` counts bodies whose files are.
    package func recorded(_ id: Int64, withMessages: Bool = true) throws -> (flow: RecordedFlow, gone: Int)? {
        guard let (whole, gone) = try store.whole(id, withMessages: withMessages) else { return nil }
        func body(_ direction: ExchangeDirection, _ wire: [UInt8]) -> Formats.RecordedBody {
            guard let body = whole.flow.side(direction)?.body, body.kept > 0 || body.size == 0,
                !gone.contains(direction)
            else { return RecordedBody() }
            return RecordedBody(wire: wire, decoded: Self.decoded(wire, of: body))
        }
        let flow = RecordedFlow(
            whole.flow, request: body(.up, whole.requestBody), response: body(.down, whole.responseBody),
            messages: whole.messages, rawUp: whole.requestRaw, rawDown: whole.responseRaw)
        return (flow, gone.count)
    }

    /// Without its content coding; nil where it could not be removed. Of a body that was cut, as far as it goes.
    static func decoded(_ wire: [UInt8], of body: FlowBody) -> [UInt8]? { try? decoding(wire, of: body).get() }

    /// Why a content coding could not be removed, and what could be read until then.
    enum Undecoded: Error, Hashable {
        /// It is none that is known, or the bytes are none of it.
        case broken([UInt8])
        /// It ends before its end.
        case cutOff([UInt8])
        /// Past the limit of what is decoded in memory.
        case tooLarge
    }

    /// The same, with the reason.
    static func decoding(
        _ wire: [UInt8], of body: FlowBody, limit: Int = decodedLimit
    ) -> Result<[UInt8], Undecoded> {
        // Answers to HEAD and 304 name a coding and have no content.
        guard let encoding = body.encoding, body.size > 0 else { return .success(wire) }
        guard let decoder = ContentCoding.decoder(for: encoding, limit: limit) else { return .failure(.broken([])) }
        var decoded: [UInt8] = []
        do throws(DecodingFault) {
            decoded = try decoder.decode(wire[...])
            // A fault comes behind the content that stands before it.
            if !body.isCut { _ = try decoder.decode([]) }
            if decoder.isCut { return .failure(.tooLarge) }
            return body.isCut || decoder.isWhole ? .success(decoded) : .failure(.cutOff(decoded))
        } catch {
            return .failure(.broken(decoded))
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
