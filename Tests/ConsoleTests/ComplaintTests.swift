import Facts
import Testing

@testable import Console

@Test("an error that explains itself is told in its own words, with the status that its cause has")
func explained() {
    struct Two: ExplainedError {
        var cause: ErrorCause
        var explanations: [Explanation] { [Explanation("x", hints: ["y"]), Explanation("z")] }
    }
    #expect(Complaint(Two(cause: .commandLine)).status == .usage)
    #expect(Complaint(Two(cause: .configuration)).status == .configuration)
    #expect(Complaint(Two(cause: .environment)).status == .invalid)
    #expect(Complaint(Two(cause: .environment)).description == "error: x\nhint: y\nerror: z")
    #expect("\(Two(cause: .environment))" == "x; z")
}

@Test("an error that explains nothing is the environment's")
func unexplained() {
    struct Odd: Error {}
    #expect(Complaint(Odd()).status == .invalid)
}

@Test("a complaint that was made once passes through as it is")
func passesThrough() {
    let complaint = Complaint("x", hints: ["y"], status: .configuration)
    #expect(Complaint(complaint as any Error) == complaint)
}

@Test("text from elsewhere cannot start a line of its own")
func folded() {
    let complaint = Complaint("a\nerror: b\r\nc", hints: ["x\ny"], status: .usage)
    #expect(complaint.description == #"error: a\u{a}error: b\u{d}\u{a}c"# + "\n" + #"hint: x\u{a}y"#)
}
