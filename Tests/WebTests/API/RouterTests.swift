import Facts
import Filters
import Foundation
import Loop
import Support
import Testing

@testable import Web

@Suite("API")
struct RouterTests {
    @Test("nothing at all is answered without the token")
    func closed() async throws {
        let samples = try APISamples()
        for operation in Operation.all {
            let question = Question(
                method: operation.method.rawValue, target: operation.path, headers: ["host": "127.0.0.1:8081"])
            #expect(await samples.router.answer(question, samples.situation).status == 401, "\(operation.id)")
        }
        for target in ["/", "/assets/index.html", "/nowhere"] {
            let question = Question(method: "GET", target: target, headers: ["host": "127.0.0.1:8081"])
            #expect(await samples.router.answer(question, samples.situation).status == 401)
        }
    }

    @Test("the link becomes a cookie, and what else stood in it stays; no line of its own can be put into the answer")
    func link() async throws {
        let samples = try APISamples()
        func open(_ query: String) async -> Answer {
            await samples.router.answer(
                Question(method: "GET", target: "/?" + query, headers: ["host": "127.0.0.1:8081"]), samples.situation)
        }
        let answer = await open("filter=host%3Aa&token=\(APISamples.token)&flow=7")
        #expect(answer.status == 303)
        #expect(answer.header("Location") == "/?filter=host%3Aa&flow=7")
        #expect(answer.header("Set-Cookie") == "pinproof_8081=\(APISamples.token); Path=/; HttpOnly; SameSite=Strict")
        #expect(await open("token=\(APISamples.token)").header("Location") == "/")
        #expect(await open("a=\r\nSet-Cookie:x&token=\(APISamples.token)").header("Location") == "/?a=Set-Cookie:x")
    }

    @Test("flows come by pages, in both orders, and next goes back as after")
    func pages() async throws {
        let samples = try APISamples()
        for (order, wanted) in [("asc", [1, 2, 3, 4, 5]), ("desc", [5, 4, 3, 2, 1])] {
            var (ids, next): ([Int], String?) = ([], nil)
            repeat {
                let page = try await samples.json(
                    "GET", "/api/flows?limit=2&order=\(order)" + (next.map { "&after=\($0)" } ?? ""))
                ids += page["flows"]?.array?.compactMap { $0["id"]?.int } ?? []
                next = page["next"]?.string
            } while next != nil
            #expect(ids == wanted)
        }
        let stopped = try await samples.json("GET", "/api/flows?before=3&view=row")
        #expect(stopped["flows"]?.array?.compactMap { $0["id"]?.int } == [1, 2])
    }

    @Test("rows are short, flows whole, and both are asked for by number, whatever has gone")
    func rows() async throws {
        let samples = try APISamples()
        let rows = try await samples.json("GET", "/api/flows?ids=5,99,1&view=row")
        #expect(rows["flows"]?.array?.compactMap { $0["id"]?.int } == [5, 1])
        #expect(rows["flows"]?.array?.last?["path"]?.string == "/v1/users?limit=2")
        #expect(rows["flows"]?.array?.last?["request"] == nil)
        #expect(try await samples.json("GET", "/api/flows/5")["request"]?["headers"]?.array?.count == 2)
        #expect(await samples.ask("GET", "/api/flows/99").status == 404)
        #expect(await samples.ask("GET", "/api/flows/abc").status == 404)
        for ids in ["1,x", "1,2,,3", ",", "1,", "+-1", "0"] {
            #expect(await samples.ask("GET", "/api/flows?ids=\(ids)").status == 400, "\(ids)")
        }
    }

    @Test("lists do not wait long for a writer that is behind, and what is asked for by its number is waited for")
    func behind() async throws {
        let waits = Locked<[Double?]>([])
        let samples = try APISamples(flush: { seconds in
            waits.withLock { $0.append(seconds) }
            return seconds == nil
        })
        samples.situation.hub.note([])
        #expect(try await samples.json("GET", "/api/flows")["flows"]?.array?.count == 5)
        #expect(waits.take() == [Situation.patience])
        #expect(try await samples.json("GET", "/api/status")["behind"]?.bool == true)
        _ = waits.take()
        #expect(await samples.ask("GET", "/api/flows/99").status == 404)
        #expect(waits.take() == [Situation.patience, nil])
        #expect(try await samples.json("GET", "/api/status")["behind"]?.bool == false)
        #expect(waits.take() == [])
    }

    @Test("the index has all numbers, and says which of some match")
    func index() async throws {
        let samples = try APISamples()
        let all = try await samples.json("GET", "/api/index?filter=host:api.test")
        #expect(all["ids"]?.array?.compactMap(\.int) == [1, 5])
        #expect(all["count"]?.int == 2)
        let some = try await samples.json("GET", "/api/index?filter=is:failed&ids=1,3,5,77")
        #expect(some["ids"]?.array?.compactMap(\.int).contains(3) == true)
        #expect(some["ids"]?.array?.compactMap(\.int).contains(1) == false)
    }

    @Test(
        "a wrong filter says where it is wrong, wherever filters are taken",
        arguments: [
            ("GET", "/api/flows?filter=mehtod:GET"), ("GET", "/api/index?filter=mehtod:GET"),
            ("GET", "/api/export?filter=mehtod:GET"), ("DELETE", "/api/flows?filter=mehtod:GET"),
        ])
    func wrongFilter(method: String, target: String) async throws {
        let samples = try APISamples()
        let answer = await samples.ask(method, target)
        #expect(answer.status == 400)
        #expect(answer.type == "application/problem+json")
        let problem = try JSONValue.parse(answer.bytes)
        #expect(problem["column"]?.int == 1)
        #expect(problem["suggestion"]?.string == "method:")
        #expect(try samples.store.count() == 5)
    }

    @Test("bodies are given as bytes to be saved, decoded or as they were")
    func bodies() async throws {
        let samples = try APISamples()
        let form = await samples.ask("GET", "/api/flows/5/request/body")
        #expect(form.status == 200 && form.bytes == Array("a=1&password=hunter2".utf8))
        #expect(form.type == "application/octet-stream")
        #expect(form.header("Content-Disposition") == "attachment; filename=\"flow-5-request\"")
        // It says gzip, and is none.
        #expect(await samples.ask("GET", "/api/flows/1/response/body").status == 422)
        #expect(await samples.ask("GET", "/api/flows/1/response/body?raw=1").bytes == Array("{ }".utf8))
        #expect(await samples.ask("GET", "/api/flows/1/request/body").status == 404)
        #expect(await samples.ask("GET", "/api/flows/4/response/body").status == 404)
        #expect(await samples.ask("GET", "/api/flows/99/response/body").status == 404)
        #expect(await samples.ask("GET", "/api/flows/5/request/body?raw=2").status == 400)
    }

    @Test("messages come by pages")
    func messages() async throws {
        let samples = try APISamples()
        let first = try await samples.json("GET", "/api/flows/2/messages?limit=2")
        #expect(first["messages"]?.array?.compactMap { $0["data"]?.string } == ["m0", "m1"])
        let rest = try await samples.json("GET", "/api/flows/2/messages?limit=2&after=" + (first["next"]?.string ?? ""))
        #expect(rest["messages"]?.array?.compactMap { $0["data"]?.string } == ["m2"])
        #expect(rest["next"] == nil)
        #expect(await samples.ask("GET", "/api/flows/99/messages").status == 404)
        #expect(await samples.ask("GET", "/api/flows/2/messages?after=-1").status == 400)
    }

    @Test("exports leave secrets out and say how many, unless they are asked for")
    func exports() async throws {
        let samples = try APISamples()
        let clean = await samples.ask("GET", "/api/export?format=har")
        let text = String(decoding: clean.bytes, as: UTF8.self)
        #expect(clean.status == 200 && !text.contains("s3cr3t") && !text.contains("hunter2"))
        #expect(clean.header("X-Pinproof-Redacted").flatMap { Int($0) } ?? 0 >= 2)
        let whole = await samples.ask("GET", "/api/export?format=jsonl&secrets=1&filter=id:5")
        #expect(String(decoding: whole.bytes, as: UTF8.self).contains("s3cr3t"))
        for format in ["curl", "fetch", "httpie", "python", "raw"] {
            let answer = await samples.ask("GET", "/api/export?format=\(format)&filter=id:5")
            #expect(answer.status == 200 && !answer.bytes.isEmpty, "\(format)")
        }
        #expect(await samples.ask("GET", "/api/export?filter=id:99").status == 404)
        #expect(await samples.ask("GET", "/api/export?format=curl&filter=id:3").status == 404)
        #expect(await samples.ask("GET", "/api/export?format=pdf").status == 400)
        #expect(await samples.ask("GET", "/api/export?format=pcapng").status == 400)
        #expect(await samples.ask("GET", "/api/export?format=pcapng&secrets=1").status == 200)
    }

    @Test("what is said of a flow is kept, told to open pages, and taken away by an empty text")
    func annotations() async throws {
        let samples = try APISamples()
        let reader = try #require(samples.situation.hub.reader())
        let row = try await samples.json("POST", "/api/flows/1", json: #"{"mark":"blue","comment":"why?"}"#)
        #expect(row["mark"]?.string == "blue")
        #expect(try samples.store.flow(1)?.comment == "why?")
        guard case .text(let event)? = await reader.next() else { Issue.record("nothing was told"); return }
        #expect(event.contains("\"mark\":\"blue\""))
        _ = await samples.ask("POST", "/api/flows/1", json: #"{"mark":""}"#)
        #expect(try samples.store.flow(1)?.mark == nil)
        #expect(try samples.store.flow(1)?.comment == "why?")
        for wrong in ["", "[]", "{}", #"{"mark":1}"#, #"{"mark":"\#(String(repeating: "x", count: 65))"}"#] {
            #expect(await samples.ask("POST", "/api/flows/1", json: wrong).status == 400, "\(wrong)")
        }
        #expect(await samples.ask("POST", "/api/flows/99", json: #"{"mark":"x"}"#).status == 404)
        // A form of another page could be sent without asking; JSON cannot.
        #expect(await samples.ask("POST", "/api/flows/1").status == 400)
    }

    @Test("flows are removed by a filter, and open pages are told to ask again")
    func deletes() async throws {
        let samples = try APISamples()
        let reader = try #require(samples.situation.hub.reader())
        #expect(try await samples.json("DELETE", "/api/flows?filter=host:api.test")["deleted"]?.int == 2)
        #expect(await reader.next() == .text(#"{"event":"reload"}"#))
        #expect(try samples.store.count() == 3)
    }

    @Test("hosts are left alone and intercepted by hand")
    func hosts() async throws {
        let samples = try APISamples()
        let hosts = try await samples.json("POST", "/api/hosts", json: #"{"host":"Pay.Test","action":"tunnel"}"#)
        #expect(hosts["hosts"]?["pay.test"]?.string == "tunnel")
        #expect(try await samples.json("GET", "/api/status")["hosts"]?["pay.test"]?.string == "tunnel")
        for wrong in [#"{"host":"","action":"tunnel"}"#, #"{"host":"a.test"}"#, #"{"host":"a.test","action":"drop"}"#] {
            #expect(await samples.ask("POST", "/api/hosts", json: wrong).status == 400, "\(wrong)")
        }
    }

    @Test("where nothing is recorded, lists are empty and the rest says why")
    func unrecorded() async throws {
        let samples = try APISamples(isRecorded: false)
        let status = try await samples.json("GET", "/api/status")
        #expect(status["recording"]?.bool == false && status["store"] == .null)
        #expect(try await samples.json("GET", "/api/index")["count"]?.int == 0)
        #expect(try await samples.json("GET", "/api/flows")["flows"]?.array?.isEmpty == true)
        for target in ["/api/flows/1", "/api/flows/1/messages", "/api/flows/1/request/body", "/api/export"] {
            #expect(await samples.ask("GET", target).status == 409, "\(target)")
        }
    }

    @Test("a parameter that is not known changes nothing: a misspelt filter would be every flow")
    func unknownParameters() async throws {
        let samples = try APISamples()
        for (method, target) in [
            ("DELETE", "/api/flows?filtr=id:1"), ("GET", "/api/flows?filtre=id:1"),
            ("GET", "/api/status?x=1"),
        ] {
            #expect(await samples.ask(method, target).status == 400, "\(method) \(target)")
        }
        let problem = try await samples.json("DELETE", "/api/flows?filtr=id:1")
        #expect(problem["detail"]?.string?.contains("did you mean \"filter\"?") == true)
        #expect(try samples.store.count() == 5)
        #expect(try await samples.json("DELETE", "/api/flows?filter=")["deleted"]?.int == 5)
    }

    @Test("saved filters are told by name, and what they look for only to who may see secrets")
    func savedFilters() async throws {
        let book = FilterBook(
            filters: [.init(name: "errors", text: "status:>=400")],
            mutes: [.init(name: "mine", text: "header:x-a=secret")])
        let samples = try APISamples(book: book)
        let all = try await samples.json("GET", "/api/status")["filters"]?.array ?? []
        #expect(all.map { $0["name"]?.string } == ["errors", "mine"])
        #expect(all.map { $0["filter"]?.string } == ["status:>=400", "header:x-a=secret"])
        let question = Question(
            method: "GET", target: "/api/status",
            headers: [
                "host": "127.0.0.1:8081", "authorization": "Bearer \(APISamples.token)", Question.redactionField: "1",
            ])
        let bytes = await samples.router.answer(question, samples.situation).bytes
        #expect(!String(decoding: bytes, as: UTF8.self).contains("secret"))
    }

    @Test("the way for a phone is a code, with the token as everything here, and none where no phone gets in")
    func device() async throws {
        let question = Question(
            method: "GET", target: "/assets/device.svg",
            headers: ["host": "127.0.0.1:8081", "authorization": "Bearer \(APISamples.token)"])
        let alone = try APISamples()
        #expect(await alone.router.answer(question, alone.situation).status == 404)
        let reached = try APISamples(devices: [Endpoint("192.168.1.5:8080")].compactMap(\.self))
        let answer = await reached.router.answer(question, reached.situation)
        #expect(answer.status == 200 && answer.type == "image/svg+xml")
        let stranger = Question(method: "GET", target: "/assets/device.svg", headers: ["host": "127.0.0.1:8081"])
        #expect(await reached.router.answer(stranger, reached.situation).status == 401)
    }

    @Test("who comes without the link is told so, in a browser as a page")
    func closedPage() async throws {
        let samples = try APISamples()
        let headers = ["host": "127.0.0.1:8081", "accept": "text/html,*/*"]
        let answer = await samples.router.answer(
            Question(method: "GET", target: "/", headers: headers), samples.situation)
        #expect(answer.status == 401 && answer.type.hasPrefix("text/html"))
    }

    @Test("wrong methods and paths are told so")
    func wrongPaths() async throws {
        let samples = try APISamples()
        let answer = await samples.ask("POST", "/api/status", json: "{}")
        #expect(answer.status == 405 && answer.header("Allow") == "GET")
        #expect(await samples.ask("GET", "/api/nothing").status == 404)
        #expect(await samples.ask("GET", "/api").status == 404)
        #expect(await samples.ask("POST", "/").status == 405)
        #expect(await samples.ask("GET", "/assets/../Package.swift").status == 404)
        #expect(await samples.ask("GET", "/assets/%2e%2e%2fPackage.swift").status == 404)
        #expect(await samples.ask("GET", "/").type == "text/html; charset=utf-8")
    }

    @Test("gate runs are listed, the newest first, and read with their evidence; nothing outside their folder is")
    func runs() async throws {
        let samples = try APISamples()
        let folder = samples.folder
        #expect(try await samples.json("GET", "/api/runs")["runs"]?.array?.isEmpty == true)
        try Self.makeRun("runs/20260101T000000Z-release", in: folder)
        try Self.makeRun("runs/20260102T000000Z-release", in: folder)
        try Self.makeRun("elsewhere", in: folder)
        // As `pinproof demo` makes them; deeper ones are nobody's.
        try Self.makeRun("runs/20251231T000000Z-demo/pinned", in: folder)
        try Self.makeRun("runs/20251231T000000Z-demo/deeper/still", in: folder)
        let runs = try await samples.json("GET", "/api/runs")["runs"]?.array ?? []
        #expect(
            runs.compactMap { $0["name"]?.string } == [
                "20260102T000000Z-release", "20260101T000000Z-release", "20251231T000000Z-demo/pinned",
            ])
        let inside = try await samples.json("GET", "/api/runs/20251231T000000Z-demo%2Fpinned")
        #expect(inside["report"]?["result"]?.string == "pass")
        #expect(runs.first?["hosts"]?.array?.first?["verdict"]?.string == "proven-pinned")
        let run = try await samples.json("GET", "/api/runs/20260101T000000Z-release")
        #expect(run["report"]?["result"]?.string == "pass")
        // The last line is only half written.
        #expect(run["connections"]?.array?.count == 2 && run["outcomes"]?.array == [.null, .null])
        #expect(run["client"]?.array?.compactMap { $0["name"]?.string } == ["2.stdout", "10.stderr"])
        #expect(run["client"]?.array?.first?["text"]?.string == "hello")
        #expect(run["certificates"]?.array?.isEmpty == true, "what is no certificate is passed over")
        for name in [
            "..%2Felsewhere", "20251231T000000Z-demo%2F..%2F..%2Felsewhere", "20251231T000000Z-demo%2F..", "..", ".",
            "nothing", "%00", "elsewhere",
        ] {
            #expect(await samples.ask("GET", "/api/runs/" + name).status == 404, "\(name)")
        }
    }

    @Test("a rehearsal is listed among the runs by what its chains came to")
    func rehearsals() async throws {
        let samples = try APISamples()
        let json =
            #"{"schema":"pinproof.rehearsal/1","exit_status":1,"started":"2026-01-01T00:00:00Z","profile":"p","hosts":[{"host":"api.test","scenarios":[{"outcome":"works"},{"outcome":"locked-out"}]},{"host":"b.test","fault":"no answer","scenarios":[]}]}"#
        try FileManager.default.createDirectory(
            atPath: samples.folder.path + "/runs/r", withIntermediateDirectories: true)
        _ = try samples.folder.write("runs/r/rehearsal.json", Array(json.utf8))
        let listed = try #require(try await samples.json("GET", "/api/runs")["runs"]?.array?.first)
        #expect(listed["kind"]?.string == "rehearsal" && listed["verdict"]?.string == "locked-out")
        #expect(listed["hosts"]?.array?.map { $0["verdict"]?.string } == ["locked-out", nil])
        let run = try await samples.json("GET", "/api/runs/r")
        #expect(run["report"] == nil && run["rehearsal"]?["exit_status"]?.int == 1)
    }

    @Test("of each connection of a run the judge itself says what it counts as")
    func outcomes() async throws {
        let samples = try APISamples()
        try Self.makeRun("runs/a", in: samples.folder)
        var passed = Observation(connection: 1)
        passed.action = .tunnelled
        var sent = Observation(connection: 2)
        (sent.action, sent.bytesUp) = (.intercepted, 5)
        var early = sent
        early.bytesUp = 0
        let lines = [passed, sent, early].map {
            EvidenceLine.encode(.connection($0), prev: EvidenceLine.noPrevious) + [UInt8(ascii: "\n")]
        }
        _ = try samples.folder.write("runs/a/evidence.jsonl", Array(lines.joined()))
        let run = try await samples.json("GET", "/api/runs/a?part=connections")
        #expect(run["outcomes"]?.array == [.null, .string("data"), .string("early")])
        #expect(run["connections"]?.array?.count == 3)
    }

    static func makeRun(_ name: String, in folder: TemporaryFolder) throws {
        let path = folder.path + "/" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let report =
            #"{"result":"pass","exit_status":0,"started":"2026-01-01T00:00:00Z","hosts":[{"host":"api.test","expect":"refuse","verdict":"proven-pinned","strength":"S2a"}]}"#
        _ = try folder.write(name + "/report.json", Array(report.utf8))
        for part in ["client", "presented"] {
            try FileManager.default.createDirectory(atPath: path + "/" + part, withIntermediateDirectories: true)
        }
        _ = try folder.write(name + "/client/10.stderr", Array("bye".utf8))
        _ = try folder.write(name + "/client/2.stdout", Array("hello".utf8))
        _ = try folder.write(name + "/client/3.stdout", [])
        _ = try folder.write(name + "/presented/x.pem", Array("no certificate".utf8))
        _ = try folder.write(name + "/evidence.jsonl", Array("{\"a\":1}\n{\"b\":2}\n{\"c\":".utf8))
    }
}

extension Locked where Value == [Double?] {
    /// How long was waited since this was asked last.
    fileprivate func take() -> [Double?] {
        withLock { value in
            defer { value = [] }
            return value
        }
    }
}
