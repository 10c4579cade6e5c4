import Dispatch
import Facts
import Flows
import Loop
import Proxy
import Testing

@testable import Inspector

struct FlowRecorderTests {
    /// 1, 2, 3, …
    private func numbers() -> @Sendable () -> Int64 {
        let last = Locked<Int64>(0)
        return {
            last.withLock { number in
                number += 1
                return number
            }
        }
    }

    private func recorder() throws -> (FlowRecorder, Locked<[FlowChange]>) {
        let told = Locked<[FlowChange]>([])
        let recorder = try FlowRecorder(
            tools: { DecodingTools() },
            newID: numbers(),
            sink: { changes in told.withLock { $0 += changes } })
        return (recorder, told)
    }

    private func connection(_ number: UInt64) -> ExchangeConnection {
        ExchangeConnection(
            number: number, accepted: 0, began: 0, via: .connect, host: HostName("api.test"),
            negotiated: Negotiated(version: .tls13, cipher: "x", alpn: "http/1.1"))
    }

    private func say(_ text: String, _ direction: ExchangeDirection, to listener: (any ExchangeListener)?) {
        let bytes = Array(text.utf8)
        listener?.passed(bytes.span, direction, at: 0)
    }

    @Test("what the tap was shown is told as flows, and all of it when the recorder ends")
    func flows() async throws {
        let (recorder, told) = try recorder()
        for number in 1...3 as ClosedRange<UInt64> {
            let listener = recorder.feed.began(connection(number))
            say("GET /\(number) HTTP/1.1\r\nHost: api.test\r\n\r\n", .up, to: listener)
            say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", .down, to: listener)
            if number < 3 { listener?.ended(nil, isAnswerLost: false, at: 0) }
        }
        await recorder.finish()
        let flows = told.withLock { $0 }.compactMap { if case .flow(let flow) = $0 { flow } else { nil } }
        #expect(flows.filter { $0.state == .complete }.map(\.url) == (1...3).map { "https://api.test/\($0)" })
        #expect(Set(flows.map(\.id)) == [1, 2, 3])
    }

    @Test("who asks what has passed until now is told of it at once")
    func catchesUp() async throws {
        let (recorder, told) = try recorder()
        let listener = recorder.feed.began(connection(1))
        say("GET /1 HTTP/1.1\r\nHost: api.test\r\n\r\n", .up, to: listener)
        say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", .down, to: listener)
        await recorder.catchUp()
        let flows = told.withLock { $0 }.compactMap { if case .flow(let flow) = $0 { flow } else { nil } }
        #expect(flows.last?.state == .complete)
        await recorder.finish()
        await recorder.catchUp()
    }

    @Test("what is left out is counted, and the flow's times are those of the bytes that passed")
    func shedding() async throws {
        let told = Locked<[FlowChange]>([])
        var waiting = ExchangeFeed.Limits()
        waiting.total = 0
        let recorder = try FlowRecorder(
            waiting: waiting, tools: { DecodingTools() }, newID: { 1 },
            sink: { changes in told.withLock { $0 += changes } })
        let listener = recorder.feed.began(connection(1))
        for (text, direction, at) in [
            ("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n", ExchangeDirection.up, 1.0),
            ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", .down, 1.5), ("01234", .down, 2), ("56789", .down, 3),
        ] {
            let bytes = Array(text.utf8)
            listener?.passed(bytes.span, direction, at: at)
        }
        await recorder.finish()
        let flow = told.withLock { $0 }.compactMap { if case .flow(let flow) = $0 { flow } else { nil } }.last
        #expect(flow?.state == .complete && flow?.response?.body?.shed == 10 && recorder.shed == 10)
        #expect(flow?.timing.lastByteMS == 2000 && flow?.durationMS == 2000)
    }

    @Test("a tunnel is told while it is open, and is no second flow when its observation comes")
    func tunnel() async throws {
        let (recorder, told) = try recorder()
        var facts = connection(1)
        facts.negotiated = nil
        facts.isOpaque = true
        facts.hello = HelloFacts(sni: HostName("api.test"), ja4: "t13d")
        let listener = recorder.feed.began(facts)
        say("hello", .up, to: listener)
        func flows() -> [Flow] {
            told.withLock { $0 }.compactMap { if case .flow(let flow) = $0 { flow } else { nil } }
        }
        while flows().last?.request?.body?.size != 5 {
            try Task.checkCancellation()
            await Task.yield()
        }
        let open = try #require(flows().last)
        #expect(open.kind == .tunnel && open.state == .open && open.scheme == "https" && open.server.port == 443)
        #expect(open.tls?.sni == "api.test" && open.tls?.ja4 == "t13d")
        say("answer", .down, to: listener)
        listener?.ended(Observation.Close(by: .client, how: .fin, ms: 1), isAnswerLost: false, at: 1)
        var over = Observation(connection: 1)
        over.action = .tunnelled
        over.host = HostName("api.test")
        recorder.note(over)
        await recorder.finish()
        #expect(Set(flows().map(\.id)) == [1])
        #expect(flows().last?.state == .complete && flows().last?.response?.body?.size == 6)
    }

    @Test(
        "a request that was answered in its origin's place has its own reason, though its client stays until time is up",
        arguments: [(Observation.Fault.originNameNotFound, FlowFailure.ID.originNameNotFound), (nil, .proxyLimit)]
            as [(Observation.Fault?, FlowFailure.ID)])
    func stays(fault: Observation.Fault?, id: FlowFailure.ID) async throws {
        let (recorder, told) = try recorder()
        let listener = recorder.feed.began(connection(1))
        say("GET /1 HTTP/1.1\r\nHost: api.test\r\n\r\n", .up, to: listener)
        listener?.ended(Observation.Close(by: .proxy, how: .timeout, ms: 3000), isAnswerLost: false, at: 3)
        var over = Observation(connection: 1)
        over.host = HostName("api.test")
        over.fault = fault
        over.close = Observation.Close(by: .proxy, how: .timeout, ms: 3000)
        recorder.note(over)
        await recorder.finish()
        let flow = told.withLock { $0 }.compactMap { if case .flow(let flow) = $0 { flow } else { nil } }.last
        #expect(flow?.failure?.id == id && flow?.state == .aborted)
    }

    @Test("much that has come at once is told in pieces, each flow's in its order")
    func pieces() async throws {
        let batches = Locked<[[FlowChange]]>([])
        let recorder = try FlowRecorder(
            tools: { DecodingTools() },
            newID: numbers(), sink: { changes in batches.withLock { $0.append(changes) } })
        let listener = recorder.feed.began(connection(1))
        let body = String(repeating: "x", count: 70_000)
        for number in 1...16 {
            say("POST /\(number) HTTP/1.1\r\nHost: api.test\r\nContent-Length: 70000\r\n\r\n", .up, to: listener)
            say(body, .up, to: listener)
            say("HTTP/1.1 204 No Content\r\n\r\n", .down, to: listener)
        }
        listener?.ended(nil, isAnswerLost: false, at: 0)
        await recorder.finish()
        let told = batches.withLock { $0 }
        #expect(told.count >= 4)
        let ended = told.joined().compactMap { change -> Flow? in
            if case .flow(let flow) = change, flow.state == .complete { flow } else { nil }
        }
        #expect(ended.map(\.url) == (1...16).map { "https://api.test/\($0)" })
        let sizes = told.map { batch in
            batch.reduce(0) { sum, change in if case .body(_, _, let bytes) = change { sum + bytes.count } else { sum }
            }
        }
        #expect(sizes.reduce(0, +) == 16 * 70_000 && sizes.allSatisfy { $0 <= 400_000 })
        // Of a body that came at once nobody is told in parts.
        let parts = told.joined().filter { if case .body = $0 { true } else { false } }
        #expect(parts.count == 16)
    }

    @Test("while much comes, what goes on is told a moment later, and messages at once")
    func busy() async throws {
        let told = Locked<[FlowChange]>([])
        let all = DispatchSemaphore(value: 0)
        let begun = Locked(false)
        let numbers = numbers()
        let recorder = try FlowRecorder(
            tools: { DecodingTools() },
            newID: {
                begun.withLock { $0 = true }
                return numbers()
            },
            sink: { changes in
                // The first batch is of the flow that is to keep the recorder here, until all else waits.
                if told.withLock({ $0.isEmpty }) { all.wait() }
                told.withLock { $0 += changes }
            })
        let first = recorder.feed.began(connection(9))
        self.say("GET /first HTTP/1.1\r\nHost: api.test\r\n\r\n", .up, to: first)
        while !begun.withLock({ $0 }) {
            try Task.checkCancellation()
            await Task.yield()
        }
        let (busy, slow, events) = (
            recorder.feed.began(connection(1)), recorder.feed.began(connection(2)), recorder.feed.began(connection(3))
        )
        let now = MonotonicClock.now
        func say(_ text: String, _ direction: ExchangeDirection, to listener: (any ExchangeListener)?) {
            let bytes = Array(text.utf8)
            listener?.passed(bytes.span, direction, at: now)
        }
        func flows() -> [Flow] {
            told.withLock { $0 }.compactMap { if case .flow(let flow) = $0 { flow } else { nil } }
        }
        for (path, listener) in [("slow", slow), ("events", events)] {
            say("GET /\(path) HTTP/1.1\r\nHost: api.test\r\n\r\n", .up, to: listener)
        }
        say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n", .down, to: events)
        say("POST / HTTP/1.1\r\nHost: api.test\r\nContent-Length: 2000000\r\n\r\n", .up, to: busy)
        say(String(repeating: "x", count: 2_000_000), .up, to: busy)
        all.signal()
        // Nothing else comes: it is told all the same.
        while !flows().contains(where: { $0.url == "https://api.test/slow" }) {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(flows().map(\.url).prefix(2) == ["https://api.test/first", "https://api.test/events"])
        #expect(flows().dropFirst().first?.messages == 1)
        await recorder.finish()
    }

    @Test("what was still open when the recorder ends is aborted, not forgotten")
    func open() async throws {
        let (recorder, told) = try recorder()
        let listener = recorder.feed.began(connection(1))
        say("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n", .up, to: listener)
        await recorder.finish()
        let last = told.withLock { $0 }.last
        guard case .flow(let flow)? = last else {
            Issue.record("no flow: \(String(describing: last))")
            return
        }
        #expect(flow.state == .aborted)
    }

    @Test("a connection that came to nothing is a failure of its own, one that carried flows is not")
    func failures() async throws {
        let (recorder, told) = try recorder()
        let listener = recorder.feed.began(connection(1))
        say("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n", .up, to: listener)
        say("HTTP/1.1 204 No Content\r\n\r\n", .down, to: listener)
        listener?.ended(nil, isAnswerLost: false, at: 0)
        var carried = Observation(connection: 1)
        carried.action = .intercepted
        carried.flight = Observation.Flight(ms: 1, delivered: true)
        carried.finishedMS = 2
        recorder.note(carried)
        var refused = carried
        refused.connection = 2
        refused.finishedMS = nil
        refused.host = HostName("pay.test")
        refused.alerts = [Alert(from: .client, level: 2, code: 48, epoch: .plaintext, ms: 2)]
        recorder.note(refused)
        await recorder.finish()
        let flows = told.withLock { $0 }.compactMap { if case .flow(let flow) = $0 { flow } else { nil } }
        #expect(flows.map(\.kind) == [.http, .failure])
        #expect(flows.last?.failure?.id == .clientRefusedCertificate)
        #expect(flows.last?.failure?.alert == "unknown_ca")
        #expect(flows.last?.failure?.text.contains("pay.test") == true)
    }

    @Test("a plain request's server is the one that its URL names, also where its Host field names another")
    func absoluteForm() throws {
        let target = try #require(Endpoint("192.0.2.7:8080"))
        let plain = ExchangeConnection(
            number: 1, accepted: 0, began: 0, via: .http, host: HostName("x.test"), target: target)
        #expect(ConnectionRecorder.Facts(plain).server.host == "192.0.2.7")
        #expect(ConnectionRecorder.Facts(plain).server.port == 8080)
        // A tunnel to an address is for the name that its ClientHello has.
        let tunnel = ExchangeConnection(
            number: 1, accepted: 0, began: 0, via: .connect, host: HostName("x.test"), target: target)
        #expect(ConnectionRecorder.Facts(tunnel).server.host == "x.test")
        var failed = Observation(connection: 2)
        failed.via = .http
        failed.host = HostName("x.test")
        failed.target = target
        failed.fault = .originRefused
        failed.error = "origin unreachable: connection refused"
        #expect(Flow(failed, id: { 1 })?.server.host == "192.0.2.7")
    }
}
