import Console
import Facts
import Loop
import Support
import Testing

@testable import Inspector

private func connection(_ host: String, error: String? = nil, chain: [String] = []) -> Observation {
    var seen = Observation(connection: 1)
    seen.host = HostName(host)
    seen.action = .intercepted
    seen.upstream = Observation.Upstream(verified: error == nil, chain: chain, error: error)
    seen.error = error.map { "origin refused: \($0)" }
    seen.bytesUp = 412
    seen.bytesDown = 1024
    return seen
}

private func log(_ output: Locked<String>, _ loudness: Console.Loudness, _ clock: Locked<Double> = Locked(0))
    -> ConnectionLog
{
    ConnectionLog(.recording(output, loudness: loudness), now: { clock.withLock { $0 } })
}

@Test("-v tells every connection in a line: host, what became of it, bytes, and what was wrong")
func everyConnection() {
    let output = Locked("")
    let log = log(output, .verbose)
    log.note(connection("api.test"))
    var refused = connection("api.test")
    refused.alerts = [Alert(from: .client, level: 2, code: 48, epoch: .handshake, ms: 1)]
    log.note(refused)
    log.note(connection("own.test", error: "its certificate does not verify: unknown", chain: ["ab"]))
    var nameless = Observation(connection: 2)
    nameless.error = "neither CONNECT nor SNI: nowhere to connect to"
    log.note(nameless)
    log.note(nameless)
    #expect(
        output.withLock { $0 } == """
            api.test  intercepted, 412 bytes up, 1024 down
            api.test  intercepted, 412 bytes up, 1024 down, the client answered unknown_ca
            own.test  intercepted, 412 bytes up, 1024 down: origin refused: its certificate does not verify: unknown \
            (a root of its own goes under upstream.roots)
            no host  ended, 0 bytes up, 0 down: neither CONNECT nor SNI: nowhere to connect to
            no host  ended, 0 bytes up, 0 down: neither CONNECT nor SNI: nowhere to connect to

            """)
}

@Test("without -v an origin that fails is told once a minute, by host and reason, and nothing else is")
func failingOrigins() {
    let output = Locked("")
    let clock = Locked(100.0)
    let log = log(output, .normal, clock)
    log.note(connection("api.test"))
    #expect(output.withLock { $0 } == "")
    for _ in 1...3 { log.note(connection("api.test", error: "connection refused")) }
    log.note(connection("b.test", error: "connection refused"))
    log.note(connection("api.test", error: "timed out"))
    let first = """
        warning: api.test: origin refused: connection refused
        warning: b.test: origin refused: connection refused
        warning: api.test: origin refused: timed out

        """
    #expect(output.withLock { $0 } == first)
    clock.withLock { $0 += 59 }
    log.note(connection("api.test", error: "connection refused"))
    #expect(output.withLock { $0 } == first)
    clock.withLock { $0 += 2 }
    log.note(connection("api.test", error: "connection refused"))
    #expect(output.withLock { $0 } == first + "warning: api.test: origin refused: connection refused\n")
}

@Test("without -v, what the proxy itself refuses is told, with the client that it refuses")
func refusals() {
    let output = Locked("")
    var stranger = Observation(connection: 1, client: Endpoint("198.51.100.7:5000"))
    stranger.error = "refused: it comes from a public address, and the proxy was not started with --open"
    log(output, .normal).note(stranger)
    #expect(output.withLock { $0 }.contains("--open (client 198.51.100.7)"))
}

@Test("-q tells no connection")
func quietLog() {
    let output = Locked("")
    log(output, .quiet).note(connection("api.test", error: "connection refused"))
    #expect(output.withLock { $0 } == "")
}

@Test("a client that makes up names fills neither the terminal nor the memory, and is told of later")
func manyOrigins() {
    var told = ConnectionLog.Told()
    let limit = ConnectionLog.Told.limit
    let admitted = (0..<10 * limit).count { told.admit("h\($0)", 0) != .no }
    #expect(admitted == limit && told.count == limit)
    #expect(told.admit("late", 61) == .yes(withheld: 9 * limit))
    #expect(told.admit("later", 61) == .yes(withheld: 0))
    #expect(told.count == 2)
}

@Test("text from the network begins no line and reaches no control of the terminal", arguments: [false, true])
func hostileReasons(isVerbose: Bool) {
    let output = Locked("")
    let evil = "no\r\nresult: pass\u{1b}[2J\u{202e}" + String(repeating: "x", count: 100_000)
    log(output, isVerbose ? .verbose : .normal).note(connection("api.test", error: evil))
    let text = output.withLock { $0 }
    #expect(text.count < 1000 && text.split(whereSeparator: \.isNewline).count == 1)
    #expect(text.dropLast().unicodeScalars.allSatisfy(\.isPrintable) && text.hasSuffix("\n"))
}

@Test("where clients are told apart, -v says whose a connection was, or why it was nobody's")
func clientNames() {
    var seen = connection("api.test")
    seen.clientName = "pixel-8"
    #expect(ConnectionLog.line(seen) == "pixel-8  api.test  intercepted, 412 bytes up, 1024 down")
    seen.clientName = nil
    seen.credentials = .missing
    #expect(ConnectionLog.line(seen).hasSuffix("1024 down, without the proxy credentials it was asked for"))
    seen.credentials = .unknown
    #expect(ConnectionLog.line(seen).hasSuffix("1024 down, with proxy credentials that are no client's"))
}
