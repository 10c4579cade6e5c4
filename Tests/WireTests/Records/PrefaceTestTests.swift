import Testing

@testable import Wire

@Suite("PrefaceTest")
struct PrefaceTestTests {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static func frame(_ type: UInt8, _ length: Int, stream: UInt8 = 0) -> [UInt8] {
        [UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255), type, 0, 0, 0, 0, stream]
            + [UInt8](repeating: 1, count: length)
    }
    private static let settings = frame(4, 18)
    private static let windowUpdate = frame(8, 4)
    private static let headers = frame(1, 40, stream: 1)

    private func run(_ bytes: [UInt8], by size: Int? = nil) -> PrefaceTest {
        var test = PrefaceTest()
        for start in stride(from: 0, to: bytes.count, by: size ?? max(1, bytes.count)) {
            test.feed(Array(bytes[start..<min(bytes.count, start + (size ?? bytes.count))]))
        }
        return test
    }

    @Test("holds for a preface with control frames, however it is cut", arguments: [nil, 1, 5, 24])
    func only(size: Int?) {
        #expect(run(Self.preface, by: size).isPrefaceOnly)
        let all = Self.preface + Self.settings + Self.windowUpdate + Self.frame(2, 5, stream: 3) + Self.frame(6, 8)
        #expect(run(all + Self.frame(4, 0) + Self.frame(7, 8), by: size).isPrefaceOnly)
    }

    @Test("ends with the first frame of a request, however it is cut", arguments: [nil, 1, 5, 24])
    func request(size: Int?) {
        for frame in [Self.headers, Self.frame(0, 10, stream: 1), Self.frame(3, 4, stream: 1), Self.frame(16, 4)] {
            let test = run(Self.preface + Self.settings + frame + Self.settings, by: size)
            #expect(!test.isPrefaceOnly && test.isDone)
        }
    }

    @Test("knows a frame by its fourth byte")
    func early() {
        let start = Self.preface + Self.settings
        #expect(run(start + Self.headers.prefix(3)).isPrefaceOnly)
        #expect(!run(start + Self.headers.prefix(4)).isPrefaceOnly)
    }

    @Test("is not fooled by control frames that carry more than they may")
    func padded() {
        for frame in [
            Self.frame(8, 200), Self.frame(6, 9), Self.frame(4, 7), Self.frame(2, 6), Self.frame(7, 1000),
            Self.frame(4, 6000),
        ] {
            #expect(!run(Self.preface + frame).isPrefaceOnly)
        }
    }

    @Test("does not hold for anything else")
    func other() {
        #expect(!run([]).isPrefaceOnly)
        #expect(!run(Array(Self.preface.dropLast())).isPrefaceOnly)
        #expect(!run(Array("POST / HTTP/1.1\r\n".utf8)).isPrefaceOnly)
        #expect(!run(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\rX".utf8)).isPrefaceOnly)
    }

    @Test("looks at no more than its limit")
    func bounded() {
        let frames = Array(repeating: Self.frame(6, 8), count: PrefaceTest.limit / 17 - 2).flatMap { $0 }
        #expect(run(Self.preface + frames).isPrefaceOnly)
        #expect(!run(Self.preface + frames + frames).isPrefaceOnly)
        #expect(!run(Self.preface + frames + frames, by: 1000).isPrefaceOnly)
    }
}
