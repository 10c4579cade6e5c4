import ArgumentParser
import Authority
import Console
import Facts
import Gate
import Inspector
import Report
import Testing

@testable import pinproof

/// What a command line comes to that is wrong, or asks for help.
private func ending(_ arguments: [String]) throws -> Ending {
    do {
        var command = try Pinproof.parseAsRoot(arguments)
        // The parser's own command for help; ours are asynchronous.
        if !(command is any AsyncParsableCommand) { try command.run() }
    } catch {
        return Ending(of: error, arguments)
    }
    throw Accepted()
}

private struct Accepted: Error {}

private func gate(_ arguments: String...) throws -> GateOptions {
    try #require(try Pinproof.parseAsRoot(["gate"] + arguments) as? GateCommand).options()
}

@Test("a gate's defaults are the documented ones")
func gateDefaults() throws {
    let options = try gate("release.yaml")
    #expect(options.profile == "release.yaml")
    #expect(options.out == nil)
    #expect(try options.ca == .usual(environment: Terminal.environment))
    #expect(options.listen.description == "127.0.0.1:0")
    #expect(options.coldStarts == nil && GateOptions.defaultColdStarts == 3)
    #expect(options.phaseSeconds == nil && GateOptions.defaultPhaseSeconds == 60)
    #expect(options.setsProxyVariables)
    #expect(options.attemptTimeout == 60)
    #expect(options.attacks == nil)
    #expect(options.readyFile == nil)
    #expect(options.formats == [.json, .junit, .markdown])
    #expect(options.evidenceFrom == [])
    #expect(!options.watchesNetwork)
    #expect(options.command == [])
}

@Test("every documented option is taken, and what follows -- is COMMAND, options and all")
func gateOptions() throws {
    let options = try gate(
        "p.yaml", "--out", "o", "--ca", "c", "--listen", "[::1]:8080", "--cold-starts", "29", "--phase-seconds", "1.5",
        "--no-proxy-env", "--attempt-timeout", "20", "--attacks", "quick,expired", "--attacks", "weak-crypto",
        "--ready-file", "r", "--format", "sarif", "--format", "html", "--evidence-from", "a", "--evidence-from", "b",
        "--watch-network", "-v", "--no-color", "--json",
        "--", "curl", "-q",
        "--out", "--", "x")
    #expect(options.out == "o")
    #expect(options.ca == .folder("c"))
    #expect(options.listen.description == "[::1]:8080")
    #expect(options.coldStarts == 29)
    #expect(options.phaseSeconds == 1.5)
    #expect(!options.setsProxyVariables)
    #expect(options.attemptTimeout == 20)
    #expect(options.attacks == ["quick", "expired", "weak-crypto"], "one given twice adds to the first")
    #expect(options.readyFile == "r")
    #expect(options.formats == [.sarif, .html])
    #expect(options.evidenceFrom == ["a", "b"])
    #expect(options.watchesNetwork)
    #expect(options.command == ["curl", "-q", "--out", "--", "x"])
}

@Test("the CA is one of three, and never two")
func caChoices() throws {
    #expect(try gate("p", "--ephemeral-ca").ca == .ephemeral)
    #expect(try gate("p", "--ca-cert", "c.pem", "--ca-key", "k.pem").ca == .lent(certificate: "c.pem", key: "k.pem"))
    for wrong in [
        ["--ca-cert", "c"], ["--ca-key", "k"], ["--ca", "d", "--ephemeral-ca"],
        ["--ca", "d", "--ca-cert", "c", "--ca-key", "k"],
    ] {
        #expect(throws: (any Error).self) { try Pinproof.parseAsRoot(["gate", "p"] + wrong) }
    }
}

@Test(
    "wrong usage is one line, a hint, and status 64",
    arguments: [
        ["gate"], ["nope"], ["gate", "p", "--bogus"], ["gate", "p", "--cold-starts", "0"],
        ["gate", "p", "--cold-starts", "three"], ["gate", "p", "--listen", "8080"],
        ["gate", "p", "--phase-seconds", "0"],
        ["gate", "p", "--attempt-timeout", "-1"], ["gate", "p", "--attempt-timeout", "inf"], ["gate", "p", "-q", "-v"],
        ["gate", "p", "q"], ["judge"], ["judge", "r", "--format", "json"], ["report"], ["proxy", "--loops", "0"],
        ["ca", "nope"], ["pins"], ["flows", "nope"], ["flows", "list", "--limit", "0"],
    ])
func wrongUsage(arguments: [String]) throws {
    let ending = try ending(arguments)
    let lines = ending.text.split(separator: "\n")
    #expect(ending.status == 64)
    #expect(ending.isError)
    #expect(lines.count >= 2)
    #expect(lines.first?.hasPrefix("error: ") == true)
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("hint: ") })
    #expect(lines.first?.hasSuffix(".") == false)
}

@Test("a mistyped option is an error, what was meant a hint, and the help is the subcommand's")
func hints() throws {
    #expect(
        try ending(["gate", "p", "--ot", "x"]).text == """
            error: unknown option '--ot'
            hint: did you mean '--out'?
            hint: see pinproof gate --help
            """)
    #expect(try ending(["ca", "init", "--bogus"]).text.hasSuffix("hint: see pinproof ca init --help"))
}

@Test("a guess that is far from what was typed is not made: --open is no --port")
func boldGuess() throws {
    #expect(
        try ending(["proxy", "--port", "8081"]).text
            == "error: unknown option '--port'\nhint: see pinproof proxy --help")
}

@Test("a mistyped option that is needed, and a mistyped command, are told as what was meant")
func mistyped() throws {
    #expect(
        try ending(["flows", "export", "--fromat", "har"]).text.contains(
            "\nhint: did you mean '--format' by '--fromat'?\n"))
    #expect(try ending(["flows", "lst"]).text.contains("\nhint: did you mean 'list'?\n"))
    #expect(try ending(["flow", "list"]).text.contains("\nhint: did you mean 'flows'?\n"))
    #expect(
        try ending(["gaet", "p.yaml", "--cold-starts", "3", "--", "curl"]).text == """
            error: unknown subcommand 'gaet'
            hint: did you mean 'gate'?
            hint: see pinproof --help
            """)
    #expect(
        try ending(["ca", "shwo"]).text == """
            error: unknown subcommand 'shwo' of ca
            hint: did you mean 'show'?
            hint: see pinproof ca --help
            """)
    // The word is what the default command is given; what is wrong is the option.
    #expect(
        try ending(["pins", "leaf.pem", "--for", "x"]).text.hasPrefix("error: the value 'x' is invalid for '--for"))
    #expect(try ending(["pins", "lnt", "--bogus"]).text.contains("\nhint: did you mean 'lint'?\n"))
    #expect(try ending(["frobnicate"]).text.contains("\nhint: there are gate, check, init, proxy, flows, doctor,"))
    #expect(try !ending(["demo-clien"]).text.contains("demo-client"))
    #expect(try !ending(["flows", "export"]).text.contains("did you mean"))
}

@Test("a value that is none of those there are is followed by all of them")
func unknownValue() throws {
    #expect(
        try ending(["flows", "export", "--format", "pdf"]).text == """
            error: the value 'pdf' is invalid for '--format <format>'
            hint: there are har, jsonl, curl, fetch, httpie, python, raw and pcapng
            hint: see pinproof flows export --help
            """)
    #expect(
        try ending(["flows", "show", "3", "--body", "x"]).text.contains("\nhint: there are request and response\n"))
}

@Test(
    "a command without -- is told where it goes",
    arguments: [
        (["shop.yaml", "curl", "x"], "pinproof gate shop.yaml -- curl x"),
        (["shop.yaml", "./ui-test.sh"], "pinproof gate shop.yaml -- ./ui-test.sh"),
        (["shop.yaml", "curl", "--bogus", "x"], "pinproof gate shop.yaml -- curl ..."),
        (["--out", "o", "shop.yaml", "curl"], "pinproof gate PROFILE [options] -- COMMAND"),
        (["shop.yaml", "sh", "a b"], "pinproof gate PROFILE [options] -- COMMAND"),
    ])
func forgottenTerminator(arguments: [String], meant: String) throws {
    let lines = try ending(["gate"] + arguments).text.split(separator: "\n")
    #expect(lines.dropFirst() == ["hint: the command goes after --: \(meant)", "hint: see pinproof gate --help"])
}

@Test("-- with nothing behind it is no gate by hand: a variable was empty")
func emptyCommand() throws {
    #expect(
        Ending.emptyCommand(["gate", "p.yaml", "--"])?.description.hasPrefix("error: no command follows --\n") == true)
    #expect(Ending.emptyCommand(["gate", "p.yaml", "--"])?.status == .usage)
    for arguments in [["gate", "p.yaml"], ["gate", "p.yaml", "--", "sh", "--"], ["flows", "list", "--"]] {
        #expect(Ending.emptyCommand(arguments) == nil)
    }
}

@Test("the hint about -- is for a command alone")
func otherMistakes() throws {
    for arguments in [["gate", "p", "--bogus"], ["gate", "p", "q", "--", "curl"], ["proxy", "p", "q"]] {
        #expect(try !ending(arguments).text.contains("after --"))
    }
}

@Test("the example of gate's help keeps its quoted lines whole")
func quotedExample() throws {
    let text = try ending(["gate", "--help"]).text
    #expect(text.contains("cat /etc/ssl/certs/ca-certificates.crt \"$PINPROOF_CA\" > trust.pem\n"))
    #expect(text.contains("curl --cacert trust.pem https://api.example.com/'\n"))
}

@Test("what is recorded can be said, and switched off")
func pageAndStore() throws {
    #expect(try ending(["proxy", "--no-store", "--store", "f"]).text.contains("exclude"))
    #expect(try ending(["proxy", "--max-body", "12Q"]).text.contains("12Q is no size"))
    #expect(try ending(["proxy", "--keep", "1"]).text.contains("between 1M and 1024T"))
    let recording = ["proxy", "--store", "/f", "--max-body", "1K", "--keep", "2G", "--keep-days", "7"]
    let given = try #require(try Pinproof.parseAsRoot(recording) as? ProxyCommand).options().recording
    #expect(given.store == "/f" && given.maxBody == 1024 && given.keep == 2 << 30 && given.keepDays == 7)
    let command = try #require(try Pinproof.parseAsRoot(["proxy", "--no-ui", "--no-store"]) as? ProxyCommand)
    let options = try command.options()
    #expect(options.listen.description == "127.0.0.1:8080")
    #expect(options.profile == nil && options.evidence == nil && options.loops >= 1)
}

@Test("the debugging proxy takes its options, and a wrong upstream proxy is told without its password")
func proxyOptions() throws {
    func proxy(_ arguments: String...) throws -> ProxyCommand {
        try #require(try Pinproof.parseAsRoot(["proxy"] + arguments) as? ProxyCommand)
    }
    let all = try proxy("--idle", "2.5", "--keylog", "k", "--upstream-proxy", "http://a:b@proxy.test:3128").options()
    #expect(all.idle == 2.5 && all.keyLog == "k" && all.upstreamProxy?.endpoint.description == "proxy.test:3128")
    let none = try proxy().options()
    #expect(none.idle == nil && none.keyLog == nil && none.upstreamProxy == nil)
    for wrong in [["--idle", "0"], ["--idle", "86401"], ["--upstream-proxy", "socks5://a:hidden@b:1"]] {
        let ending = try ending(["proxy"] + wrong)
        #expect(ending.status == 64 && ending.text.contains(wrong[0]) && !ending.text.contains("hidden"))
    }
}

@Test("the upstream proxy may stand in the environment, where the option is not given")
func upstreamProxyVariable() throws {
    let variable = ["PINPROOF_UPSTREAM_PROXY": "http://a:hidden@env.test:3128"]
    func chosen(_ option: String?, _ environment: [String: String]) throws -> String? {
        try UpstreamProxyArgument.chosen(option, environment: environment)?.description
    }
    #expect(try chosen(nil, variable) == "env.test:3128")
    #expect(try chosen("http://typed.test:1", variable) == "typed.test:1")
    #expect(try chosen(nil, [:]) == nil && chosen(nil, ["PINPROOF_UPSTREAM_PROXY": ""]) == nil)
    #expect {
        try chosen(nil, ["PINPROOF_UPSTREAM_PROXY": "socks5://a:hidden@b:1"])
    } throws: {
        "\($0)".hasPrefix("PINPROOF_UPSTREAM_PROXY: socks5 proxies are not supported") && !"\($0)".contains("hidden")
    }
}

@Test("public addresses are let in only where that is said")
func openToAll() throws {
    #expect(try !gate("p.yaml").isOpen && gate("p.yaml", "--open").isOpen)
    for (flags, isOpen) in [([], false), (["--open"], true)] {
        let command = try #require(try Pinproof.parseAsRoot(["proxy"] + flags) as? ProxyCommand)
        #expect(try command.options().isOpen == isOpen)
    }
}

@Test(
    "help is an answer: stdout, status 0, with examples, and fits 80 columns",
    arguments: [
        ["--help"], ["gate", "--help"], ["proxy", "--help"], ["judge", "--help"], ["report", "--help"],
        ["ca", "--help"],
    ])
func help(arguments: [String]) throws {
    let ending = try ending(arguments)
    #expect(ending.status == 0)
    #expect(!ending.isError)
    #expect(ending.text.contains("EXAMPLES"))
    #expect(ending.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
}

@Test("the version names the libraries that matter")
func version() throws {
    let ending = try ending(["--version"])
    #expect(ending.status == 0)
    #expect(ending.text.hasPrefix("pinproof 0.1.0 (OpenSSL 3."))
    #expect(ending.text.contains("libevent 2."))
}

@Test(
    "asked verbosely, the version names every library that is loaded, and every package of the build",
    arguments: ["-v", "--verbose"])
func versions(option: String) {
    #expect(Ending.asksForAllVersions(["--version", option]) && Ending.asksForAllVersions([option, "--version"]))
    #expect(!Ending.asksForAllVersions(["--version"]) && !Ending.asksForAllVersions(["gate", "--version", option]))
    let lines = LinkedVersions.text.split(separator: "\n")
    let names = [
        "pinproof ", "  OpenSSL ", "  libevent ", "  nghttp2 ", "  zlib ", "  brotli ", "  zstd ", "  SQLite ",
        "  C library ", "  Swift ", "  flyingfox ", "  grdb.swift ", "  swift-argument-parser ", "  swift-subprocess ",
        "  swift-system ", "  yams ",
    ]
    #expect(lines.count == names.count && zip(lines, names).allSatisfy { $0.hasPrefix($1) }, "\(lines)")
    #expect(lines.allSatisfy { $0.contains { $0.isNumber } && !$0.contains("?") && $0.utf8.count <= 80 })
}

@Test("flows are removed on a clear yes alone", arguments: ["y", "YES ", "yes"])
func clearing(answer: String) {
    #expect(FlowsCommand.Clear.isYes(answer))
    for no in [nil, "", "n", "no", "yesterday"] as [String?] { #expect(!FlowsCommand.Clear.isYes(no)) }
}

@Test("labels and artefacts are taken as often as they are given, and a wrong label is one error")
func labels() throws {
    let options = try gate(
        "p", "--label", "build=42", "--label", "commit=a=b", "--artefact", "a.apk", "--artefact", "b")
    #expect(options.labels == ["build": "42", "commit": "a=b"] && options.artefacts == ["a.apk", "b"])
    let text = try ending(["gate", "p", "--label", "build"]).text
    #expect(text.hasPrefix("error: --label \"build\" has no value: it is written NAME=VALUE\n"))
    #expect(try ending(["gate", "p", "--label", "a=1", "--label", "a=2"]).status == 64)
}

@Test("more days than are looked ahead are refused, and not quietly fewer")
func watchedDays() throws {
    let refused = try ending(["pins", "watch", "a.xml", "--days", "3651"])
    #expect(refused.status == 64 && refused.text.contains("--days is 0 to 3650, which is ten years; got: 3651"))
    for days in ["0", "3650"] {
        #expect(throws: Accepted.self) { try ending(["pins", "watch", "a.xml", "--days", days]) }
    }
}
