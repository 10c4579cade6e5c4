import Loop
import Testing

@testable import Web

@Suite struct AskersTests {
    @Test("who has left does not wait, and who only has nothing more to say does so for a moment")
    func coming() {
        let now = Locked(100.0)
        let askers = Askers { now.withLock { $0 } }
        let (first, second, third) = (askers.arrived(), askers.arrived(), askers.arrived())
        #expect(Set([first, second, third]).count == 3)
        askers.left(first)
        askers.ended(second)
        #expect(!askers.isWaiting(first))
        now.withLock { $0 += Askers.grace * 0.9 }
        #expect(askers.isWaiting(second))
        askers.ended(second)
        now.withLock { $0 += Askers.grace * 0.2 }
        #expect(!askers.isWaiting(second))
        #expect(askers.isWaiting(third))
        // What comes late is of nobody.
        askers.ended(first)
        #expect(!askers.isWaiting(first))
        #expect(!askers.isWaiting(12_345))
    }

    @Test(
        "who asks stands behind all that the client says of itself, and before the content",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: a\r\n", "\r\n"), ("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n", "\r\nbody\r\n\r\n"),
            ("GET / HTTP/1.1\n", "\n\n"), ("GET / HTTP/1.1\r\n", "\r\n"),
        ])
    func place(fields: String, rest: String) {
        #expect(PageConnection.endOfFields(Array((fields + rest).utf8).span) == fields.utf8.count)
    }

    @Test("a question's asker is the listener's word, whatever its client says of itself")
    func forged() {
        #expect(Question(method: "GET", target: "/", headers: ["pinproof-asker": "7"]).asker == 7)
        #expect(Question(method: "GET", target: "/", headers: ["pinproof-asker": "3, 7"]).asker == 7)
        #expect(Question(method: "GET", target: "/").asker == nil)
    }
}
