import Testing

@testable import Wire

@Suite("JA4")
struct JA4Tests {
    /// The example of FoxIO's description, GREASE added.
    private func published() throws -> HelloBuilder {
        var builder = HelloBuilder()
        builder.cipherSuites = [
            0x3a3a, 0x1301, 0x1302, 0x1303, 0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc013, 0xc014, 0x009c,
            0x009d, 0x002f, 0x0035,
        ]
        let order: [UInt16] = [
            0x4a4a, 0x001b, 0x0000, 0x0033, 0x0010, 0x4469, 0x0017, 0x002d, 0x000d, 0x0005, 0x0023, 0x0012, 0x002b,
            0xff01, 0x000b, 0x000a, 0x0015, 0x5a5a,
        ]
        let known = [
            HelloBuilder.sni("example.com"), HelloBuilder.alpn(["h2", "http/1.1"]),
            HelloBuilder.versions([0x6a6a, 0x0304, 0x0303]), HelloBuilder.groups([0x7a7a, 29, 23, 24]),
            HelloBuilder.algorithms([0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601]),
        ]
        builder.extensions = order.map { type in
            (type: type, body: known.first { $0.0 == type }?.1 ?? [])
        }
        return builder
    }

    private func ja4(_ builder: HelloBuilder) throws -> String {
        JA4.fingerprint(of: try parsed(builder.records()), sha256: sha256)
    }

    @Test("agrees with the published example, hashed and raw")
    func vector() throws {
        let hello = try parsed(try published().records())
        #expect(JA4.fingerprint(of: hello, sha256: sha256) == "t13d1516h2_8daaf6152771_e5627efa2ab1")
        #expect(
            JA4.raw(of: hello)
                == "t13d1516h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_"
                + "0005,000a,000b,000d,0012,0015,0017,001b,0023,002b,002d,0033,4469,ff01_"
                + "0403,0804,0401,0503,0805,0501,0806,0601")
    }

    @Test("ends without an underscore where there are no signature algorithms")
    func withoutAlgorithms() throws {
        var builder = try published()
        builder.extensions = builder.extensions.map { $0.type == 13 ? (13, [0, 0]) : $0 }
        #expect(try ja4(builder) == "t13d1516h2_8daaf6152771_6d807ffa2a79")
    }

    /// Computed independently; Go's is also a published one (FoxIO lists it for a program written in Go).
    @Test("agrees with an independent reading of real hellos")
    func realClients() throws {
        let expected = [
            (RecordedHello.curl, "t13d3112h2_e8f1e7e78f70_b26ce05bbdd6"),
            (RecordedHello.gnutls, "t13d291300_723694b0fccc_2cc26d266019"),
            (RecordedHello.go, "t13d190900_9dc949149365_97f8aa674fd9"),
            (RecordedHello.node, "t13d591000_a33745022dd6_1f22a2ca17c4"),
            (RecordedHello.php, "t12d720800_1b75dbf8ecb1_8932e62835fd"),
            (RecordedHello.java, "t13d371200_db35923f8641_7c76daad20ec"),
            (RecordedHello.okhttp, "t13d1514h2_8daaf6152771_a5b99884f7f5"),
            (RecordedHello.swiftNIO, "t13d171000_5b57614c22b0_78e6aca7449b"),
            (RecordedHello.chromium, "t13d1517h2_8daaf6152771_cb7bf5808d99"),
            (RecordedHello.chromiumAgain, "t13d1517h2_8daaf6152771_cb7bf5808d99"),
            (RecordedHello.earlyData, "t13d311200_e8f1e7e78f70_87f12a3f655c"),
        ]
        for (bytes, text) in expected {
            #expect(JA4.fingerprint(of: try parsed(bytes), sha256: sha256) == text)
        }
    }

    @Test(
        "takes first and last character of the first ALPN value, or of its hexadecimal form",
        arguments: [
            ([], "00"), ([0x61], "aa"), (Array("http/1.1".utf8), "h1"), (Array("h2".utf8), "h2"),
            ([0xab], "ab"), ([0xab, 0xcd], "ad"), ([0x30, 0xab], "3b"), ([0x30, 0x31, 0xab, 0xcd], "3d"),
            ([0x30, 0xab, 0xcd, 0x31], "01"), ([0x2d], "2d"),
        ] as [([UInt8], String)])
    func alpn(name: [UInt8], expected: String) throws {
        var builder = HelloBuilder()
        builder.extensions = [HelloBuilder.alpn([name, Array("h2".utf8)])].map { (type: $0.0, body: $0.1) }
        #expect(try ja4(builder).split(separator: "_")[0].hasSuffix(expected))
    }

    @Test("says i without SNI, 00 without ALPN, and zeros without extensions")
    func bare() throws {
        var builder = HelloBuilder()
        builder.hasExtensions = false
        builder.cipherSuites = [0x0a0a]
        #expect(try ja4(builder) == "t12i000000_000000000000_000000000000")
        builder.legacyVersion = 0x0300
        #expect(try ja4(builder).hasPrefix("ts3i"))
        builder.legacyVersion = 0x0909
        #expect(try ja4(builder).hasPrefix("t00i"))
    }

    @Test("counts to 99")
    func counts() throws {
        var builder = HelloBuilder()
        builder.cipherSuites = Array(1...120)
        builder.extensions = (100..<205).map { (type: UInt16($0), body: []) }
        #expect(try ja4(builder).hasPrefix("t12i9999"))
    }
}
