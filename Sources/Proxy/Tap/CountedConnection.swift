import Facts

/// One connection of which a feed tells no more than how many bytes it has carried.
///
/// However many come before they are taken, they wait as one event. It lives on the connection's loop.
final class CountedConnection: ExchangeListener {
    private let feed: ExchangeFeed
    private let number: UInt64
    private var up = 0
    private var down = 0
    /// Where the last count is, until it is taken.
    private var marker: ExchangeFeed.Place?

    init(_ number: UInt64, _ feed: ExchangeFeed) {
        self.feed = feed
        self.number = number
    }

    func passed(_ bytes: Span<UInt8>, _ direction: ExchangeDirection, at now: Double) {
        switch direction {
        case .up: up += bytes.count
        case .down: down += bytes.count
        }
        let cost = ExchangeFeed.eventCost
        // Without room nothing is lost: the next count says it as well, and the end does in any case.
        guard let room = feed.room(), marker?.batch == room.batch || cost <= min(room.total, room.rest) else { return }
        let isNew = marker?.batch != room.batch
        marker = feed.add([counted], total: isNew ? cost : 0, rest: isNew ? cost : 0, after: marker)
    }

    func clientEnded(at now: Double) {}

    func ended(_ close: Observation.Close?, isAnswerLost: Bool, at now: Double) {
        let end = ExchangeEvent(number, .ended(close, isAnswerLost: isAnswerLost, at: now))
        _ = feed.add([counted, end], total: 0, rest: 0, after: marker)
    }

    private var counted: ExchangeEvent { ExchangeEvent(number, .counted(up: up, down: down)) }
}
