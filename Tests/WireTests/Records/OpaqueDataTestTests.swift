import Facts
import Support
import Testing

@testable import Wire

@Suite("OpaqueDataTest")
struct OpaqueDataTestTests {
    /// A hello that offers nothing unusual, or the given extensions besides.
    private static func hello(_ extensions: [UInt16] = []) -> ClientHello? {
        var builder = HelloBuilder()
        builder.extensions = [HelloBuilder.versions([0x0304, 0x0303])] + extensions.map { (type: $0, body: []) }
        return try? parsed(builder.records())
    }

    private func sawData(_ version: TLSVersion, _ records: String, offering extensions: [UInt16] = []) -> Bool {
        sawData(version, records.split(separator: " ").map { TunnelRecord(String($0)) }, Self.hello(extensions))
    }

    private func sawData(_ version: TLSVersion, _ records: [TunnelRecord], _ hello: ClientHello?) -> Bool {
        let test = fed(version, records, hello)
        #expect((test.requests > 0) == test.sawData)
        return test.sawData
    }

    private func requests(_ version: TLSVersion, _ records: String, offering extensions: [UInt16] = []) -> Int {
        fed(version, records.split(separator: " ").map { TunnelRecord(String($0)) }, Self.hello(extensions)).requests
    }

    private func fed(_ version: TLSVersion, _ records: [TunnelRecord], _ hello: ClientHello?) -> OpaqueDataTest {
        var test = OpaqueDataTest(hello: hello)
        var serverSpoke = false
        for record in records {
            if record.isClient {
                test.clientRecord(type: record.type, length: record.length)
            } else {
                if !serverSpoke { test.negotiated(version) }
                serverSpoke = true
                test.serverRecord(type: record.type, length: record.length)
            }
        }
        return test
    }

    private static let handshake13 = "Ch512 Sh122 Sc Sd36 Sd994 Sd96 Sd69 Cc "
    private static let handshake12 = "Ch512 Sh90 Sh972 Sh114 Sh4 "

    @Test(
        "where HTTP/2 may be spoken, what a server sends that has read settings is no answer", arguments: [true, false])
    func settings(isHTTP2: Bool) throws {
        var builder = HelloBuilder()
        let names: [UInt8] = isHTTP2 ? [0, 3, 2] + "h2".utf8 : [0, 9, 8] + "http/1.1".utf8
        builder.extensions = [HelloBuilder.versions([0x0304, 0x0303]), (type: 16, body: names)]
        let hello = try parsed(builder.records())
        for answer in [
            "Cd110 Sd26", "Cd110 Sd30", "Cd110 Sd26 Sd30", "Cd110 Sd34", "Cd110 Sd42", "Sd30 Sd30 Cd110 Sd26",
        ] {
            let records = (Self.handshake13 + "Cd53 " + answer).split(separator: " ").map {
                TunnelRecord(String($0))
            }
            #expect(fed(.tls13, records, hello).sawData == !isHTTP2, "\(answer)")
        }
        let records = (Self.handshake13 + "Cd53 Cd110 Sd26 Sd26 Sd26").split(separator: " ").map {
            TunnelRecord(String($0))
        }
        #expect(fed(.tls13, records, hello).sawData)
    }

    // MARK: real clients

    @Test(
        "is right about every real client and situation",
        arguments: [
            RecordedTunnels.tls13, RecordedTunnels.tls12, RecordedTunnels.clientCertificates, RecordedTunnels.unusual,
        ])
    func realClients(table: String) {
        let tunnels = RecordedTunnels.parse(table)
        #expect(tunnels.count >= 8)
        for tunnel in tunnels {
            let hello = Self.hello(tunnel.name.hasPrefix("gnutls") || tunnel.name.hasPrefix("wget") ? [28] : [])
            #expect(sawData(tunnel.version, tunnel.records, hello) == tunnel.hasData, "\(tunnel)")
        }
    }

    @Test("never sees data in a refused connection, whatever else the hello offers")
    func refusalsWithDoubt() {
        let all = [
            RecordedTunnels.tls13, RecordedTunnels.tls12, RecordedTunnels.clientCertificates, RecordedTunnels.unusual,
        ]
        for tunnel in all.flatMap(RecordedTunnels.parse) where !tunnel.hasData {
            for hello in [
                Self.hello(), Self.hello([1]), Self.hello([19]), Self.hello([28]), Self.hello([41, 42]), nil,
            ] {
                #expect(!sawData(tunnel.version, tunnel.records, hello), "\(tunnel)")
            }
        }
    }

    @Test("sees no data at any moment of a refused connection")
    func everyMoment() {
        for tunnel in RecordedTunnels.parse(RecordedTunnels.clientCertificates) where !tunnel.hasData {
            for end in tunnel.records.indices {
                #expect(!sawData(.tls13, Array(tunnel.records[...end]), Self.hello()), "\(tunnel) \(end)")
            }
        }
    }

    // MARK: TLS 1.3

    @Test("TLS 1.3: a request needs an answer that is no alert and no KeyUpdate, however short")
    func needsAnswer() {
        #expect(!sawData(.tls13, Self.handshake13 + "Cd69 Cd81"))
        #expect(!sawData(.tls13, Self.handshake13 + "Cd69 Cd81 Sd19"))
        for length in [11, 14, 19, 22, 35, 38] {
            #expect(!sawData(.tls13, Self.handshake13 + "Cd69 Cd81 Sd\(length)"), "\(length)")
        }
        // MQTT's CONNACK: four bytes.
        #expect(sawData(.tls13, Self.handshake13 + "Cd69 Cd81 Sd21"))
        #expect(sawData(.tls13, Self.handshake13 + "Cd69 Cd81 Sd40"))
        #expect(sawData(.tls13, Self.handshake13 + "Cd69 Cd81 Sd41"))
        #expect(sawData(.tls13, Self.handshake13 + "Cd69 Cd41 Sd282"))
        #expect(!sawData(.tls13, Self.handshake13 + "Cd69 Cd40 Sd282"))
        // A warning, a fatal alert and close_notify are all that a client has to say without asking for something.
        #expect(!sawData(.tls13, Self.handshake13 + "Cd69 Cd19 Cd19 Cd19 Sd282"))
        #expect(sawData(.tls13, Self.handshake13 + "Cd69 Cd33 Cd37 Cd30 Cd19 Sd282"))
    }

    @Test("what the client has asked shows before it is answered")
    func asked() {
        func asked(_ version: TLSVersion, _ records: String) -> Bool {
            fed(version, records.split(separator: " ").map { TunnelRecord(String($0)) }, Self.hello()).clientAsked
        }
        #expect(!asked(.tls13, Self.handshake13 + "Cd69"))
        #expect(!asked(.tls13, Self.handshake13 + "Cd69 Cd19"))
        #expect(asked(.tls13, Self.handshake13 + "Cd69 Cd81"))
        // A few bytes in a few records; the preface and settings of HTTP/2 are more.
        for few in ["Cd20", "Cd33", "Cd40", "Cd19 Cd24", "Cd81 Cd19"] {
            #expect(asked(.tls13, Self.handshake13 + "Cd69 " + few), "\(few)")
        }
        // Alerts and KeyUpdates, JSSE's longer ones, and what follows a Finished of a client that pads.
        for nothing in ["Cd19 Cd19", "Cd35 Cd35", "Cd22 Cd19", "Cd11", "Cd14", "Cd38 Cd35"] {
            #expect(!asked(.tls13, Self.handshake13 + "Cd69 " + nothing), "\(nothing)")
        }
        #expect(!asked(.tls13, Self.handshake13 + "Cd80 Cd40 Cd80"))
        #expect(!asked(.tls12, Self.handshake12 + "Ch37 Cc Ch40"))
        #expect(asked(.tls12, Self.handshake12 + "Ch37 Cc Ch40 Sh218 Sc Sh40 Cd86"))
    }

    @Test("early data is something asked, though nobody can tell where it ends")
    func askedEarly() {
        func asked(_ records: String, _ hello: ClientHello?) -> Bool {
            fed(.tls13, records.split(separator: " ").map { TunnelRecord(String($0)) }, hello).clientAsked
        }
        #expect(asked("Ch512 Cc Cd120 Sh122 Sc Sd36 Sd69 Cd21 Cd69", Self.hello([41, 42])))
        #expect(!asked("Ch512 Cc Sh122 Sc Sd36 Sd69 Cd69", Self.hello([41, 42])))
        #expect(!asked("Ch512 Cd120 Sh122 Sc Sd36 Sd69 Cd69", Self.hello()))
    }

    @Test("a real client that refuses has asked for nothing, whatever its alerts and its Finished are like")
    func refusalsAskNothing() {
        for table in [RecordedTunnels.tls13, RecordedTunnels.tls12, RecordedTunnels.clientCertificates] {
            for tunnel in RecordedTunnels.parse(table) where !tunnel.hasData {
                #expect(!fed(tunnel.version, tunnel.records, Self.hello()).clientAsked, "\(tunnel)")
            }
        }
    }

    @Test("TLS 1.3: session tickets before the request answer nothing")
    func tickets() {
        #expect(!sawData(.tls13, Self.handshake13 + "Cd69 Sd282 Sd282 Cd81"))
        #expect(!sawData(.tls13, Self.handshake13 + "Cd69 Sd282 Sd282 Cd19"))
        #expect(sawData(.tls13, Self.handshake13 + "Cd69 Sd282 Sd282 Cd81 Sd100"))
    }

    @Test("TLS 1.3: refusing after the handshake is no data, with any alerts and tickets")
    func lateRefusal() {
        for alerts in ["Cd19", "Cd35", "Cd19 Cd19", "Cd35 Cd35", "Cd19 Cd35 Cd19"] {
            for finished in ["Cd45", "Cd53", "Cd69", "Cd85"] {
                for order in [
                    "\(finished) \(alerts) Sd282 Sd282 Sd57", "\(finished) Sd282 \(alerts) Sd282",
                    "\(finished) Sd282 Sd282 \(alerts) Sd100",
                ] {
                    #expect(!sawData(.tls13, Self.handshake13 + order), "\(order)")
                }
            }
        }
    }

    @Test("TLS 1.3: refusing inside the handshake is no data")
    func earlyRefusal() {
        for refusal in ["", "Ca2", "Cd19", "Cd35", "Cd25 Cd19", "Cd19 Cd19"] {
            #expect(!sawData(.tls13, Self.handshake13 + refusal + " Sd282 Sd300"), "\(refusal)")
        }
    }

    @Test("TLS 1.3: nothing counts after a plaintext alert")
    func plaintextAlert() {
        #expect(!sawData(.tls13, Self.handshake13 + "Ca2 Cd69 Cd200 Sd300"))
        #expect(!sawData(.tls13, Self.handshake13 + "Cd69 Ca2 Cd200 Sd300"))
    }

    @Test("TLS 1.3: without the server's hello nothing counts")
    func noServerHello() {
        #expect(!sawData(.tls13, "Ch512 Cc Cd69 Cd200 Cd300"))
        #expect(!sawData(.tls13, "Ch512 Cd69 Cd200 Sa2 Sd300"))
        var test = OpaqueDataTest(hello: Self.hello())
        for _ in 0..<3 {
            test.serverRecord(type: 22, length: 100)
            test.clientRecord(type: 20, length: 1)
            test.clientRecord(type: 23, length: 300)
            test.serverRecord(type: 23, length: 300)
        }
        #expect(!test.sawData, "the version is not known")
    }

    @Test("TLS 1.3: an empty certificate before the Finished is not the Finished")
    func emptyCertificate() {
        #expect(!sawData(.tls13, Self.handshake13 + "Cd25 Cd69 Sd282 Sd282"))
        #expect(sawData(.tls13, Self.handshake13 + "Cd25 Cd69 Cd94 Sd282"))
        #expect(!sawData(.tls13, Self.handshake13 + "Cd61 Cd19 Sd282"))
    }

    @Test("TLS 1.3: a client certificate's flight is never taken for a request")
    func clientCertificate() {
        // RSA, ECDSA, P-521, Ed25519, Ed448 and JSSE's longer ones; refused after the handshake.
        for verify in [281, 537, 96, 128, 164, 89, 139, 113, 297] {
            for finished in [53, 69, 85] {
                let flight = "Cd900 Cd\(verify) Cd\(finished)"
                for rest in ["", " Cd19", " Cd35 Cd35"] {
                    #expect(!sawData(.tls13, Self.handshake13 + flight + rest + " Sd500 Sd500"), "\(flight)\(rest)")
                }
                #expect(sawData(.tls13, Self.handshake13 + flight + " Cd100 Sd500"), "\(flight)")
                #expect(!sawData(.tls13, Self.handshake13 + flight + " Sd500 Cd100"), "\(flight)")
            }
        }
        // Certificate and CertificateVerify in one record.
        #expect(!sawData(.tls13, Self.handshake13 + "Cd1100 Cd69 Sd500"))
        #expect(sawData(.tls13, Self.handshake13 + "Cd1100 Cd69 Cd200 Sd500"))
        // All in one.
        #expect(!sawData(.tls13, Self.handshake13 + "Cd1100 Sd500 Cd19 Sd500"))
        #expect(sawData(.tls13, Self.handshake13 + "Cd1100 Cd200 Sd500"))
        #expect(sawData(.tls13, Self.handshake13 + "Cd1100 Sd500 Cd200 Sd500 Cd19"))
    }

    @Test("TLS 1.3: a certificate chain that fills records is followed to its end")
    func longCertificate() {
        #expect(!sawData(.tls13, Self.handshake13 + "Cd16401 Cd3700 Cd281 Cd69 Sd500 Sd500"))
        #expect(!sawData(.tls13, Self.handshake13 + "Cd16401 Cd5000 Sd500"))
        #expect(!sawData(.tls13, Self.handshake13 + "Cd16401 Sd500"))
        #expect(sawData(.tls13, Self.handshake13 + "Cd16401 Cd3700 Cd281 Cd69 Cd300 Sd500"))
        // Cut small, with an Ed25519 signature.
        for offer in [[], [28]] as [[UInt16]] {
            #expect(!sawData(.tls13, Self.handshake13 + "Cd529 Cd529 Cd529 Cd200 Cd69 Sd500", offering: offer))
            #expect(!sawData(.tls13, Self.handshake13 + "Cd529 Cd529 Cd200 Cd89 Cd69 Sd500", offering: offer))
        }
        #expect(!sawData(.tls13, Self.handshake13 + "Cd16401 Cd300 Cd89 Cd69 Sd500"))
        #expect(!sawData(.tls13, Self.handshake13 + "Cd16401 Cd300 Cd96 Cd69 Cd200 Sd500", offering: [28]))
    }

    @Test("TLS 1.3: a hello that makes short records or keys possible is read with more care")
    func unclear() {
        let coalesced = Self.handshake13 + "Cd1100 Cd200 Sd500"
        let separate = Self.handshake13 + "Cd1100 Cd281 Cd69 Cd200 Sd500"
        #expect(!sawData(.tls13, coalesced, offering: [28]))
        #expect(sawData(.tls13, separate, offering: [28]))
        for type in [1, 19] as [UInt16] {
            #expect(!sawData(.tls13, coalesced, offering: [type]))
            #expect(!sawData(.tls13, separate, offering: [type]))
            #expect(sawData(.tls13, Self.handshake13 + "Cd69 Cd200 Sd500", offering: [type]))
        }
        // A raw Ed25519 key as certificate, its signature, the Finished.
        #expect(!sawData(.tls13, Self.handshake13 + "Cd74 Cd89 Cd69 Sd500", offering: [19]))
    }

    @Test("TLS 1.3: a client that pads its Finished pads its alerts")
    func padding() {
        // A multiple of 32, 64, 128: the alert is as long as the Finished, or over 40 bytes.
        #expect(!sawData(.tls13, Self.handshake13 + "Cd80 Cd48 Sd272"))
        #expect(!sawData(.tls13, Self.handshake13 + "Cd80 Cd80 Sd272"))
        #expect(!sawData(.tls13, Self.handshake13 + "Cd144 Cd144 Sd272"))
        #expect(sawData(.tls13, Self.handshake13 + "Cd80 Cd144 Sd272"))
    }

    @Test("TLS 1.3: a second hello after HelloRetryRequest begins anew")
    func retry() {
        let retry = "Ch512 Sh88 Sc Cc Ch512 Sh187 Sd23 Sd994 Sd96 Sd69 "
        #expect(!sawData(.tls13, retry + "Cd69 Cd19 Sd250 Sd250"))
        #expect(sawData(.tls13, retry + "Cd69 Cd93 Sd250"))
        // Early data before the retry was thrown away by the server.
        #expect(
            !sawData(.tls13, "Ch512 Cc Cd500 Sh88 Cd500 Cd500 Ch512 Sh187 Sd994 Cd69 Cd19 Sd250", offering: [41, 42]))
        #expect(
            sawData(.tls13, "Ch512 Cc Cd500 Sh88 Cd500 Cd500 Ch512 Sh187 Sd994 Cd69 Cd90 Sd250", offering: [41, 42]))
    }

    @Test("TLS 1.3: early data never counts, and only its end lets later data count")
    func earlyData() {
        let resumed = "Ch412 Cc Cd600 Cd600 Sh128 Sc Sd27 Sd69 "
        #expect(!sawData(.tls13, resumed + "Cd21 Cd69 Sd282", offering: [41, 42]))
        #expect(!sawData(.tls13, resumed + "Cd21 Cd69 Cd19 Sd282", offering: [41, 42]))
        #expect(sawData(.tls13, resumed + "Cd21 Cd69 Cd85 Sd282", offering: [41, 42]))
        // Still on its way when the server's hello passed, answered before the client's Finished.
        #expect(!sawData(.tls13, resumed + "Cd60 Cd600 Sd900 Cd600 Sd900", offering: [41, 42]))
        #expect(!sawData(.tls13, resumed + "Cd60 Cd600 Sd900 Cd21 Cd69 Cd19 Sd282", offering: [41, 42]))
        // Not accepted: no end of it shows, and the request that is sent again cannot be told from it.
        #expect(!sawData(.tls13, "Ch412 Cc Cd60 Sh122 Sc Sd529 Sd69 Cd69 Cd85 Sd300", offering: [41, 42]))
        // Not offered, the very same records are data.
        #expect(sawData(.tls13, "Ch412 Cc Sh122 Sc Sd529 Sd69 Cd69 Cd85 Sd300"))
    }

    // MARK: TLS 1.2

    @Test("TLS 1.2: application data both ways, and nothing else, is data")
    func tls12() {
        let finished = Self.handshake12 + "Ch37 Cc Ch40 Sh218 Sc Sh40 "
        #expect(sawData(.tls12, finished + "Cd86 Sd195"))
        #expect(!sawData(.tls12, finished + "Cd86"))
        #expect(!sawData(.tls12, finished + "Cd24 Sd195"))
        #expect(sawData(.tls12, finished + "Cd25 Sd28"))
        #expect(!sawData(.tls12, finished + "Sd64 Cd86"), "the server spoke first and did not answer")
        #expect(!sawData(.tls12, finished + "Ca26 Sd195"))
        #expect(!sawData(.tls12, finished + "Cd86 Sa26"))
        #expect(!sawData(.tls12, Self.handshake12 + "Ca2 Sd195"))
        #expect(!sawData(.tls12, Self.handshake12 + "Cd86 Sd195"), "before ChangeCipherSpec")
    }

    @Test("TLS 1.2: resumed, with false start, and split as TLS 1.0 does")
    func tls12Variants() {
        #expect(sawData(.tls12, "Ch300 Sh90 Sc Sh40 Cc Ch40 Cd300 Sd500"))
        #expect(sawData(.tls12, Self.handshake12 + "Ch37 Cc Ch40 Cd564 Sh218 Sc Sh40 Sd64"))
        #expect(sawData(.tls10, Self.handshake12 + "Ch37 Cc Ch48 Sc Sh48 Cd32 Cd300 Sd32 Sd500"))
        #expect(!sawData(.tls12, "Ch300 Sh90 Sc Sh40 Cc Ch40 Sh300"))
    }

    @Test("TLS 1.2: a hello that offered early data changes nothing")
    func tls12EarlyData() {
        #expect(sawData(.tls12, Self.handshake12 + "Ch37 Cc Ch40 Sc Sh40 Cd86 Sd195", offering: [41, 42]))
    }

    // MARK: how many

    @Test("a client record after one of the server's begins a new request, and only answered ones count")
    func requestsCount() {
        for (version, start) in [
            (TLSVersion.tls13, Self.handshake13 + "Cd69 "), (.tls12, Self.handshake12 + "Ch37 Cc Ch40 Sh218 Sc Sh40 "),
        ] {
            #expect(requests(version, start) == 0)
            #expect(requests(version, start + "Cd86 Cd500") == 0)
            #expect(requests(version, start + "Cd86 Cd500 Sd195 Sd900") == 1)
            #expect(requests(version, start + "Cd86 Sd195 Cd86 Sd195 Cd86") == 2)
            #expect(requests(version, start + "Cd86 Sd195 Cd19 Sd195 Cd86 Sd195") == 2, "an alert asks nothing")
            #expect(requests(version, start + String(repeating: "Cd86 Sd195 ", count: 100)) == 100, "beyond the limit")
        }
        #expect(requests(.tls13, Self.handshake13 + "Cd69 Sd282 Sd282 Cd86 Sd19") == 0, "tickets, and an alert")
    }

    // MARK: bounds

    @Test("keeps a bounded number of records, and survives any sequence")
    func bounded() {
        var generator = SeededGenerator(seed: 99)
        for _ in 0..<300 {
            var test = OpaqueDataTest(hello: Self.hello(Bool.random(using: &generator) ? [42] : []))
            if Bool.random(using: &generator) { test.negotiated(.tls13) }
            for _ in 0..<80 {
                let type = UInt8.random(in: 19...25, using: &generator)
                let length = [0, 1, 21, 40, 45, 53, 69, 89, 101, 600, 16401].randomElement(using: &generator) ?? 0
                if Bool.random(using: &generator) {
                    test.clientRecord(type: type, length: length)
                } else {
                    test.serverRecord(type: type, length: length)
                }
                _ = test.sawData
            }
        }
    }
}
