import Foundation
import Support
import Testing

/// The commands of docs/inspector.md, run as they stand there.
@Suite("Documented commands", .timeLimit(.minutes(30)))
struct DocumentedCommandsTests {
    /// Lines of four blanks that begin with the program, without what stands behind as a remark.
    private static func commands() throws -> [String] {
        let page = try String(
            contentsOf: Places.repository.appending(path: "docs/inspector.md"), encoding: .utf8)
        return page.components(separatedBy: "\n").filter { $0.hasPrefix("    pinproof ") }
            .map { $0.dropFirst(4).components(separatedBy: "     ")[0] }
    }

    /// Nothing is sure to match: they ask for a time of day, for old flows, or for what is open now; or for a proxy.
    private static let mayFindNothing = ["after:", "is:open", "before:2026-01-01", "doctor"]

    private static func isEndless(_ line: String) -> Bool { line.contains("pinproof proxy") || line.contains("follow") }

    @Test("each command of the page runs, and finds what it looks for")
    func page() async throws {
        let commands = try Self.commands()
        #expect(commands.count > 35)
        try await Places.withFolder { folder in
            try Self.flows.write(to: folder.appending(path: "flows.jsonl"), atomically: true, encoding: .utf8)
            try (Self.descriptorSet ?? Data()).write(to: folder.appending(path: "shop.desc"))
            try FileManager.default.createDirectory(
                at: folder.appending(path: "bin"), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "bin/pinproof").path, withDestinationPath: Places.pinproof)
            func run(_ line: String) async throws -> Command {
                // A port of its own for each proxy; what would go on for ever is ended as by Ctrl-C.
                let line = line.replacing(" --listen 0.0.0.0:8080", with: "")
                    .replacing("pinproof proxy", with: "pinproof proxy --listen 127.0.0.1:0 --no-ui")
                    .replacing("pinproof doctor", with: "pinproof doctor --proxy 127.0.0.1:1")
                let script = """
                    PATH="$PWD/bin:$PATH" PINPROOF_HOME="$PWD/home" export PATH PINPROOF_HOME
                    \(Self.isEndless(line) ? "exec timeout --foreground --signal=INT --preserve-status 3 \(line)" : line)
                    """
                return try await Command.run("sh", ["-c", script], in: folder)
            }
            let first = try await run("pinproof proxy")
            #expect(first.status == 0, "\(first)")
            let imported = try await run("pinproof flows import flows.jsonl")
            #expect(imported.status == 0, "\(imported)")
            for command in commands {
                let ran = try await run(command)
                let mayFail = Self.mayFindNothing.contains { command.contains($0) }
                // On a busy machine Ctrl-C may come before a command watches for it.
                let isInterrupted = ran.status == 130 && Self.isEndless(command)
                #expect(ran.status == 0 || mayFail && ran.status == 1 || isInterrupted, "\(command): \(ran)")
                #expect(!ran.errors.contains("error: ") || mayFail, "\(command): \(ran.errors)")
                // Each finds flows of its own; the last ones have removed them.
                if command.contains("flows clear") { _ = try await run("pinproof flows import flows.jsonl") }
            }
        }
    }

    /// Of `package shop; message Order { string sku = 1; } service Cart { rpc Put(Order) returns (Order); }`.
    private static let descriptorSet = Data(
        base64Encoded: "Cl4KCnRpbnkucHJvdG8SBHNob3AiGQoFT3JkZXISEAoDc2t1GAEgASgJUgNza3UyJwoEQ2FydBIfCgNQdXQSCy5zaG"
            + "9wLk9yZGVyGgsuc2hvcC5PcmRlcmIGcHJvdG8z")

    /// Old enough for `before:10m`, and young enough for the proxy to keep them.
    private static let old = Date(timeIntervalSinceNow: -3600).ISO8601Format()

    private static let flows = """
        {"schema":"pinproof.flow/1","id":3,"kind":"failure","state":"aborted","started":"\(old)",\
        "server":{"host":"pay.example.com","port":443},"failure":{"id":"client-refused-certificate","leg":"client",\
        "alert":"unknown_ca","text":"the app does not trust the certificate","hint":"install the CA"}}
        {"schema":"pinproof.flow/1","id":77,"kind":"websocket","state":"complete","started":"\(old)",\
        "server":{"host":"api.example.com","port":443},"scheme":"https","method":"GET",\
        "url":"https://api.example.com/live","status":101,"request":{"headers":[]},"response":{"headers":[]},\
        "messages":1,"message_list":[{"at_ms":1.0,"from":"client","type":"text","size":5,"data":"hello"}]}
        {"schema":"pinproof.flow/1","id":78,"kind":"http","state":"complete","started":"\(old)","duration_ms":150,\
        "server":{"host":"api.example.com","port":443},"scheme":"https","method":"POST",\
        "url":"https://api.example.com/shop.Cart/Put","status":200,"version":"h2","tags":["grpc:/shop.Cart/Put"],\
        "request":{"headers":[["content-type","application/grpc"]],"body":{"size":8,"kept":8,\
        "type":"application/grpc","base64":"AAAAAAMKAWE="}},"response":{"headers":[["content-type","application/grpc"]],\
        "body":{"size":0,"kept":0}},"messages":1,\
        "message_list":[{"at_ms":1.0,"from":"client","type":"grpc","size":3,"base64":"CgFh"}]}
        {"schema":"pinproof.flow/1","id":1042,"kind":"http","state":"complete","started":"\(old)",\
        "duration_ms":1500,"server":{"host":"api.example.com","port":443},"scheme":"https","method":"POST",\
        "url":"https://api.example.com/v1/login","status":401,"version":"HTTP/1.1","tags":["graphql:Login"],\
        "request":{"headers":[["Host","api.example.com"],["Authorization","Bearer x"],["Content-Length","2"]],\
        "body":{"size":2,"kept":2,"text":"{}"}},\
        "response":{"reason":"Unauthorized","headers":[["Content-Type","application/json"]],\
        "body":{"size":14,"kept":14,"type":"application/json","text":"{\\"order_id\\":1}"}}}
        {"schema":"pinproof.flow/1","id":1043,"kind":"http","state":"complete","started":"\(old)",\
        "duration_ms":15,"server":{"host":"api.example.com","port":443},"scheme":"https","method":"GET",\
        "url":"https://api.example.com/events","status":200,"version":"HTTP/1.1","tags":["sse"],\
        "request":{"headers":[]},"response":{"headers":[["Content-Type","text/event-stream"]],"body":{"size":0,"kept":0}}}

        """
}
