import Foundation
import Loop
import Support
import Testing

@testable import Console

@Test("a result that could not be told is never a pass, and a host that failed stays failed")
func lostResults() {
    let said = Locked("")
    let console = Console.recording(said)
    for (verdict, status) in [(ExitStatus.pass, ExitStatus.invalid), (.inconclusive, .invalid), (.fail, .fail)] {
        var delivery = Delivery()
        delivery.attempt {}
        #expect(delivery.status(of: verdict, on: console) == verdict)
        delivery.attempt { throw FileError.cannotWrite(path: "/r", reason: "no space left on device") }
        #expect(delivery.status(of: verdict, on: console) == status)
    }
    #expect(said.withLock { $0 }.hasPrefix("error: /r: cannot write: no space left on device\n"))
}

@Test("each step is tried, whatever became of those before")
func everyStep() {
    var delivery = Delivery()
    var steps = 0
    for _ in 1...3 {
        delivery.attempt {
            steps += 1
            throw FileError.notAFolder("/r")
        }
    }
    #expect(steps == 3 && delivery.complaints.count == 3)
}

@Test("a result that stdout does not take is an error of its own")
func unwrittenResult() {
    let console = Console(
        isTerminal: false, errors: { _ in },
        results: { _ in throw SystemError("write", ENOSPC) })
    let error = #expect(throws: Complaint.self) { try console.result("verdict") }
    #expect(error?.status == .invalid)
    #expect(error?.message.hasPrefix("stdout: the result cannot be written: ") == true)
}
