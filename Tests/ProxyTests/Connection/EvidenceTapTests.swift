import Facts
import Testing

@testable import Proxy
@testable import TLS

@Suite("what a connection's bytes leave in the evidence")
struct EvidenceTapTests {
    private func pass(_ text: String, _ direction: ExchangeDirection, at now: Double = 100, _ tap: EvidenceTap) {
        let bytes = Array(text.utf8)
        tap.passed(bytes.span, direction, at: now)
    }

    private func observation(_ tap: EvidenceTap) -> Observation {
        var seen = Observation(via: .connect)
        tap.complete(&seen)
        return seen
    }

    @Test("of bytes in the clear: how many, a digest of the first 64, and the answer's status with its time")
    func clear() {
        let tap = EvidenceTap(accepted: 100)
        let request = "GET / HTTP/1.1\r\nHost: a.test\r\nCookie: " + String(repeating: "x", count: 100) + "\r\n\r\n"
        pass(request, .up, tap)
        pass("more", .up, tap)
        pass("HTTP/1.1 404 Not Found\r\n", .down, at: 100.25, tap)
        pass("\r\n", .down, at: 101, tap)
        let seen = observation(tap)
        #expect(seen.bytesUp == request.utf8.count + 4 && seen.bytesDown == 26)
        #expect(seen.first?.sha256 == SHA256.hex(Array(request.utf8.prefix(64))))
        #expect(seen.status == 404 && seen.statusMS == 250)
        #expect(!seen.prefaceOnly)
    }

    @Test("of bytes that are only copied: how many")
    func copied() {
        let tap = EvidenceTap(accepted: 100)
        tap.count()
        pass("GET / HTTP/1.1\r\n\r\n", .up, tap)
        pass("HTTP/1.1 200 OK\r\n\r\n", .down, tap)
        let seen = observation(tap)
        #expect(seen.bytesUp == 18 && seen.bytesDown == 19)
        #expect(seen.first == nil && seen.status == nil && seen.statusMS == nil)
    }

    @Test("of a tunnel without TLS: what its first bytes look like, too, until TLS begins in it")
    func unread() {
        let tap = EvidenceTap(accepted: 100)
        tap.count(notingFirst: true)
        pass("EHLO me\r\n", .up, tap)
        pass("STARTTLS\r\n", .up, tap)
        #expect(observation(tap).first?.shape == "9 bytes" && observation(tap).bytesUp == 19)
        tap.beginsTLS()
        #expect(observation(tap).first == nil && observation(tap).clearUp == 19)
    }

    @Test("bytes that did not pass are counted all the same")
    func counted() {
        let tap = EvidenceTap(accepted: 100)
        pass("ab", .up, tap)
        tap.counted(up: 40)
        tap.counted(down: 2)
        #expect(observation(tap).bytesUp == 42 && observation(tap).bytesDown == 2)
    }

    @Test("a preface of HTTP/2 is told from a request")
    func preface() {
        let tap = EvidenceTap(accepted: 100)
        pass("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .up, tap)
        #expect(observation(tap).prefaceOnly)
        // A HEADERS frame that ends its stream.
        let frame: [UInt8] = [0, 0, 1, 1, 5, 0, 0, 0, 1, 0x82]
        tap.passed(frame.span, .up, at: 100)
        #expect(!observation(tap).prefaceOnly)
    }
}
