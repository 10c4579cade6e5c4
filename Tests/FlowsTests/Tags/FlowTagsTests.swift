import Facts
import Testing

@testable import Flows

@Suite("FlowTags")
struct FlowTagsTests {
    private func request(_ method: String, _ target: String, _ fields: [(String, String)] = []) -> RequestHead {
        RequestHead(
            method: method, target: target, version: "HTTP/1.1", fields: fields.map { HeaderField($0.0, $0.1) })
    }

    private func posted(_ body: String, type: String = "application/json", to target: String = "/graphql") -> [String] {
        FlowTags.tags(request: request("POST", target, [("Content-Type", type)]), body: Array(body.utf8)[...])
    }

    @Test(
        "a GraphQL operation is named by operationName, its document, or what it is",
        arguments: [
            (#"{"operationName":"Login","query":"mutation Other { a }"}"#, "Login"),
            (#"{"query":"query Get($id: ID!) { a(id: $id) }","operationName":null}"#, "Get"),
            (#"{"query":"{ a }"}"#, "query"), (#"{"query":"\n# c {\n\tmutation { a }"}"#, "mutation"),
            (#"{"query":"subscription@live { a }"}"#, "subscription"),
            (#"{"query":"{...F} fragment F on T {a}"}"#, "query"),
            (#"{"query":"fragment F on T { a(s: \"}\") { b } # }\n} query Q { a }"}"#, "Q"),
            (#"{"query":"fragment F on T { a(s: \"\"\"}\"}\"\"\") } query Q { a }"}"#, "Q"),
            (#"{"variables":{"a":["}",{"query":1}]},"query":"\u0071uery E { a }"}"#, "E"),
            (#"{"operationName":"P","extensions":{"persistedQuery":{"version":1,"sha256Hash":"ab"}}}"#, "P"),
            (#"{"extensions":{"persistedQuery":{"version":1}}}"#, "persisted"),
            (#"{"operationName":"Known","documentId":"12"}"#, "Known"),
            (#"{"query":"query Cut { a","#, "Cut"), (#"{"operationName":"Long","query":"query Long { "#, "Long"),
        ])
    func graphQL(_ body: String, _ name: String) {
        #expect(posted(body) == ["graphql:\(name)"])
    }

    @Test(
        "what only looks like GraphQL has no tag",
        arguments: [
            #"{"query":"shoes"}"#, #"{"query":"query planning"}"#, #"{"query":{"match":{}}}"#,
            #"{"query":"{\"a\":1}"}"#,
            #"{"query":"{}"}"#, #"{"operationName":"Backup"}"#, "[]", "", "{", #"{"query"#,
            #"{"query":"fragment F on T {"}"#,
            #"{"query":"mutation"}"#, "\"query\"", "[[{}]]",
        ])
    func other(_ body: String) {
        #expect(posted(body, to: "/search") == [])
    }

    @Test("a batch has a tag for each different operation, up to a limit")
    func batch() {
        let one = #"{"query":"query A { a }"}"#
        #expect(posted("[\(one), \(one),{\"operationName\":\"B\",\"query\":\"{b}\"} ]") == ["graphql:A", "graphql:B"])
        let many = (0..<200).map { "{\"query\":\"query Q\($0) { a }\"}" }.joined(separator: ",")
        #expect(posted("[\(many)]").count == FlowTags.countLimit)
        #expect(
            posted("{\"operationName\":\"\(String(repeating: "a", count: 1000))\",\"query\":\"{a}\"}")[0].count < 120)
    }

    @Test("GraphQL is read from URLs, plain documents and uploads as well")
    func carriers() {
        let target = "/graphql?variables=%7B%7D&query=query+Get%28%24a%3A+Int%29%7Ba%7D"
        #expect(FlowTags.tags(request: request("GET", target)) == ["graphql:Get"])
        let persisted = "/api?operationName=Apq&extensions=%7B%22persistedQuery%22%3A%7B%7D%7D"
        #expect(FlowTags.tags(request: request("GET", persisted)) == ["graphql:Apq"])
        #expect(FlowTags.tags(request: request("GET", "/search?query=shoes&operationName=%zz%")) == [])
        #expect(posted("mutation M { a }", type: "application/graphql") == ["graphql:M"])
        let upload =
            "--x\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n{\"query\":\"mutation Up { a }\"}\r\n--x\r\n"
        #expect(posted(upload, type: "multipart/form-data; boundary=x") == ["graphql:Up"])
        #expect(posted("--x\r\nname", type: "multipart/form-data") == [])
    }

    @Test("a subscription's message is named, of either protocol")
    func subscriptions() {
        let tags = { (text: String) in FlowTags.tags(of: ExchangeMessage(from: .up, .text, Array(text.utf8))) }
        #expect(
            tags(#"{"id":"1","type":"subscribe","payload":{"query":"subscription S { a }"}}"#) == ["graphql:S"])
        #expect(tags(#"{"type":"start","payload":{"operationName":"O","query":"{a}"}}"#) == ["graphql:O"])
        #expect(tags(#"{"type":"ping"}"#) == [] && tags("hello") == [])
        #expect(FlowTags.tags(of: ExchangeMessage(from: .down, .text, Array(#"{"type":"start"}"#.utf8))) == [])
    }

    @Test("calls, event streams and lines of JSON are told by their heads")
    func kinds() {
        let call = request("POST", "/pkg.Svc/Method?x", [("content-type", "application/grpc+proto")])
        #expect(FlowTags.tags(request: call) == ["grpc:/pkg.Svc/Method"])
        let unary = request(
            "POST", "/pkg.Svc/Get", [("content-type", "application/json"), ("Connect-Protocol-Version", "1")])
        #expect(FlowTags.tags(request: unary) == ["grpc:/pkg.Svc/Get"])
        let answer = { (type: String) in
            AnswerHead(status: 200, version: "h2", fields: [HeaderField("content-type", type)])
        }
        #expect(FlowTags.tags(request: request("GET", "/"), answer: answer("text/event-stream")) == ["sse"])
        #expect(FlowTags.tags(request: request("GET", "/"), answer: answer("application/x-ndjson; a=b")) == ["ndjson"])
        #expect(FlowTags.tags(request: request("GET", "/"), answer: answer("text/html")) == [])
        let subscription = FlowTags.tags(
            request: request("POST", "/graphql", [("content-type", "application/json")]),
            answer: answer("text/event-stream"), body: Array(#"{"query":"subscription S {a}"}"#.utf8)[...])
        #expect(subscription == ["graphql:S", "sse"])
    }

    @Test("nothing traps, whatever comes")
    func mutations() {
        var numbers = FixedNumbers(seed: 5)
        let body = Array(
            #"[{"query":"fragment F on T { a(s: \"\"\"}\"\"\") } query Q { a }","operationName":"\u0041"},{"a":[1,{"b":"c"}]}]"#
                .utf8)
        let head = request("POST", "/graphql?query=%7Ba%7D", [("content-type", "application/json")])
        for _ in 0..<3000 {
            var bytes = body
            for _ in 0..<(1 + numbers.next(4)) { bytes[numbers.next(bytes.count)] = UInt8(numbers.next(128)) }
            _ = GraphQLOperation.names(json: bytes.prefix(numbers.next(bytes.count)), isGraphQLPath: true)
            _ = GraphQLOperation(document: bytes.dropFirst(numbers.next(bytes.count)))
            _ = GraphQLOperation.upload(bytes[...])
        }
        #expect(FlowTags.tags(request: head) == ["graphql:query"])
    }
}
