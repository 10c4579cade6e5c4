import Facts
import Filters
import Flows
import Foundation
import Inspector
import Loop
import Store

/// What an operation works with: the running proxy, and the words of the question's path.
struct Situation: Sendable {
    let context: PageContext
    let hub: EventHub
    let disk = DiskWork(width: DiskWork.reading)
    let looks = DiskWork(width: DiskWork.looking, queue: DiskWork.queueLimit)
    /// Those go through all flows that match, and their askers may be gone.
    let changes = DiskWork(width: 1, queue: DiskWork.queueLimit)
    let exports = DiskWork(width: DiskWork.exporting, queue: DiskWork.queueLimit)
    /// When the page was opened, on the monotonic clock.
    let began: Double
    let listen: String
    /// How much of what was told is known to be in the store.
    let flushed: Locked<Int>
    var path: [String: String] = [:]
    var askers = Askers()
    /// Whose question it is; nil for one that did not come over TCP.
    var asker: Int?
    /// Of what is shown, secrets are `[redacted]`.
    var hidesSecrets = false

    /// - Throws: `Problem` where nothing is recorded.
    var store: FlowStore {
        get throws {
            guard let store = context.store else {
                throw Problem(409, "nothing is recorded: the proxy was started with --no-store")
            }
            return store
        }
    }

    /// How long an answer waits for a writer that is behind: under a flood that can be half a minute's work, and who looks
    /// on wants to see by then what there is. `behind` in the status says so.
    static let patience = 2.0

    /// Reads, beside Swift's own threads, what was told until now.
    ///
    /// - Parameters:
    ///   - patience: seconds after which it reads what is there; nil where less would be wrong.
    func read<Value: Sendable>(
        patience: Double? = Situation.patience, as kind: WorkKind = .look,
        _ body: @escaping @Sendable (FlowStore) throws -> Value
    ) async throws -> Value {
        let store = try store
        // What a client has had its answer to is in the list, though it was a moment ago.
        await catchUp(within: patience)
        let told = hub.told
        let isBehind = flushed.withLock { $0 != told }
        let (flush, flushed) = (context.flush, flushed)
        let work = kind == .look ? disk : kind == .longLook ? looks : changes
        // A short look is over before anybody could tell.
        let (isLong, isAwaited) = (kind == .longLook, isWanted)
        return try await work.run(isChange: kind == .change, while: { !isLong || isAwaited() }) { isWanted in
            if isBehind, flush(patience) { flushed.withLock { $0 = max($0, told) } }
            return try body(store.reader(while: isWanted))
        }
    }

    /// Whoever asked still waits, for all that is known.
    var isWanted: @Sendable () -> Bool {
        guard let asker else { return { true } }
        return { [askers] in askers.isWaiting(asker) }
    }

    private func catchUp(within patience: Double?) async {
        let catchUp = context.catchUp
        guard let patience else { return await catchUp() }
        await Patience.wait(seconds: patience) { await catchUp() }
    }

    /// What an operation does with the store.
    enum WorkKind {
        case look
        /// It keeps a processor busy for as much as seconds, and only others like it wait for it.
        case longLook
        /// Carried out to its end, and told, once it has begun.
        case change

        /// - Parameter filter: what is looked for.
        static func look(for filter: Filter) -> WorkKind { filter.needsBodies ? .longLook : .look }
    }

    /// Whether what was told by then was not in the store in time.
    func isBehind(_ told: Int) -> Bool { flushed.withLock { $0 < told } }

    /// Reads what may not be there yet: it is missing only once everything that was told until now has been looked at.
    func find<Value: Sendable>(
        as kind: WorkKind = .look, _ body: @escaping @Sendable (FlowStore) throws -> Value?
    ) async throws -> Value? {
        await catchUp(within: Self.patience)
        let told = hub.told
        if let found = try await read(as: kind, body) { return found }
        return isBehind(told) ? try await read(patience: nil, as: kind, body) : nil
    }

    /// - Throws: `Problem` that says where it is wrong.
    func filter(_ question: Question) throws -> Filter {
        do throws(FilterFault) {
            return try Filter.parse(
                question.query["filter"] ?? "", in: .local(now: WallClock.now, book: context.book))
        } catch {
            throw Problem(error)
        }
    }

    /// Where secrets are hidden, and their flows are counted, exported or removed: a filter that looks into texts would tell
    /// a guess at a secret from a wrong one.
    func requireBlind(_ filter: Filter) throws {
        guard hidesSecrets, filter.looksIntoTexts else { return }
        throw Problem(
            400,
            "filter: as secrets are hidden, it cannot look into paths, values of fields, words or bodies here; "
                + "take the numbers that a list has found: id:1..9")
    }

    /// The flow's number in the path.
    var id: Int64 {
        get throws {
            guard let text = path["id"], let id = Int64(text), id > 0 else {
                throw Problem.notFound("a flow's number is a positive whole number")
            }
            return id
        }
    }

    /// At most so many flows are asked for by their numbers.
    static let idLimit = 400

    /// nil: not asked for by numbers.
    func ids(_ question: Question) throws -> [Int64]? {
        guard let text = question.query["ids"] else { return nil }
        guard !text.isEmpty else { return [] }
        let ids = text.split(separator: ",", omittingEmptySubsequences: false).map { Int64($0) }
        guard ids.count <= Self.idLimit, ids.allSatisfy({ $0 ?? 0 > 0 }) else {
            throw Problem(400, "ids: up to \(Self.idLimit) numbers with commas between them")
        }
        return ids.compactMap { $0 }
    }

    /// A number of the query.
    func number(_ name: String, _ question: Question, in range: ClosedRange<Int64>) throws -> Int64? {
        guard let text = question.query[name] else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw Problem(400, "\(name): \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func flag(_ name: String, _ question: Question) throws -> Bool {
        switch question.query[name] {
        case nil, "0"?, "false"?: return false
        case "1"?, "true"?, ""?: return true
        default: throw Problem(400, "\(name): 0 or 1")
        }
    }

    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ question: Question, else usual: Value
    ) throws -> Value {
        guard let text = question.query[name] else { return usual }
        guard let value = Value(rawValue: text) else {
            throw Problem(400, "\(name): one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return value
    }

    /// A JSON object as the question's body.
    func object(_ question: Question) throws -> JSONValue {
        guard question.headers["content-type"]?.lowercased().hasPrefix("application/json") ?? false else {
            throw Problem(400, "Content-Type: application/json is needed")
        }
        do {
            let value = try JSONValue.parse(question.body)
            guard value.members != nil else { throw Problem(400, "the body is no JSON object") }
            return value
        } catch let fault as JSONFault {
            throw Problem(400, "the body is no JSON: \(fault.reason) at byte \(fault.offset)")
        }
    }
}
