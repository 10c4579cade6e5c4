import Facts
import Testing

@testable import Gate

@Test("every error is one line and hints, in lower case, without a full stop")
func wording() throws {
    let errors: [GateError] = [
        .folderNotEmpty("/r"), .notAFolder("/r"), .cannotWrite(path: "/r", reason: "permission denied"),
        .cannotRead(path: "/r", reason: "no such file or folder"), .noFreeFolderName("/r"),
        .commandNotFound("tool", inPath: true), .commandNotFound("./tool", inPath: false), .commandNotExecutable("/t"),
        .commandIsFolder("/t"), .commandNotStarted("/t", reason: "exec format error"),
        .planNotApplied(trial: 1, reason: "x"), .evidenceUnusable(path: "/e", problems: ["line 1: is cut", "line 2"]),
        .cannotListen(Endpoint(try host("127.0.0.1"), 80), reason: "permission denied", cause: .forbidden),
        .cannotListen(Endpoint(try host("::1"), 8080), reason: "address in use", cause: .inUse),
        .cannotListen(Endpoint(try host("::1"), 8080), client: "tablet", reason: "address in use", cause: .inUse),
        .outsideScope(host: "a.test", scope: ["b.test"], ca: "ca/local"),
        .networkNotWatchable(reason: "operation not permitted", cause: .permission),
        .networkNotWatchable(reason: "not supported", cause: .system),
        .networkNotWatchable(reason: "x", cause: .other),
    ]
    for error in errors {
        let lines = error.complaint.description.split(separator: "\n")
        #expect(lines.first?.hasPrefix("error: ") == true)
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("hint: ") || $0.hasPrefix("error: ") })
        #expect(lines.allSatisfy { !$0.hasSuffix(".") })
    }
}

@Test("an address that cannot be listened on says whose it was to be, and where to change it")
func listenWords() throws {
    let address = Endpoint(try host("127.0.0.1"), 80)
    #expect(
        GateError.cannotListen(address, client: "tablet", reason: "address in use", cause: .inUse).complaint.description
            == """
            error: cannot listen on 127.0.0.1:80 for client tablet: address in use
            hint: another program listens there; listen: 127.0.0.1:0 picks a free port
            """)
    #expect(
        GateError.cannotListen(address, reason: "x", cause: .other).complaint.description.contains("hint: --listen "))
}

@Test("statuses: what was typed wrong is 64, an unusable CA 78, an environment 3")
func statuses() {
    #expect(GateError.folderNotEmpty("/r").complaint.status == .usage)
    #expect(GateError.commandNotFound("x", inPath: true).complaint.status == .usage)
    #expect(GateError.evidenceUnusable(path: "x", problems: []).complaint.status == .invalid)
    #expect(GateError.outsideScope(host: "a", scope: [], ca: "c").complaint.status == .configuration)
    #expect(GateError.cannotWrite(path: "/", reason: "").complaint.status == .invalid)
    #expect(GateError.commandNotStarted("/", reason: "").complaint.status == .invalid)
    #expect(GateError.networkNotWatchable(reason: "", cause: .permission).complaint.status == .invalid)
}

@Test("text from elsewhere cannot start a line of its own")
func folded() {
    let complaint = Complaint("a\nerror: b\r\nc", hints: ["x\ny"], status: .usage)
    #expect(complaint.description == #"error: a\u{a}error: b\u{d}\u{a}c"# + "\n" + #"hint: x\u{a}y"#)
}
