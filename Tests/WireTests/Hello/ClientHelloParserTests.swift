import Facts
import Support
import Testing

@testable import Wire

@Suite("ClientHelloParser")
struct ClientHelloParserTests {
    private func parse(_ bytes: [UInt8]) -> ClientHelloParser.Result {
        var parser = ClientHelloParser()
        return parser.read(bytes)
    }

    private func hello(_ bytes: [UInt8]) throws -> ClientHello {
        guard case .complete(let hello) = parse(bytes) else {
            Issue.record("not complete: \(parse(bytes))")
            throw WireError.requestLine
        }
        return hello
    }

    static let recorded: [(name: String, bytes: [UInt8])] = [
        ("curl", RecordedHello.curl), ("gnutls", RecordedHello.gnutls), ("go", RecordedHello.go),
        ("node", RecordedHello.node), ("php", RecordedHello.php), ("java", RecordedHello.java),
        ("okhttp", RecordedHello.okhttp), ("swiftNIO", RecordedHello.swiftNIO),
        ("chromium", RecordedHello.chromium), ("earlyData", RecordedHello.earlyData),
    ]

    @Test("reads what real clients offer")
    func realClients() throws {
        for (name, bytes) in Self.recorded {
            let hello = try hello(bytes)
            #expect(hello.sni == HostName("api.pin.test"), "\(name)")
            #expect(hello.length == bytes.count - 5, "\(name)")
            #expect(hello.hasSessionID == (name != "php"), "\(name)")
            #expect(hello.maxVersion == (name == "php" ? .tls12 : .tls13), "\(name)")
            #expect(hello.offersECH == (name == "chromium"), "\(name)")
            #expect(hello.offersPSK == (name == "earlyData"), "\(name)")
            #expect(hello.offersEarlyData == (name == "earlyData"), "\(name)")
            #expect(
                hello.alpn == (["curl", "okhttp", "chromium"].contains(name) ? ["h2", "http/1.1"] : []), "\(name)")
        }
        #expect(try hello(RecordedHello.curl).versions == [.tls13, .tls12, .tls11, .tls10])
        #expect(try hello(RecordedHello.chromium).versions == [.tls13, .tls12])
        #expect(try hello(RecordedHello.php).versions == [.tls12, .tls11, .tls10])
        #expect(try hello(RecordedHello.chromium).supportedGroups == [0x11ec, 0x1d, 0x17, 0x18])
    }

    @Test("asks for more at every prefix, whole and byte by byte")
    func everyPrefix() {
        for (name, bytes) in Self.recorded {
            var parser = ClientHelloParser()
            for end in 0..<bytes.count {
                let prefix = Array(bytes[..<end])
                #expect(parse(prefix) == .needMore, "\(name) \(end)")
                #expect(parser.read(prefix) == .needMore, "\(name) \(end)")
            }
            #expect(parser.read(bytes) == parse(bytes), "\(name)")
        }
    }

    @Test("does not care into how many records it is cut", arguments: [1, 2, 3, 4, 5, 100, 511])
    func manyRecords(size: Int) throws {
        let whole = try hello(RecordedHello.curl)
        let message = Array(RecordedHello.curl.dropFirst(5))
        let records = HelloBuilder.records(message, of: size)
        #expect(try hello(records) == whole)
        var parser = ClientHelloParser()
        for end in 0..<records.count where parser.read(Array(records[..<end])) != .needMore {
            Issue.record("complete at \(end) of \(records.count)")
            return
        }
        #expect(parser.read(records) == .complete(whole))
    }

    @Test("takes a hello over 16 KiB, and what follows it is left alone")
    func large() throws {
        var builder = HelloBuilder()
        builder.extensions = [HelloBuilder.padding(30_000), HelloBuilder.sni("big.example.com")]
        let bytes = builder.records()
        #expect(bytes.count > 30_000)
        #expect(try hello(bytes + [23, 3, 3, 0, 1, 0]).sni == HostName("big.example.com"))
    }

    @Test("takes the first message alone where more follow in its records", arguments: [7, 300, 1 << 14])
    func moreMessages(size: Int) throws {
        let message = Array(RecordedHello.curl.dropFirst(5))
        #expect(try hello(HelloBuilder.records(message + [1, 0, 0, 1, 9], of: size)) == hello(RecordedHello.curl))
    }

    @Test("stops at 64 KiB")
    func limit() {
        var builder = HelloBuilder()
        builder.extensions = [HelloBuilder.padding(60_000), HelloBuilder.padding(5_000)]
        // Known from its first bytes, without waiting for the rest.
        #expect(parse(Array(builder.records().prefix(100))) == .needMore)
        let far = [22, 3, 1, 0, 4, 1, 2, 0, 0] as [UInt8]
        #expect(parse(far) == .malformed(.messageTooLong(limit: 65536)))
        // Records of one byte are six on the wire.
        let drops = HelloBuilder.records(Array(builder.message.prefix(20_000)), of: 1)
        #expect(parse(Array(drops.prefix(65_535))) == .needMore)
        #expect(parse(Array(drops.prefix(65_536))) == .malformed(.messageTooLong(limit: 65536)))
    }

    @Test("tells what is no TLS from the first byte on")
    func notTLS() {
        #expect(parse(Array("GET / HTTP/1.1\r\n".utf8)) == .notTLS)
        #expect(parse([0x80]) == .notTLS)
        #expect(parse([0x80, 0x2e, 0x01, 0x00, 0x02]) == .notTLS)  // SSLv2
        #expect(parse([22, 2]) == .notTLS)
        #expect(parse([]) == .needMore)
    }

    @Test("tells what is TLS but no ClientHello")
    func malformed() {
        #expect(parse([22, 3, 1, 0, 0]) == .malformed(.recordLength(0)))
        #expect(parse([22, 3, 1, 0x40, 1]) == .malformed(.recordLength(16385)))
        #expect(parse([22, 3, 1, 0, 4, 2]) == .malformed(.unexpectedMessage(type: 2)))
        let cut = HelloBuilder.records(Array(HelloBuilder().message.prefix(20)))
        #expect(parse(cut + [21]) == .malformed(.unexpectedRecord(type: 21)))
    }

    @Test("refuses lengths that do not agree")
    func lengths() {
        let message = HelloBuilder().message
        // An odd list of cipher suites, inside lengths that fit.
        var odd = message
        odd[4 + 2 + 32 + 1 + 1] = 5
        #expect(parse(HelloBuilder.records(odd)) == .malformed(.truncated(field: "cipher suites")))
        // One byte behind the extensions.
        var behind = message + [0]
        behind[3] += 1
        #expect(parse(HelloBuilder.records(behind)) == .malformed(.truncated(field: "extensions")))
        for (type, field) in [
            (10, "supported groups"), (13, "signature algorithms"), (16, "ALPN"), (43, "supported versions"),
        ] {
            var builder = HelloBuilder()
            builder.extensions = [(UInt16(type), [0, 9, 1])]
            #expect(parse(builder.records()) == .malformed(.truncated(field: field)))
        }
        var session = HelloBuilder()
        session.sessionID = [UInt8](repeating: 1, count: 33)
        #expect(parse(session.records()) == .malformed(.truncated(field: "session id")))
    }

    @Test("refuses a second extension of a kind that it reads")
    func repeated() {
        for item in [
            HelloBuilder.sni("a.example.com"), HelloBuilder.alpn(["h2"]), HelloBuilder.versions([0x0304]),
            HelloBuilder.groups([23]), HelloBuilder.algorithms([0x0403]),
        ] {
            var builder = HelloBuilder()
            builder.extensions = [item, item]
            #expect(parse(builder.records()) == .malformed(.repeatedExtension(item.0)))
        }
    }

    @Test("keeps an SNI apart from one that is no host name, and from none")
    func serverNames() throws {
        func name(_ body: [UInt8]?) throws -> ClientHello.ServerName {
            var builder = HelloBuilder()
            if let body { builder.extensions = [(0, body)] }
            return try hello(builder.records()).serverName
        }
        let v = HelloBuilder.vector16
        #expect(try name(nil) == .absent)
        #expect(try name(v([0] + v(Array("API.Example.com".utf8)))) == .host(try #require(HostName("api.example.com"))))
        #expect(try name([]) == .invalid)
        #expect(try name(v([])) == .invalid)
        #expect(try name(v([0] + v([]))) == .invalid)
        #expect(try name(v([0] + v(Array("a b".utf8)))) == .invalid)
        #expect(try name(v([0] + v(Array("a\0.example.com".utf8)))) == .invalid)
        #expect(try name(v([0] + v(Array("../../etc".utf8)))) == .invalid)
        #expect(try name(v([0] + v([0xff, 0xfe]))) == .invalid)
        #expect(try name(v([0] + v([UInt8](repeating: 0x61, count: 300)))) == .invalid)
        #expect(try name(v([0, 0, 200])) == .invalid)
        // Two names could be read as either.
        let two = [0] + v(Array("a.example.com".utf8)) + [0] + v(Array("b.example.com".utf8))
        #expect(try name(v(two)) == .invalid)
        // An unknown kind of name does not hide the host.
        let other = [9] + v([1, 2]) + [0] + v(Array("a.example.com".utf8))
        #expect(try name(v(other)) == .host(try #require(HostName("a.example.com"))))
    }

    @Test("reads hellos without extensions, and versions as the protocol does")
    func versions() throws {
        var builder = HelloBuilder()
        builder.hasExtensions = false
        builder.legacyVersion = 0x0301
        #expect(try hello(builder.records()).versions == [.tls10])
        builder.legacyVersion = 0x0300
        #expect(try hello(builder.records()).versions == [.ssl3])
        builder.legacyVersion = 0x0304  // without the extension no 1.3
        #expect(try hello(builder.records()).versions == [.tls12, .tls11, .tls10])
        builder.hasExtensions = true
        builder.extensions = [HelloBuilder.versions([0x3a3a, 0x0303, 0x0304, 0x7f1c])]
        let mixed = try hello(builder.records())
        #expect(mixed.versions == [.tls13, .tls12])
        #expect(mixed.offers(.tls12) && !mixed.offers(.tls11))
        builder.extensions = [HelloBuilder.versions([0x0a0a])]
        #expect(try hello(builder.records()).maxVersion == nil)
    }

    @Test("leaves GREASE out of every list")
    func grease() throws {
        let hello = try hello(RecordedHello.chromium)
        let lists = [
            hello.cipherSuites, hello.extensionTypes, hello.supportedGroups ?? [], hello.supportedVersions ?? [],
            hello.signatureAlgorithms ?? [],
        ]
        for list in lists {
            #expect(!list.isEmpty)
            #expect(!list.contains { $0 & 0x0f0f == 0x0a0a })
        }
        // Not GREASE: the bytes differ.
        #expect(!GREASE.contains(0x0a1a) && GREASE.contains(0xfafa) && !GREASE.contains(0x0a0b))
    }

    @Test("survives every single byte changed, and random ones")
    func mutations() {
        var generator = SeededGenerator(seed: 42)
        var complete = 0
        for (_, original) in Self.recorded {
            for _ in 0..<400 {
                var bytes = original
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                        in: 0...255, using: &generator)
                }
                bytes.removeLast(Int.random(in: 0...8, using: &generator))
                if case .complete(let hello) = parse(bytes) {
                    complete += 1
                    _ = Fingerprint(of: hello) { $0 }
                    _ = hello.facts(Fingerprint(ja4: "", stack: ""))
                }
            }
        }
        for index in RecordedHello.go.indices {
            var bytes = RecordedHello.go
            for value in [0, 0xff, bytes[index] &+ 1] {
                bytes[index] = value
                _ = parse(bytes)
            }
        }
        #expect(complete > 0)
    }
}
