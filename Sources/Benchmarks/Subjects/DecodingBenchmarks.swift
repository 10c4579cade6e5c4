import Coding
import Facts
import Flows
import TLS

/// Bytes to exchanges, and exchanges to flows.
enum DecodingBenchmarks {
    private static let count = 2000

    static var all: [Benchmark] {
        [
            reading("HTTP/1: read, 1 KB", alpn: "http/1.1", http1(SampleTraffic.answer(1024))),
            reading("HTTP/1: read, 100 KB", alpn: "http/1.1", http1(SampleTraffic.answer(102_400), count: 200)),
            reading(
                "HTTP/1: read, 100 KB in chunks", alpn: "http/1.1",
                http1(SampleTraffic.chunkedAnswer(102_400), count: 200)),
            reading("HTTP/2 and HPACK: read, 1 KB", alpn: "h2", http2(1024)),
            reading("HTTP/2 and HPACK: read, 100 KB", alpn: "h2", http2(102_400, count: 200)),
            webSocket("WebSocket: read, 100 bytes", 100), webSocket("WebSocket: read, 16 KB", 16_384),
            recording("HTTP/1: record, 1 KB", alpn: "http/1.1", http1(SampleTraffic.answer(1024))),
            recording("HTTP/1: record, 100 KB", alpn: "http/1.1", http1(SampleTraffic.answer(102_400), count: 200)),
            recording("HTTP/2 and HPACK: record, 1 KB", alpn: "h2", http2(1024)),
        ]
    }

    /// One connection's bytes, in pieces of at most one TLS record.
    private struct Traffic {
        var exchanges: Int
        var pieces: [(direction: ExchangeDirection, bytes: [UInt8])] = []
        var bytes: Int { pieces.reduce(0) { $0 + $1.bytes.count } }

        mutating func add(_ direction: ExchangeDirection, _ bytes: [UInt8]) {
            for start in stride(from: 0, to: bytes.count, by: 16_384) {
                pieces.append((direction, Array(bytes[start..<min(bytes.count, start + 16_384)])))
            }
        }
    }

    private static func http1(_ answer: [UInt8], count: Int = count) -> Traffic {
        var traffic = Traffic(exchanges: count)
        for _ in 0..<count {
            traffic.add(.up, SampleTraffic.requestHead)
            traffic.add(.down, answer)
        }
        return traffic
    }

    private static func http2(_ size: Int, count: Int = count) -> Traffic {
        var traffic = Traffic(exchanges: count)
        traffic.add(.up, SampleTraffic.http2Preface)
        traffic.add(.down, SampleTraffic.http2Settings)
        for number in 0..<count {
            traffic.add(.up, SampleTraffic.http2Request(stream: 2 * number + 1))
            traffic.add(.down, SampleTraffic.http2Answer(stream: 2 * number + 1, size))
        }
        return traffic
    }

    private static func webSocket(_ name: String, _ size: Int) -> Benchmark {
        var traffic = Traffic(exchanges: count)
        traffic.add(.up, SampleTraffic.webSocketRequest)
        traffic.add(.down, SampleTraffic.webSocketAnswer)
        for number in 0..<count {
            let isUp = number % 2 == 0
            traffic.add(isUp ? .up : .down, SampleTraffic.webSocketMessage(size, isMasked: isUp))
        }
        return reading(name, unit: "message", alpn: "http/1.1", traffic)
    }

    private static func reading(
        _ name: String, unit: String = "exchange", alpn: String, _ traffic: Traffic
    ) -> Benchmark {
        Benchmark(name: name, unit: unit) { _ in
            var reader = ConnectionReader(alpn: alpn, tools: .linked)
            var steps = ExchangeSteps()
            var seen = 0
            for piece in traffic.pieces {
                reader.read(piece.bytes[...], piece.direction, &steps)
                seen += steps.take().count
            }
            guard seen >= traffic.exchanges else { throw Failure(name: name) }
            return Benchmark.Work(units: traffic.exchanges, bytes: traffic.bytes)
        }
    }

    /// As the proxy's recorder does it, hashes included.
    private static func recording(_ name: String, alpn: String, _ traffic: Traffic) -> Benchmark {
        Benchmark(name: name, unit: "exchange") { _ in
            var tools = DecodingTools.linked
            tools.digest = { Digest() }
            var facts = ConnectionRecorder.Facts(connection: 1, scheme: "https")
            facts.server = Flow.Server(host: "api.example.com", port: 443)
            var ids: Int64 = 0
            var recorder = ConnectionRecorder(
                facts, reader: ConnectionReader(alpn: alpn, tools: tools), limits: .init(), tools: tools,
                clock: FlowClock(unix: 0, monotonic: 0)
            ) {
                ids += 1
                return ids
            }
            var changes: [FlowChange] = []
            for (index, piece) in traffic.pieces.enumerated() {
                recorder.read(piece.bytes, piece.direction, at: Double(index) / 1e6)
                guard index % 50 == 49 else { continue }
                recorder.take(into: &changes)
                changes.removeAll(keepingCapacity: true)
            }
            guard ids == traffic.exchanges else { throw Failure(name: name) }
            return Benchmark.Work(units: traffic.exchanges, bytes: traffic.bytes)
        }
    }

    private final class Digest: BodyDigest {
        private let digest = RunningSHA256()
        func add(_ bytes: ArraySlice<UInt8>) { digest.add(bytes) }
        func finish() -> String { digest.finish() }
    }
}

/// What was measured has not done what it is for.
struct Failure: Error, CustomStringConvertible {
    var name: String
    var description: String { "\(name): the work was not done; its test will say more" }
}
