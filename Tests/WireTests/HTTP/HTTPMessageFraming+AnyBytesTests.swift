import Support
import Testing

@testable import Wire

@Suite("HTTPMessageFraming: any bytes")
struct AnyFramingTests {
    /// Messages that are well-formed, with their content, and what each is an answer to.
    private static func answers(_ random: inout SeededGenerator) -> [(method: String, bytes: [UInt8], content: [UInt8])]
    {
        (0..<Int.random(in: 1...5, using: &random)).map { _ in
            let content = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let end = Bool.random(using: &random) ? "\r\n" : "\n"
            let head = "HTTP/1.1 \([200, 404, 500].randomElement(using: &random) ?? 200) x\(end)X: y\(end)"
            switch Int.random(in: 0...3, using: &random) {
            case 0: return ("GET", Array("\(head)Content-Length: \(content.count)\(end)\(end)".utf8) + content, content)
            case 1: return ("HEAD", Array("\(head)Content-Length: \(content.count)\(end)\(end)".utf8), [])
            case 2: return ("GET", Array("HTTP/1.1 304 x\(end)\(end)".utf8), [])
            default:
                var bytes = Array("\(head)Transfer-Encoding: chunked\(end)\(end)".utf8)
                var rest = content[...]
                while !rest.isEmpty {
                    let chunk = rest.prefix(Int.random(in: 1...100, using: &random))
                    bytes += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
                    rest = rest.dropFirst(chunk.count)
                }
                return ("GET", bytes + Array("0\r\nT: u\r\n\r\n".utf8), content)
            }
        }
    }

    @Test("a stream of answers comes apart where they were joined, in pieces of any size")
    func streams() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let answers = Self.answers(&random)
            let stream = answers.flatMap(\.bytes)
            var at = 0
            var found: [[UInt8]] = []
            var current: HTTPMessageFraming?
            while at < stream.count || current != nil {
                if current == nil { found.append([]) }
                var message = current ?? HTTPMessageFraming(answerTo: answers[found.count - 1].method)
                let piece = Array(stream[at..<min(stream.count, at + Int.random(in: 1...64, using: &random))])
                var used = 0
                while used < piece.count, !message.isComplete {
                    let run = message.next(piece.span.extracting(used...))
                    if run.isContent { found[found.count - 1] += piece[used..<(used + run.count)] }
                    used += run.count
                }
                at += used
                current = message.isComplete ? nil : message
                #expect(message.fault == nil)
                if used == 0, !message.isComplete { break }
            }
            #expect(found == answers.map(\.content))
        }
    }

    @Test("no bytes whatever trap or stop it, and all pieces give the same")
    func mutations() {
        var random = SeededGenerator(seed: 8)
        let words = [
            "HTTP/1.1 ", "200", "100", "101", "204", " OK", "\r\n", "\r\n\r\n", "\n", "\r", "Content-Length: ", "5",
            "0",
            "Transfer-Encoding: ", "chunked", ", ", "Connection: close", "Upgrade: websocket", " ", "\t", ":",
            "ffffffff",
            "POST ", "/ ", ";x=", "\u{0}", "\u{ff}", "18446744073709551616",
        ].map { Array($0.utf8) }
        for _ in 0..<3000 {
            var bytes: [UInt8] = Bool.random(using: &random) ? Array("HTTP/1.1 200 OK\r\n".utf8) : []
            for _ in 0..<Int.random(in: 0...14, using: &random) { bytes += words.randomElement(using: &random) ?? [] }
            for message in [
                HTTPMessageFraming(answerTo: "GET"), HTTPMessageFraming(answerTo: "CONNECT"), HTTPMessageFraming(),
                HTTPMessageFraming(contentOf: .chunked),
            ] {
                let whole = MeasuredMessage(message, [bytes[...]])
                #expect(MeasuredMessage(message, pieces(bytes, of: 1)) == whole)
                #expect(MeasuredMessage(message, pieces(bytes, of: 5)) == whole)
                #expect(whole.message.isComplete || whole.taken == bytes.count)
            }
        }
    }

    @Test("content is skipped, not read: a gigabyte costs as much as a byte")
    func skipping() {
        var message = HTTPMessageFraming(contentOf: .length(1 << 40))
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        var taken = 0
        for _ in 0..<100_000 { taken += message.take(piece) }
        #expect(taken == 100_000 << 20 && !message.isComplete)
    }

    @Test("every fault has words of its own")
    func words() {
        #expect(Set(HTTPFramingFault.allCases.map(\.description)).count == HTTPFramingFault.allCases.count)
    }
}
