import Foundation
import Support
import Testing

/// What the debugging proxy records of real conversations, and what its commands make of that.
@Suite("Inspector", .timeLimit(.minutes(60)))
struct InspectorTests {
    /// Its place in the line is that of a gate, which it is as heavy as. It looks at its own times: the limit is for one
    /// that hangs, and six of them at once on two processors need five times as long as one.
    private func examine(_ exam: String, _ arguments: [String] = []) async throws {
        await Turnstile.gates.enter()
        let run: Command
        do {
            let exam = Places.repository.appending(path: "Tests/" + exam).path
            run = try await Command.run(
                exam, ["--pinproof", Places.pinproof] + arguments, limit: .seconds(900))
        } catch {
            await Turnstile.gates.leave()
            throw error
        }
        await Turnstile.gates.leave()
        let wrong = run.output.split(separator: "\n").filter { !$0.hasPrefix("ok ") }.joined(separator: "\n")
        #expect(run.status == 0, "\(wrong.prefix(4000)) \(run.output.suffix(2000)) \(run.errors.suffix(2000))")
    }

    @Test("every byte reaches the other side, and what was said is what was recorded")
    func exchanges() async throws { try await examine("Exchanges/exam") }

    @Test("Wireshark opens what is captured and what is exported, decrypted and without a complaint")
    func packets() async throws { try await examine("Packets/exam") }

    @Test("what is going on is seen while it does, and failures say why", arguments: ["live", "failures"])
    func seen(exam: String) async throws { try await examine("Exchanges/" + exam) }

    @Test("continuous HAR has each flow once and is whole whatever happens; whole bodies are kept")
    func followed() async throws { try await examine("Exchanges/follow") }

    @Test(
        "whatever the moment at which a proxy is killed, its store opens with what was there; one that is told to end writes all down"
    )
    func killed() async throws { try await examine("Exchanges/killed") }

    @Test(
        "9,000 connections at once are carried, each to its origin and back",
        .enabled(if: Places.testsAll, "PINPROOF_TESTS=all"))
    func crowd() async throws { try await examine("Exchanges/crowd") }

    @Test(
        "where few files may be open no client is turned away for the page's sake, and recording goes on once there are more"
    )
    func scarce() async throws { try await examine("Exchanges/scarce") }

    @Test("the API is open to its page, closed to everybody else, and as quick as what it tells of")
    func api() async throws { try await examine("Page/api") }

    @Test("the page works in a real browser: live, by keyboard, with hostile content, on a phone, with 100,000 flows")
    func page() async throws { try await examine("Page/exam") }

    /// A proxy of its own that is asked by curl, and whatever it has recorded then.
    private static let onboarding = """
        export PINPROOF_HOME="$PWD/home" no_proxy= NO_PROXY=
        "$0" proxy --listen 127.0.0.1:0 --no-ui --qr --ready-file ready 2> said &
        proxy=$!
        trap 'kill $proxy; wait $proxy' EXIT
        while [ ! -s ready ]; do kill -0 $proxy || exit 1; sleep 0.05; done
        at=$(sed 's/.*"proxy":"http:..\\([^"]*\\)".*/\\1/' ready)
        ca=home/ca/root.pem
        curl -sS -f -x "http://$at" http://pinproof.test/ | grep -c 'This browser uses the proxy'
        curl -sS -f "http://$at/" | grep -c 'Set the proxy for HTTP'
        curl -sS -f "http://$at/ca.pem" | cmp - "$ca" && echo same
        curl -sS -f "http://$at/ca.crt" | openssl x509 -inform der -outform pem | cmp - "$ca" && echo same
        curl -sS -f "http://$at/pinproof.mobileconfig" | python3 -c 'import plistlib, sys
        plist = plistlib.loads(sys.stdin.buffer.read())
        print(plist["PayloadType"], plist["PayloadContent"][0]["PayloadType"])'
        for way in "-x http://$at" "-x socks5h://$at" "-p -x http://$at"; do
            curl -sS -f $way http://pinproof.test/about.json | grep -c '"sha256"'
            curl -sS -f $way --cacert "$ca" https://check.pinproof.test/ | grep -c '"trusted":true'
            curl -sS $way https://check.pinproof.test/ 2> refused; echo "refused $?"
        done
        for path in /api/status /api/flows /ready '/?token=x/api'; do
            curl -sS -o answer -w '%{http_code} ' "http://$at$path"; grep -c '"flows"' answer
        done
        kill -INT $proxy; wait $proxy
        trap - EXIT
        "$0" flows list --store home/flows.db; echo "flows $?"
        grep -c 'through the proxy: how a device trusts the CA' said
        grep -c 'phone  none can come in yet: --listen 0.0.0.0:' said
        """

    @Test("a device is set up by the proxy itself: page, files, check; the API is not there, and nothing is recorded")
    func onboarding() async throws {
        try await Places.withFolder { folder in
            let run = try await Command.run("sh", ["-c", Self.onboarding, Places.pinproof], in: folder)
            let way = ["1", "1", "refused 60"]
            let expected =
                ["1", "1", "same", "same", "Configuration com.apple.security.root"] + way + way + way
                + ["404 0", "404 0", "404 0", "200 0", "flows 1", "1", "1"]
            #expect(run.output.split(separator: "\n").map(String.init) == expected, "\(run)")
        }
    }

    @Test("the doctor asks each client whether it trusts the CA, tells other reasons apart, and names what helps")
    func doctor() async throws { try await examine("Doctor/exam") }

    @Test("the doctor learns from a real proxy's own pages who it is, and which clients trust its CA")
    func doctorAtProxy() async throws { try await examine("Doctor/exam", ["--real"]) }

    @Test("packets are exported only by who says that their secrets may go along")
    func packetsWithSecrets() async throws {
        try await withStore { flows, folder in
            let refused = try await flows(["export", "--format", "pcapng", "--out", "out.pcapng"])
            #expect(refused.status == 64 && refused.errors.contains("--with-secrets"), "\(refused)")
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "out.pcapng").path))
            let none = ["export", "id:99", "--format", "pcapng", "--with-secrets", "--out", "none.pcapng"]
            #expect(try await flows(none).status == 1)
        }
    }

    private static let flow = """
        {"schema":"pinproof.flow/1","id":7,"kind":"http","state":"complete","started":"2026-01-01T10:00:00.000000Z",\
        "duration_ms":41.5,"server":{"host":"api.example.com","port":443},"scheme":"https","method":"POST",\
        "url":"https://api.example.com/v1/login?token=tok-SECRET-1","status":401,"version":"HTTP/1.1",\
        "request":{"headers":[["Host","api.example.com"],["Authorization","Bearer SECRET-2"],\
        ["Content-Type","application/json"]],"body":{"size":24,"kept":24,"type":"application/json",\
        "text":"{\\"password\\":\\"SECRET-3\\"}"}},\
        "response":{"reason":"Unauthorized","headers":[["Set-Cookie","sid=SECRET-4"]],"body":{"size":2,"kept":2,"text":"no"}}}

        """

    /// With a data folder of its own: whoever runs the tests may have saved filters.
    private static func flows(_ arguments: [String], in folder: URL) async throws -> Command {
        let home = "PINPROOF_HOME=" + folder.appending(path: "home").path
        return try await Command.run("env", [home, Places.pinproof, "flows"] + arguments, in: folder)
    }

    /// A store with one flow in it.
    private func withStore(_ body: (_ flows: ([String]) async throws -> Command, URL) async throws -> Void)
        async throws
    {
        try await Places.withFolder { folder in
            try Self.flow.write(to: folder.appending(path: "one.jsonl"), atomically: true, encoding: .utf8)
            let store = folder.appending(path: "flows.db").path
            func flows(_ arguments: [String]) async throws -> Command {
                try await Self.flows(arguments + ["--store", store], in: folder)
            }
            let run = try await flows(["import", "one.jsonl"])
            #expect(run.status == 0, "\(run.errors)")
            try await body(flows, folder)
        }
    }

    @Test("flows are listed, found and shown; a filter that nothing matches ends with 1")
    func listed() async throws {
        try await withStore { flows, _ in
            let list = try await flows(["list", "status:4xx", "method:post"])
            #expect(list.status == 0 && list.output.contains("401 POST https://api.example.com/v1/login"), "\(list)")
            #expect(try await flows(["list", "status:200"]).status == 1)
            let body = try await flows(["show", "7", "--body", "request"])
            #expect(body.output == #"{"password":"SECRET-3"}"# + "", "\(body)")
            let none = try await flows(["show", "8"])
            #expect(none.status == 1 && none.errors.contains("no flow 8"), "\(none)")
            let stats = try await flows(["stats"])
            #expect(stats.status == 0 && stats.output.hasPrefix("1 flow"), "\(stats)")
        }
    }

    @Test("a wrong filter points at its column and runs nothing")
    func wrongFilter() async throws {
        try await withStore { flows, _ in
            let run = try await flows(["clear", "mehtod:POST"])
            #expect(run.status == 64 && run.errors.contains("method:"), "\(run)")
            #expect(try await flows(["list"]).status == 0)
            #expect(try await flows(["clear"]).status == 0)
            #expect(try await flows(["list"]).status == 1)
        }
    }

    @Test(
        "exports are without secrets, unless they are asked for", arguments: ["har", "jsonl", "curl", "raw", "python"])
    func exports(format: String) async throws {
        try await withStore { flows, _ in
            let run = try await flows(["export", "--format", format])
            #expect(run.status == 0 && !run.output.contains("SECRET"), "\(run)")
            #expect(run.errors.contains("4 secrets") || run.errors.contains("3 secrets"), "\(run.errors)")
            let whole = try await flows(["export", "--format", format, "--with-secrets"])
            #expect(whole.output.contains("SECRET-2") && whole.output.contains("SECRET-3"), "\(whole)")
        }
    }

    @Test("what was exported is imported as it was, by itself and by its HAR")
    func roundTrip() async throws {
        try await withStore { flows, folder in
            for format in ["jsonl", "har"] {
                let file = folder.appending(path: "out.\(format)").path
                #expect(try await flows(["export", "--format", format, "--with-secrets", "--out", file]).status == 0)
                let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
                #expect(mode == 0o600)
                let other = folder.appending(path: "\(format).db").path
                let run = try await Command.run(
                    Places.pinproof, ["flows", "import", file, "--store", other], in: folder)
                #expect(run.status == 0, "\(run.errors)")
                let show = { (store: String) in
                    try await Command.run(
                        Places.pinproof, ["flows", "export", "--format", "jsonl", "--with-secrets", "--store", store],
                        in: folder)
                }
                let (before, after) = (
                    try await flows(["export", "--format", "jsonl", "--with-secrets"]), try await show(other)
                )
                #expect(before.output == after.output)
            }
        }
    }

    @Test("whoever has seen enough closes the pipe, and nothing is said of it")
    func closedPipe() async throws {
        try await withStore { _, folder in
            let run = try await Command.run(
                "sh", ["-c", "'\(Places.pinproof)' flows list --store flows.db | true"], in: folder)
            #expect(run.errors.isEmpty, "\(run)")
        }
    }

    @Test("a store that is none, a newer one, and none at all are told apart from a filter without matches")
    func stores() async throws {
        try await Places.withFolder { folder in
            try "no store".write(to: folder.appending(path: "text"), atomically: true, encoding: .utf8)
            for store in ["text", "missing.db"] {
                let run = try await Command.run(Places.pinproof, ["flows", "list", "--store", store], in: folder)
                #expect(run.status == 78 && run.errors.hasPrefix("error: "), "\(store): \(run)")
            }
        }
    }

    @Test(
        "what is wrong is told, with one of four statuses",
        arguments: [
            ("list staus:4", 64, "did you mean \"status:\"?"), ("list --limit 0", 64, "--limit: 1 or more"),
            ("list filter:nope", 64, "no filter is called"), ("show abc", 64, "'abc' is invalid"),
            ("show 99", 1, "no flow 99"), ("show 7 --proto one.jsonl --messages", 64, "no descriptor set"),
            ("show 7 --proto x.desc", 64, "--proto goes with"), ("follow --rotate 1M", 64, "goes with --har"),
            ("follow --har one.jsonl/x", 78, "cannot write"), ("list --profile none.yaml", 78, "no such file"),
            ("export --format har --out none/x", 78, "cannot write"), ("import none.har", 64, "cannot read"),
            ("filters save a staus:4", 64, "status:"), ("list --store one.jsonl", 78, "not a file that flows"),
        ])
    func wrong(arguments: String, status: Int, words: String) async throws {
        try await withStore { flows, folder in
            var arguments = arguments.split(separator: " ").map(String.init)
            if !arguments.contains("--store"), arguments[0] != "filters" {
                arguments += ["--store", folder.appending(path: "flows.db").path]
            }
            let run = try await Self.flows(arguments, in: folder)
            #expect(Int(run.status) == status && run.errors.contains(words), "\(run)")
        }
    }
}
