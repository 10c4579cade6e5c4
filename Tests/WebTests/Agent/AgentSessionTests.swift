import Facts
import Flows
import Loop
import Store
import Support
import Testing

@testable import Web

/// An agent before the samples' store.
private struct Agent {
    let samples: APISamples
    let session: AgentSession

    init(_ change: (inout AgentOptions) -> Void = { _ in }) throws {
        samples = try APISamples()
        var options = AgentOptions()
        change(&options)
        session = AgentSession(LocalAsker(situation: samples.situation), options, mark: { "MARK" })
    }

    /// The answer to one message; nil for none.
    func ask(_ line: String) async throws -> JSONValue? {
        try await session.answer(to: Array(line.utf8)).map { try JSONValue.parse($0) }
    }

    func call(_ tool: String, _ arguments: String = "{}") async throws -> (text: String, isError: Bool) {
        let answer = try await ask(
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#)
        if let fault = answer?["error"]?["message"]?.string { return (fault, true) }
        let texts = answer?["result"]?["content"]?.array?.compactMap { $0["text"]?.string } ?? []
        return (texts.joined(separator: "\n"), answer?["result"]?["isError"]?.bool ?? true)
    }

    /// What stands between the marks, as JSON.
    func json(_ tool: String, _ arguments: String = "{}") async throws -> JSONValue {
        let (text, isError) = try await call(tool, arguments)
        #expect(!isError, "\(text)")
        let lines = text.split(separator: "\n")
        return try JSONValue.parse(Array(lines.dropFirst().dropLast().joined(separator: "\n").utf8))
    }
}

@Suite("Agent's session")
struct AgentSessionTests {
    @Test("it says which version it speaks, and offers its newest where it does not know the asked one")
    func initialize() async throws {
        let agent = try Agent()
        for (asked, wanted) in [
            ("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25"),
        ] {
            let answer = try #require(
                try await agent.ask(
                    #"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"\#(asked)"}}"#))
            #expect(answer["id"]?.string == "a")
            #expect(answer["result"]?["protocolVersion"]?.string == wanted)
            #expect(answer["result"]?["serverInfo"]?["name"]?.string == "pinproof")
            #expect(answer["result"]?["instructions"]?.string?.contains("untrusted") == true)
        }
        #expect(try await agent.ask(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#) == nil)
        #expect(try await agent.ask(#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)?["result"]?.members?.isEmpty == true)
    }

    @Test("what is no request is answered by the code that JSON-RPC has for it, and the session goes on")
    func faults() async throws {
        let agent = try Agent()
        for (line, code) in [
            ("{", -32700), ("[]", -32600), ("7", -32600), (#"{"id":1}"#, -32600), (#"{"id":1,"method":"x"}"#, -32601),
            (#"{"id":1,"method":"tools/call","params":{}}"#, -32602),
            (#"{"id":1,"method":"tools/call","params":{"name":"list_flow"}}"#, -32602),
            (#"{"id":1,"method":"tools/call","params":{"name":"list_flows","arguments":[]}}"#, -32602),
        ] {
            #expect(try await agent.ask(line)?["error"]?["code"]?.int == code, "\(line)")
        }
        let answer = await agent.session.answer(to: [UInt8](repeating: 0x61, count: AgentSession.lineLimit + 1))
        #expect(try JSONValue.parse(answer ?? [])["error"]?["code"]?.int == -32600)
        #expect(try await agent.ask("  ") == nil)
        #expect(try await agent.ask(#"{"id":1,"result":{}}"#) == nil)
        let batch = try await agent.ask(#"[{"id":1,"method":"ping"},{"method":"x"},{"id":2,"method":"ping"}]"#)
        #expect(batch?.array?.compactMap { $0["id"]?.int } == [1, 2])
        let many = try await agent.ask("[" + Array(repeating: "1", count: 101).joined(separator: ",") + "]")
        #expect(many?["error"]?["message"]?.string == "at most 100 messages come at once")
    }

    @Test("without --write only what reads is listed, and nothing else can be called")
    func readOnly() async throws {
        let agent = try Agent()
        let tools = try await agent.ask(#"{"id":1,"method":"tools/list"}"#)?["result"]?["tools"]?.array ?? []
        let names = tools.compactMap { $0["name"]?.string }
        #expect(
            Set(names).isSuperset(of: [
                "status", "list_flows", "search_flows", "get_flow", "get_request_body", "get_response_body",
                "get_messages",
                "compare_flows", "explain_flow", "get_stats", "export_flows", "list_runs", "get_run",
            ]))
        #expect(
            !names.contains("delete_flows") && tools.allSatisfy { $0["annotations"]?["readOnlyHint"]?.bool == true })
        for (tool, arguments) in [
            ("delete_flows", "{}"), ("annotate_flow", #"{"id":1,"mark":"x"}"#),
            ("set_host", #"{"host":"a.test","action":"tunnel"}"#),
        ] {
            let (text, isError) = try await agent.call(tool, arguments)
            #expect(isError && text.contains("--write"))
        }
        #expect(try agent.samples.store.count() == 5)
    }

    @Test("with --write the same can be changed as by the API")
    func changes() async throws {
        let agent = try Agent { $0.mayChange = true }
        _ = try await agent.call("annotate_flow", #"{"id":1,"mark":"blue","comment":"why?"}"#)
        #expect(try agent.samples.store.flow(1)?.comment == "why?")
        _ = try await agent.call("set_host", #"{"host":"a.test","action":"tunnel"}"#)
        #expect(agent.samples.decisions.withLock { $0.count } == 1)
        for blank in [#"{"filter":""}"#, #"{"filter":" \t"}"#] {
            let refused = try await agent.call("delete_flows", blank)
            #expect(refused.text.contains("delete_flows needs \"filter\""), "\(refused.text)")
        }
        #expect(try await agent.call("delete_flows", #"{"filter":"id:4"}"#).text.contains("1"))
        #expect(try agent.samples.store.count() == 4)
    }

    @Test("secrets are left out of every tool's answer, and shown where that was allowed")
    func secrets() async throws {
        let calls = [
            ("list_flows", "{}"), ("list_flows", #"{"view":"flow"}"#), ("get_flow", #"{"id":5}"#),
            ("get_request_body", #"{"id":5}"#), ("search_flows", #"{"text":"hunter2"}"#),
            ("search_flows", #"{"text":"s3cr3t"}"#), ("search_flows", #"{"text":"password"}"#),
            ("compare_flows", #"{"first":1,"second":5}"#), ("explain_flow", #"{"id":5}"#),
            ("export_flows", #"{"format":"jsonl"}"#), ("export_flows", #"{"format":"curl","filter":"id:5"}"#),
        ]
        let agent = try Agent()
        for (tool, arguments) in calls {
            let (text, _) = try await agent.call(tool, arguments)
            #expect(!text.contains("hunter2") && !text.contains("s3cr3t"), "\(tool) \(arguments): \(text)")
        }
        #expect(try await agent.call("export_flows", #"{"secrets":true}"#).isError)
        #expect(try await agent.call("get_request_body", #"{"id":5,"raw":true}"#).isError)
        // A guess is not told right from wrong.
        #expect(try await agent.json("search_flows", #"{"text":"hunter2"}"#)["found"]?.array?.isEmpty == true)
        let open = try Agent { $0.showsSecrets = true }
        #expect(try await open.call("get_request_body", #"{"id":5}"#).text.contains("hunter2"))
        #expect(try await open.call("get_flow", #"{"id":5}"#).text.contains("s3cr3t"))
        #expect(
            try await open.call("export_flows", #"{"format":"curl","filter":"id:5","secrets":true}"#).text.contains(
                "s3cr3t"))
    }

    @Test("filters see what is shown: nobody finds a secret out by asking for guesses")
    func guesses() async throws {
        let agent = try Agent()
        func ids(_ filter: String, _ more: String = "") async throws -> [Int] {
            try await agent.json("list_flows", #"{"filter":"\#(filter)"\#(more)}"#)["flows"]?.array?.compactMap {
                $0["id"]?.int
            } ?? []
        }
        for filter in ["header:authorization=Bearer*", "header:authorization=s3cr3t", "s3cr3t", "body:hunter2"] {
            #expect(try await ids(filter) == [], "\(filter)")
            // What is negated tells as much.
            #expect(try await ids("-\(filter)") == [1, 2, 3, 4, 5], "-\(filter)")
        }
        #expect(try await ids("header:authorization") == [5])
        #expect(try await ids("body:password status:401") == [5])
        #expect(try await ids("path:/v1/*", #","limit":1"#) == [1])
        #expect(try await ids("path:/v1/*", #","limit":1,"after":"1""#) == [5])
        for (tool, arguments) in [
            ("get_stats", #"{"filter":"s3cr3t"}"#), ("export_flows", #"{"filter":"body:hunter2"}"#),
            ("list_flows", #"{"ids":[5],"filter":"s3cr3t"}"#),
        ] {
            let (text, isError) = try await agent.call(tool, arguments)
            #expect(isError && text.contains("secrets are hidden"), "\(tool): \(text)")
        }
        #expect(try await !agent.call("get_stats", #"{"filter":"status:401"}"#).isError)
        let search = try await agent.json("search_flows", #"{"text":"password","filter":"-body:hunter2"}"#)
        #expect(search["found"]?.array?.count == 1)
        let open = try Agent { $0.showsSecrets = true }
        #expect(try await open.json("list_flows", #"{"filter":"s3cr3t"}"#)["flows"]?.array?.count == 1)
    }

    @Test("data of others stands before a mark that they cannot know, and is called untrusted")
    func marks() async throws {
        let agent = try Agent()
        for (tool, arguments) in [
            ("list_flows", "{}"), ("get_request_body", #"{"id":5}"#), ("get_messages", #"{"id":2}"#),
        ] {
            let text = try await agent.call(tool, arguments).text
            #expect(text.contains("Untrusted data") && text.hasSuffix("\nMARK"), "\(text)")
        }
        let session = AgentSession(LocalAsker(situation: agent.samples.situation), AgentOptions())
        #expect(session.mark() != session.mark() && session.mark().count == 16)
    }

    @Test("a list that is too long for the budget has fewer flows, and next leads on to all of them")
    func budget() async throws {
        let agent = try Agent()
        for number in 0..<200 {
            var flow = Flow(id: Int64(number), kind: .http, state: .complete, started: 1_767_225_700)
            (flow.method, flow.url) = ("GET", "https://many.test/\(number)")
            _ = try agent.samples.store.insert([WholeFlow(flow)])
        }
        var (ids, next, calls): ([Int], String?, Int) = ([], nil, 0)
        repeat {
            let after = next.map { #","after":"\#($0)""# } ?? ""
            let text = try await agent.call("list_flows", #"{"limit":200,"max_bytes":2048\#(after)}"#).text
            #expect(text.utf8.count < 2048 + 200)
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("{") })
            let page = try JSONValue.parse(Array(line.utf8))
            ids += page["flows"]?.array?.compactMap { $0["id"]?.int } ?? []
            next = page["next"]?.string
            calls += 1
        } while next != nil && calls < 300
        #expect(ids == Array(1...205))
    }

    @Test("an answer that is cut says where to go on, and the parts are the whole")
    func offsets() async throws {
        let agent = try Agent()
        var flow = Flow(id: 1, kind: .http, state: .complete, started: 1_767_225_700)
        let body = (0..<900).map { "zeile \($0) ü\n" }.joined()
        flow.response = FlowSide(
            headers: [HeaderField("content-type", "text/plain")],
            body: FlowBody(size: body.utf8.count, kept: body.utf8.count, type: "text/plain"))
        let id = try #require(try agent.samples.store.insert([WholeFlow(flow, responseBody: Array(body.utf8))]).first)
        var (whole, offset): (String, Int?) = ("", 0)
        while let at = offset {
            let text = try await agent.call("get_response_body", #"{"id":\#(id),"offset":\#(at),"max_bytes":1024}"#)
                .text
            let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
            whole += lines[2].dropLast("\nMARK".count)
            offset = lines[0].firstRange(of: "offset=").flatMap { range in
                Int(lines[0][range.upperBound...].prefix { $0.isNumber })
            }
        }
        #expect(whole == body)
    }

    @Test("bodies that are no text are shown as hex, pictures as such, and wrong arguments are told")
    func bodies() async throws {
        let agent = try Agent()
        let picture: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0xff]
        var flow = Flow(id: 1, kind: .http, state: .complete, started: 1_767_225_700)
        flow.response = FlowSide(
            headers: [HeaderField("Content-Type", "image/png")],
            body: FlowBody(size: picture.count, kept: picture.count, type: "image/png"))
        let id = try #require(try agent.samples.store.insert([WholeFlow(flow, responseBody: picture)]).first)
        let text = try await agent.call("get_response_body", #"{"id":\#(id)}"#).text
        #expect(text.contains("89 50 4e 47 00 01 02 ff") && text.contains("view=image"))
        let answer = try await agent.ask(
            #"{"id":1,"method":"tools/call","params":{"name":"get_response_body","arguments":{"id":\#(id),"view":"image"}}}"#
        )
        #expect(answer?["result"]?["content"]?.array?.last?["data"]?.string == Base64.encode(picture))
        for (tool, arguments, words) in [
            ("get_response_body", #"{"id":\#(id),"view":"pdf"}"#, "view"), ("get_flow", "{}", "needs \"id\""),
            ("get_flow", #"{"id":999}"#, "no flow 999"), ("list_flows", #"{"filtre":"x"}"#, "did you mean \"filter\""),
            ("list_flows", #"{"filter":"mehtod:GET"}"#, "column 1, did you mean method:"),
            ("list_flows", #"{"max_bytes":5}"#, "max_bytes"), ("get_flow", #"{"id":{}}"#, "a text or a number"),
            ("list_flows", #"{"limit":0}"#, "limit"), ("search_flows", "{}", "needs \"text\""),
        ] {
            let (text, isError) = try await agent.call(tool, arguments)
            #expect(isError && text.contains(words), "\(tool): \(text)")
        }
    }

    @Test("gate runs are found, and their reports come by parts")
    func runs() async throws {
        let agent = try Agent()
        try RouterTests.makeRun("runs/20260101T000000Z-release", in: agent.samples.folder)
        let runs = try await agent.json("list_runs")
        #expect(runs["runs"]?.array?.first?["name"]?.string == "20260101T000000Z-release")
        let run = try await agent.json("get_run", #"{"name":"20260101T000000Z-release"}"#)
        #expect(run["report"] != nil && run["connections"] == nil)
        #expect(
            try await agent.json("get_run", #"{"name":"20260101T000000Z-release","part":"connections"}"#)["connections"]
                != nil)
    }

    @Test("lines are cut where they end, however they come")
    func lines() {
        var cutter = LineCutter(limit: 4)
        #expect(cutter.add(Array("ab".utf8)) == [])
        #expect(
            cutter.add(Array("c\nd\n\ntoolong".utf8)).map { String(decoding: $0, as: UTF8.self) } == ["abc", "d", ""])
        #expect(cutter.add(Array("er\n".utf8)).map { String(decoding: $0, as: UTF8.self) } == ["tool"])
        #expect(cutter.end() == nil)
    }
}
