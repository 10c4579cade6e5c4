import Loop
import Testing

@testable import Console

@Suite("PatientWriter")
struct PatientWriterTests {
    @Test("everything is written in its order, and before the end")
    func order() throws {
        let written = Locked("")
        let writer = try PatientWriter { text in written.withLock { $0 += text } }
        for number in 0..<1000 { writer.add("\(number)\n") }
        writer.finish(seconds: 60)
        #expect(written.withLock { $0 } == (0..<1000).map { "\($0)\n" }.joined())
    }

    @Test("where nobody takes it, nobody waits, and what found no room is counted")
    func held() throws {
        let written = Locked("")
        let (begun, goOn) = (Alarm(), Alarm())
        let writer = try PatientWriter { text in
            if text == "first\n" {
                begun.ring()
                goOn.sleep()
            }
            written.withLock { $0 += text }
        }
        writer.add("first\n")
        begun.sleep()
        let line = String(repeating: "x", count: 1023) + "\n"
        for _ in 0..<300 { writer.add(line) }
        // It is held still: the end waits no longer than it was told to.
        writer.finish(seconds: 0.01)
        goOn.ring()
        writer.finish(seconds: 60)
        let text = written.withLock { $0 }
        #expect(text.hasSuffix("44 more lines were not shown: nobody took them\n"))
        #expect(text.count == 6 + 256 * 1024 + 47)
    }
}
