import Facts
import Wire

/// Reads the exchanges out of one connection's plaintext, both directions, as it passes.
///
/// Begin here: it hands the bytes to the reader of the protocol that is spoken. It changes nothing and asks for nothing:
/// what is lost, or makes no sense, is told as that, with its bytes.
///
///     var reader = ConnectionReader(alpn: facts.alpn)
///     var steps = ExchangeSteps()
///     steps.at = event.at
///     reader.read(bytes[...], .up, &steps)
///     record(steps.take())
package struct ConnectionReader {
    private struct WebSocket {
        var exchange: Int
        var up: WebSocketReader
        var down: WebSocketReader
    }

    private enum Reading {
        /// So many bytes of HTTP/2's preface have come, and nothing else.
        case undecided(matched: Int)
        case http1(HTTP1Reader)
        case http2(HTTP2Reader)
        case webSocket(WebSocket)
        /// Everything belongs to one exchange, as it comes.
        case raw(exchange: Int)
    }

    private var reading: Reading
    private let tools: DecodingTools

    /// - Parameter alpn: what was agreed on; nil where nothing was, and the first bytes tell.
    package init(alpn: String?, tools: DecodingTools = DecodingTools()) {
        self.tools = tools
        switch alpn {
        case nil: reading = .undecided(matched: 0)
        // What is no HTTP shows itself in its first bytes, and is raw then.
        case "http/1.1", "http/1.0": reading = .http1(HTTP1Reader())
        case "h2": reading = .http2(HTTP2Reader(tools: tools))
        default: reading = .raw(exchange: 0)
        }
    }

    /// The next bytes of one direction; both are to be shown in the order in which they passed.
    package mutating func read(
        _ bytes: ArraySlice<UInt8>, _ direction: ExchangeDirection, _ steps: inout ExchangeSteps
    ) {
        guard !bytes.isEmpty else { return }
        switch reading {
        case .undecided(let matched): decide(matched, bytes, direction, &steps)
        case .http1(var reader):
            // Taken out, so that it is changed in place.
            reading = .raw(exchange: 0)
            let rest = reader.read(bytes, direction, &steps)
            guard let upgrade = reader.upgrade else { return reading = .http1(reader) }
            goOn(upgrade)
            read(upgrade.early[...], .up, &steps)
            read(rest, direction, &steps)
        case .http2(var reader):
            reading = .raw(exchange: 0)
            reader.read(bytes, direction, &steps)
            reading = .http2(reader)
        case .webSocket(var socket):
            reading = .raw(exchange: 0)
            switch direction {
            case .up: socket.up.read(bytes, of: socket.exchange, &steps)
            case .down: socket.down.read(bytes, of: socket.exchange, &steps)
            }
            reading = .webSocket(socket)
        case .raw(let exchange): steps.add(exchange, .raw(direction, bytes))
        }
    }

    /// So many bytes of a body were left out here.
    package mutating func shed(_ count: Int, _ direction: ExchangeDirection, _ steps: inout ExchangeSteps) {
        guard count > 0 else { return }
        switch reading {
        case .undecided(let matched):
            goOnAsHTTP1(matched, &steps)
            shed(count, direction, &steps)
        case .http1(var reader):
            reading = .raw(exchange: 0)
            reader.shed(count, direction, &steps)
            reading = .http1(reader)
        case .http2(var reader):
            reading = .raw(exchange: 0)
            reader.shed(count, direction, &steps)
            reading = .http2(reader)
        case .webSocket(var socket):
            reading = .raw(exchange: 0)
            switch direction {
            case .up: socket.up.shed(count, of: socket.exchange, &steps)
            case .down: socket.down.shed(count, of: socket.exchange, &steps)
            }
            reading = .webSocket(socket)
        case .raw(let exchange): steps.add(exchange, .shed(direction, count))
        }
    }

    /// The connection has ended; nothing is read after it.
    ///
    /// - Parameters:
    ///   - why: in words, for what is cut off by it.
    ///   - isCut: it was no end that anybody meant: an answer without a length is not whole (RFC 9112 §8).
    package mutating func end(_ why: String, isCut: Bool = false, _ steps: inout ExchangeSteps) {
        if case .undecided(let matched) = reading { goOnAsHTTP1(matched, &steps) }
        switch reading {
        case .undecided: break
        case .http1(var reader): reader.end(why, isCut: isCut, &steps)
        case .http2(var reader): reader.end(why, &steps)
        case .webSocket(var socket):
            // Without a Close of anybody it was cut off (RFC 6455 §7.1.5: 1006).
            if socket.up.isWhole, socket.down.isWhole, socket.up.isClosed || socket.down.isClosed {
                steps.add(socket.exchange, .ended(.up))
                steps.add(socket.exchange, .ended(.down))
            } else {
                socket.up.cutOff(of: socket.exchange, &steps)
                socket.down.cutOff(of: socket.exchange, &steps)
                steps.add(socket.exchange, .aborted(why: why))
            }
        case .raw(let exchange):
            guard !isCut else { return steps.add(exchange, .aborted(why: why)) }
            steps.add(exchange, .ended(.up))
            steps.add(exchange, .ended(.down))
        }
        reading = .raw(exchange: 0)
    }

    /// HTTP/2 with prior knowledge begins with its preface, and with SETTINGS of a server that did not wait for it.
    private mutating func decide(
        _ matched: Int, _ bytes: ArraySlice<UInt8>, _ direction: ExchangeDirection, _ steps: inout ExchangeSteps
    ) {
        let expected = HTTP2Reader.preface.dropFirst(matched)
        let isHTTP2: Bool
        switch direction {
        case .up:
            let agreed = zip(expected, bytes).prefix { $0 == $1 }.count
            if agreed == bytes.count, agreed < expected.count { return reading = .undecided(matched: matched + agreed) }
            isHTTP2 = agreed == expected.count
        // A frame of 64 KiB cannot come first.
        case .down: isHTTP2 = bytes.first == 0
        }
        if isHTTP2 {
            reading = .http2(HTTP2Reader(tools: tools))
            read(HTTP2Reader.preface.prefix(matched), .up, &steps)
        } else {
            goOnAsHTTP1(matched, &steps)
        }
        read(bytes, direction, &steps)
    }

    private mutating func goOnAsHTTP1(_ matched: Int, _ steps: inout ExchangeSteps) {
        reading = .http1(HTTP1Reader())
        read(HTTP2Reader.preface.prefix(matched), .up, &steps)
    }

    private mutating func goOn(_ upgrade: HTTP1Reader.Upgrade) {
        switch upgrade.kind {
        case .webSocket:
            let deflate = MessageDeflate.agreed(upgrade.answer.fields)
            reading = .webSocket(
                WebSocket(
                    exchange: upgrade.exchange,
                    up: WebSocketReader(.up, deflate?.up, tools),
                    down: WebSocketReader(.down, deflate?.down, tools)))
        case .other where upgrade.name == "h2c":
            reading = .http2(
                HTTP2Reader(
                    tools: tools, upgraded: upgrade.exchange, settings: Self.settings(upgrade.settings),
                    from: upgrade.next))
        case .other: reading = .raw(exchange: upgrade.exchange)
        }
    }

    /// `HTTP2-Settings` is base64url (RFC 4648 §5).
    private static func settings(_ field: String?) -> [UInt8] {
        let standard = (field ?? "").utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        return Base64.decoded(standard[...]) ?? []
    }
}
