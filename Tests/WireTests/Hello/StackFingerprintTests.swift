import Testing

@testable import Wire

@Suite("StackFingerprint")
struct StackFingerprintTests {
    private func digest(_ bytes: [UInt8]) throws -> String {
        StackFingerprint.digest(of: try parsed(bytes), sha256: sha256)
    }

    private func base() -> HelloBuilder {
        var builder = HelloBuilder()
        builder.extensions = [
            HelloBuilder.versions([0x0304, 0x0303]), HelloBuilder.groups([29, 23]),
            HelloBuilder.algorithms([0x0403, 0x0804]), (type: 23, body: []),
        ]
        return builder
    }

    @Test("is 24 hex digits")
    func form() throws {
        let text = try digest(RecordedHello.curl)
        #expect(text.count == 24 && text.allSatisfy { $0.isHexDigit && !$0.isUppercase })
    }

    @Test("is the same for two connections of a client that shuffles and greases")
    func chromium() throws {
        let (one, other) = (try parsed(RecordedHello.chromium), try parsed(RecordedHello.chromiumAgain))
        #expect(one.extensionTypes != other.extensionTypes)
        #expect(try digest(RecordedHello.chromium) == digest(RecordedHello.chromiumAgain))
        #expect(try digest(RecordedHello.curl) == digest(RecordedHello.curlAgain))
    }

    @Test("tells the recorded clients apart")
    func distinct() throws {
        let clients = ClientHelloParserTests.recorded.filter { $0.name != "earlyData" }
        #expect(Set(try clients.map { try digest($0.bytes) }).count == clients.count)
    }

    @Test("ignores order, and what belongs to host, protocol or session")
    func ignored() throws {
        let plain = try digest(base().records())
        var other = base()
        other.sessionID = [1, 2, 3]
        other.cipherSuites = [0x2a2a] + other.cipherSuites.reversed()
        other.extensions =
            [(type: 0x1a1a, body: []), HelloBuilder.sni("a.example.com"), HelloBuilder.alpn(["h2"])]
            + base().extensions.reversed()
            + [HelloBuilder.padding(7), (type: 42, body: []), (type: 44, body: [0, 0]), (type: 41, body: [0])]
        #expect(try digest(other.records()) == plain)
    }

    @Test(
        "is the same for a page and its WebSocket, which offers no settings for HTTP/2",
        arguments: [UInt16(17513), 17613])
    func applicationSettings(type: UInt16) throws {
        var page = base()
        page.extensions += [HelloBuilder.alpn(["h2", "http/1.1"]), (type: type, body: [0, 3, 2, 0x68, 0x32])]
        var socket = base()
        socket.extensions.append(HelloBuilder.alpn(["http/1.1"]))
        #expect(try digest(page.records()) == digest(socket.records()))
        // Its neighbours are extensions like any other.
        page.extensions.append((type: type + 1, body: []))
        #expect(try digest(page.records()) != digest(socket.records()))
    }

    @Test("changes with each thing that makes a stack")
    func significant() throws {
        let plain = try digest(base().records())
        let changes: [(inout HelloBuilder) -> Void] = [
            { $0.cipherSuites.append(0xc030) },
            { $0.extensions[0] = HelloBuilder.versions([0x0304]) },
            { $0.extensions[1] = HelloBuilder.groups([29, 23, 24]) },
            { $0.extensions[2] = HelloBuilder.algorithms([0x0403]) },
            { $0.extensions.append((type: 35, body: [])) },
            { $0.extensions.removeLast() },
            { $0.extensions.append((type: 0xfe0d, body: [])) },
        ]
        for (index, change) in changes.enumerated() {
            var builder = base()
            change(&builder)
            #expect(try digest(builder.records()) != plain, "\(index)")
        }
    }

    @Test("cannot be made equal by moving a value from one list to the next")
    func unambiguous() throws {
        var one = base()
        one.extensions[1] = HelloBuilder.groups([23])
        one.extensions[2] = HelloBuilder.algorithms([29, 0x0403])
        var other = base()
        other.extensions[1] = HelloBuilder.groups([23, 29])
        other.extensions[2] = HelloBuilder.algorithms([0x0403])
        #expect(try digest(one.records()) != digest(other.records()))
    }

    @Test("goes by the message's own version where the extension is missing")
    func legacyVersion() throws {
        var builder = HelloBuilder()
        builder.legacyVersion = 0x0303
        let tls12 = try digest(builder.records())
        builder.legacyVersion = 0x0302
        #expect(try digest(builder.records()) != tls12)
    }
}
