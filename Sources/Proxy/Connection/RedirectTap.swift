import Facts
import Wire

/// Waits for a client's request, to answer it in the origin's place.
///
/// With a redirect, or by saying that there is nothing.
final class RedirectTap: ExchangeListener {
    private var reader: RedirectAnswer

    let isRedirect: Bool

    /// - Parameter place: host, and port where it is said, as a URL has them; nil: 404.
    init(to place: String?) {
        reader = RedirectAnswer(to: place)
        isRedirect = place != nil
    }

    /// What to say, once the request's head is whole; the connection ends after it.
    var answer: [UInt8]? { reader.answer }

    func passed(_ bytes: Span<UInt8>, _ direction: ExchangeDirection, at now: Double) {
        if direction == .up { reader.feed(bytes) }
    }

    func clientEnded(at now: Double) {}

    func ended(_ close: Observation.Close?, isAnswerLost: Bool, at now: Double) {}
}
