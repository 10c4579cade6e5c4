import Facts
import Loop
import Wire

/// One connection that a feed follows: decides what is added and what is left out.
///
/// It lives on the connection's loop.
final class FollowedConnection: ExchangeListener {
    private let feed: ExchangeFeed
    private let number: UInt64
    private var finder: BodyFinder
    private var up = 0
    private var down = 0
    private var isCut = false
    private var hasClientEnded = false
    /// Of what cannot be left out, in the batch of this number.
    private var waiting = 0
    /// Of everything in the same batch.
    private var held = 0
    private var batch = 0
    /// The last event, if it tells of bytes left out: more of them need no event of their own.
    private var marker: (place: ExchangeFeed.Place, direction: ExchangeDirection)?
    /// Of the bytes at hand; kept for its memory.
    private var runs: [(count: Int, isBody: Bool)] = []

    init(_ connection: ExchangeConnection, _ feed: ExchangeFeed) {
        self.feed = feed
        number = connection.number
        finder = BodyFinder(alpn: connection.alpn)
    }

    func passed(_ bytes: Span<UInt8>, _ direction: ExchangeDirection, at now: Double) {
        guard !isCut, !bytes.isEmpty, let room = feed.room() else { return }
        if room.batch != batch { began(room.batch) }
        let framing = split(bytes, direction)
        let cost = bytes.count + ExchangeFeed.eventCost
        let rest = framing > 0 ? framing + ExchangeFeed.eventCost : 0
        if cost <= bodyRoom(room), rest <= restRoom(room) {
            add([ExchangeEvent(number, .passed(direction, copy(bytes), at: now))], total: cost, rest: rest)
            count(bytes.count, direction)
        } else {
            addParts(of: bytes, direction, at: now, room)
        }
    }

    func connected(_ origin: ExchangeConnection.Origin, took: Double?, at now: Double) {
        guard !isCut else { return }
        _ = feed.add([ExchangeEvent(number, .connected(origin, took: took, at: now))], total: 0, rest: 0)
        marker = nil
    }

    func clientEnded(at now: Double) {
        guard !isCut, !hasClientEnded else { return }
        hasClientEnded = true
        _ = feed.add([ExchangeEvent(number, .clientEnded(at: now))], total: 0, rest: 0)
        marker = nil
    }

    func ended(_ close: Observation.Close?, isAnswerLost: Bool, at now: Double) {
        let end = ExchangeEvent(number, .ended(close, isAnswerLost: isAnswerLost, at: now))
        _ = feed.add([end], total: 0, rest: 0)
        isCut = true
    }

    /// Fills `runs`; returns how many bytes are of no body.
    private func split(_ bytes: Span<UInt8>, _ direction: ExchangeDirection) -> Int {
        runs.removeAll(keepingCapacity: true)
        var framing = 0
        var at = 0
        while at < bytes.count {
            let run = finder.next(bytes.extracting(at...), direction)
            at += run.count
            if !run.isBody { framing += run.count }
            if let last = runs.last, last.isBody == run.isBody {
                runs[runs.count - 1].count += run.count
            } else {
                runs.append(run)
            }
        }
        return framing
    }

    /// Bodies as far as there is room, all else as long as that is bounded.
    private func addParts(
        of bytes: Span<UInt8>, _ direction: ExchangeDirection, at now: Double, _ room: ExchangeFeed.Room
    ) {
        var events: [ExchangeEvent] = []
        let (allTotal, allRest) = (bodyRoom(room), restRoom(room))
        var (total, rest) = (allTotal, allRest)
        var at = 0
        for run in runs {
            let cost = run.count + ExchangeFeed.eventCost
            let isKept = run.isBody ? cost <= total : cost <= rest
            // A marker cannot be left out either, unless it makes another one greater.
            let markerCost = events.isEmpty && marker?.direction == direction ? 0 : ExchangeFeed.eventCost
            guard isKept || run.isBody && markerCost <= rest else {
                let (up, down) = direction == .up ? (up + at, down) : (up, down + at)
                events.append(ExchangeEvent(number, .cut(up: up, down: down, at: now)))
                isCut = true
                break
            }
            if isKept {
                let part = copy(bytes.extracting(at..<(at + run.count)))
                events.append(ExchangeEvent(number, .passed(direction, part, at: now)))
                total -= cost
                if !run.isBody { rest -= cost }
            } else {
                events.append(ExchangeEvent(number, .shed(direction, run.count, at: now)))
                total -= markerCost
                rest -= markerCost
            }
            at += run.count
        }
        count(at, direction)
        add(events, total: allTotal - total, rest: allRest - rest)
    }

    private func add(_ events: [ExchangeEvent], total: Int, rest: Int) {
        let place = feed.add(events, total: total, rest: rest, after: marker?.place)
        if place.batch != batch { began(place.batch) }
        waiting += rest
        held += total
        if case .shed(let direction, _, _) = events.last?.kind { marker = (place, direction) } else { marker = nil }
    }

    /// What was added before has been taken.
    private func began(_ batch: Int) {
        self.batch = batch
        waiting = 0
        held = 0
        marker = nil
    }

    private func bodyRoom(_ room: ExchangeFeed.Room) -> Int {
        min(room.total, ExchangeFeed.bodyShare.room(of: room.total, holding: held))
    }

    private func restRoom(_ room: ExchangeFeed.Room) -> Int {
        let share = ExchangeFeed.restShare.room(of: room.rest, holding: waiting)
        return min(room.rest, share, feed.limits.connectionRest - waiting)
    }

    private func count(_ count: Int, _ direction: ExchangeDirection) {
        if direction == .up { up += count } else { down += count }
    }

    private func copy(_ bytes: Span<UInt8>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.append(copying: bytes)
        return copy
    }
}
