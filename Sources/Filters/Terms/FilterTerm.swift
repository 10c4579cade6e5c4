import Facts
import Flows

/// One demand that a filter makes of a flow.
///
/// Of several values, one has to fit. What a flow lacks (the status of one without an answer) fits no demand.
package enum FilterTerm: Hashable, Sendable {
    /// Anywhere in the URL (without one: host and port), the lines `name: value` of headers and trailers, text bodies,
    /// messages.
    case anywhere(FilterText)
    /// The whole value.
    case value(FilterField, [FilterPattern])
    /// A part of the value.
    case part(FilterTextField, FilterText)
    /// A header or trailer field of that name, interim answers' included, with a value that has this in it; without one,
    /// whatever its value is.
    case header(FilterSide, name: FilterPattern, FilterText?)
    /// A part of a text body, or of one message of that side.
    case body(FilterSide, FilterText)
    case number(FilterNumber, [FilterRange])
    /// In the order of `Flow.Kind.allCases`.
    case kind([Flow.Kind])
    /// In the order of `FlowFailure.ID.allCases`.
    case failure([FlowFailure.ID])
    /// What the client's handshake agreed on, ascending.
    case tls([TLSVersion])
    /// Began at this moment or later, in Unix seconds.
    case after(Double)
    /// Began before this moment, in Unix seconds.
    case before(Double)
    case trait(FilterTrait)
}

/// Which messages of an exchange are looked at.
package enum FilterSide: String, Hashable, Sendable, CaseIterable {
    case either, request, response

    package var directions: [ExchangeDirection] {
        switch self {
        case .either: [.up, .down]
        case .request: [.up]
        case .response: [.down]
        }
    }
}

/// A text of which a filter wants all, with `*`.
package enum FilterField: String, Hashable, Sendable, CaseIterable {
    case host
    /// With the query, or without.
    case path
    case method, scheme
    /// As digits.
    case port
    /// The answer's media type, or what follows its `/`, or its `+`.
    case type
    case tag
    /// Its name, its address, or that without the port.
    case client
    case alpn, ja4, mark
}

/// A text of which a filter wants a part.
package enum FilterTextField: String, Hashable, Sendable, CaseIterable { case url, comment }

/// A number that a filter compares.
package enum FilterNumber: String, Hashable, Sendable, CaseIterable {
    case status, port
    /// Bytes of the body on the wire; 0 where a message has none.
    case requestSize = "req.size"
    /// Bytes of the body on the wire; 0 where a message has none.
    case responseSize = "size"
    /// In microseconds.
    case duration = "dur"
    case messages, connection, id
}

/// A word after `is:`.
package enum FilterTrait: String, Hashable, Sendable, CaseIterable {
    /// It has a failure.
    case failed
    case open, complete, aborted
    case http, websocket, raw, tunnel
    /// 301, 302, 303, 307, 308: to another place.
    case redirect
    /// 304, an `Age` that is not 0, or a `Cache-Status`, `CF-Cache-Status` or `X-Cache` that says so.
    case cached
    case graphql, grpc, sse
    /// A person has marked it.
    case marked
    case commented
    /// Not all of what was said could be read.
    case undecodable
    /// Not all of a body is kept.
    case cut
}
