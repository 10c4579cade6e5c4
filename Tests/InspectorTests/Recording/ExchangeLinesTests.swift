import Console
import Flows
import Loop
import Support
import Testing

@testable import Inspector

struct ExchangeLinesTests {
    private func exchange(_ change: (inout Flow) -> Void = { _ in }) -> Flow {
        var flow = Flow(id: 1, kind: .http, state: .complete, started: 0)
        flow.method = "GET"
        flow.url = "https://api.example.com/v1/users?limit=2"
        flow.status = 200
        flow.durationMS = 41.2
        flow.server = Flow.Server(host: "api.example.com", port: 443)
        flow.response = FlowSide(body: FlowBody(size: 4120))
        change(&flow)
        return flow
    }

    @Test("an exchange is a line: status, method, address, size, time")
    func line() {
        #expect(ExchangeLines.line(exchange()) == "200 GET https://api.example.com/v1/users?limit=2  4.1 kB  41 ms")
        #expect(ExchangeLines.line(exchange { $0.client.name = "pixel-8" }).hasPrefix("pixel-8  200 GET "))
    }

    @Test("times that cannot be are told all the same")
    func oddTimes() {
        for (time, text) in [(-5.0, "0 ms"), (-1e300, "0 ms"), (.nan, "0 ms"), (.infinity, "16666666m 40s")] {
            #expect(ExchangeLines.line(exchange { $0.durationMS = time }).hasSuffix("  " + text), "\(time)")
        }
    }

    @Test("its number stands before it, where there is a store that has it")
    func number() throws {
        let console = Console.recording(Locked(""))
        let (stored, bare) = (try ExchangeLines(console), try ExchangeLines(console, isStored: false))
        defer {
            stored.stop()
            bare.stop()
        }
        let flow = exchange { $0.id = 1042 }
        #expect(stored.text(flow) == " 1042  " + ExchangeLines.line(flow))
        #expect(bare.text(flow) == ExchangeLines.line(flow))
    }

    @Test("what was told before the end is shown before it")
    func lastWords() throws {
        let shown = Locked("")
        let lines = try ExchangeLines(Console.recording(shown))
        lines.note((1...100).map { id in .flow(exchange { $0.id = id }) })
        lines.stop()
        #expect(shown.withLock { $0 }.split(separator: "\n").map { $0.prefix(5) }.last == "  100")
        #expect(shown.withLock { $0 }.split(separator: "\n").count == 100)
    }

    @Test("what is wrong with an exchange stands behind it")
    func trouble() {
        let cut = exchange {
            $0.state = .aborted
            $0.failure = FlowFailure(.originReset, leg: .origin, text: "the server reset the connection", hint: "x")
        }
        #expect(ExchangeLines.line(cut).hasSuffix("41 ms  (the server reset the connection)"))
        #expect(ExchangeLines.line(exchange { $0.state = .aborted }).hasSuffix("(cut off)"))
        let odd = exchange { $0.undecodable = Flow.Undecodable(at: 12, why: "no chunk begins like this") }
        #expect(ExchangeLines.line(odd).hasSuffix("(not decodable from byte 12: no chunk begins like this)"))
    }

    @Test("a failure is a sentence and a hint below it")
    func failure() {
        var flow = Flow(id: 1, kind: .failure, state: .aborted, started: 0)
        flow.failure = FlowFailure(
            .clientRefusedCertificate, leg: .client, text: "the app does not trust it", hint: "trust it")
        #expect(ExchangeLines.line(flow) == "failed the app does not trust it\n       trust it")
    }

    @Test("a request that was never answered has a hint below it as well")
    func unanswered() {
        let line = ExchangeLines.line(
            exchange {
                $0.status = nil
                $0.failure = FlowFailure(.originRefused, leg: .origin, text: "refused", hint: "is it running?")
            })
        #expect(
            line.hasPrefix("--- GET https://api.example.com/") && line.hasSuffix("(refused)\n       is it running?"))
    }

    @Test("nothing of a peer begins a line of its own or moves the cursor")
    func hostile() {
        let line = ExchangeLines.line(exchange { $0.url = "https://a/\u{1b}[2J\nfailed" })
        #expect(!line.contains("\u{1b}"))
        #expect(!line.contains("\n"))
    }

    @Test("a tunnel and a WebSocket say how much they carried")
    func others() {
        var tunnel = Flow(id: 1, kind: .tunnel, state: .complete, started: 0)
        tunnel.server = Flow.Server(host: "bank.example.com", port: 443)
        tunnel.request = FlowSide(body: FlowBody(size: 500))
        tunnel.response = FlowSide(body: FlowBody(size: 700))
        #expect(ExchangeLines.line(tunnel) == "tunnel bank.example.com:443  1.2 kB")
        tunnel.state = .aborted
        #expect(ExchangeLines.line(tunnel) == "tunnel bank.example.com:443  1.2 kB  (cut off)")
        let socket = exchange {
            $0.kind = .websocket
            $0.status = 101
            $0.messages = 31
        }
        #expect(ExchangeLines.line(socket).contains("31 messages"))
    }

    @Test(
        "sizes and times are short",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (4120, "4.1 kB"), (999_499, "999 kB"), (999_999, "1 MB"),
            (12_345_678, "12 MB"), (5_000_000_000, "5 GB"),
        ])
    func sizes(bytes: Int, text: String) { #expect(ByteCount.text(bytes) == text) }

    @Test(
        "times are short",
        arguments: [(0.04, "0 ms"), (0.44, "0.4 ms"), (41.2, "41 ms"), (3140, "3.1 s"), (124_000, "2m 4s")])
    func times(milliseconds: Double, text: String) { #expect(Milliseconds.text(milliseconds) == text) }
}
