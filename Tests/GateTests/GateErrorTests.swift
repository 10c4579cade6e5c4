import Testing

@testable import Gate

@Test("every error is one line and hints, in lower case, without a full stop")
func wording() {
    let errors: [GateError] = [
        .folderNotEmpty("/r"), .notAFolder("/r"), .cannotWrite(path: "/r", reason: "permission denied"),
        .cannotRead(path: "/r", reason: "no such file or folder"), .noFreeFolderName("/r"),
        .commandNotFound("tool", inPath: true), .commandNotFound("./tool", inPath: false), .commandNotExecutable("/t"),
        .commandIsFolder("/t"), .commandNotStarted("/t", reason: "exec format error"),
        .planNotApplied(trial: 1, reason: "x"), .unknownAttack("expird", near: "expired"),
        .unknownFormat("jsn", near: nil), .outsideScope(host: "a.test", scope: ["b.test"], ca: "ca/local"),
    ]
    for error in errors {
        let lines = error.complaint.description.split(separator: "\n")
        #expect(lines.first?.hasPrefix("error: ") == true)
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("hint: ") })
        #expect(lines.allSatisfy { !$0.hasSuffix(".") })
    }
}

@Test("statuses: what was typed wrong is 64, an unusable CA 78, an environment 3")
func statuses() {
    #expect(GateError.folderNotEmpty("/r").complaint.status == .usage)
    #expect(GateError.commandNotFound("x", inPath: true).complaint.status == .usage)
    #expect(GateError.unknownAttack("x", near: nil).complaint.status == .usage)
    #expect(GateError.outsideScope(host: "a", scope: [], ca: "c").complaint.status == .configuration)
    #expect(GateError.cannotWrite(path: "/", reason: "").complaint.status == .invalid)
    #expect(GateError.commandNotStarted("/", reason: "").complaint.status == .invalid)
}

@Test("text from elsewhere cannot start a line of its own")
func folded() {
    let complaint = Complaint("a\nerror: b\r\nc", hints: ["x\ny"], status: .usage)
    #expect(complaint.description == "error: a error: b c\nhint: x y")
}

@Test("a mistyped word finds its neighbour, a strange one none")
func nearest() {
    let known = ["trusted-ca", "untrusted-ca", "expired", "all"]
    #expect(Nearest.word(to: "expird", in: known) == "expired")
    #expect(Nearest.word(to: "Trusted-CA", in: known) == "trusted-ca")
    #expect(Nearest.word(to: "al", in: known) == "all")
    #expect(Nearest.word(to: "banana", in: known) == nil)
    #expect(Nearest.word(to: String(repeating: "x", count: 10_000), in: known) == nil)
    #expect(Nearest.word(to: "", in: known) == nil)
}
