import Facts
import Testing

@testable import TLS

@Suite("TrafficKeys")
struct TrafficKeysTests {
    /// RFC 8448 §3: the client's last secret, its records of application data and of an alert.
    private static let secret = "9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5"
    private static let alert = "1703030013c9872760655666b74d7ff1153efd6db6d0b0e3"
    private static let aes128: UInt16 = 0x1301

    private func secrets(_ lines: String...) -> ClientSecrets {
        var secrets = ClientSecrets()
        for line in lines { secrets.note(Array(line.utf8)) }
        return secrets
    }

    @Test("RFC 8448's alert opens under its secret, as the second record and as no other")
    func example() throws {
        let secret = try #require(Hex.decoded(Self.secret))
        let keys = try #require(TrafficKeys(suite: Self.aes128, secret: secret))
        let record = try #require(Hex.decoded(Self.alert))
        #expect(keys.open(record, number: 1) == [1, 0, 21])
        #expect(keys.open(record, number: 0) == nil && keys.open(Array(record.dropLast()), number: 1) == nil)
        #expect(keys.open([], number: 1) == nil && keys.open(Array(record.prefix(21)), number: 1) == nil)
    }

    @Test("a client's secrets are read out of a key log, and tell an alert from everything else")
    func alerts() throws {
        let record = try #require(Hex.decoded(Self.alert))
        let zeros = String(repeating: "0", count: 64)
        let log = "CLIENT_TRAFFIC_SECRET_0 \(zeros) \(Self.secret)"
        #expect(secrets(log).isAlert(record, suite: Self.aes128, number: 1))
        #expect(
            secrets("CLIENT_HANDSHAKE_TRAFFIC_SECRET \(zeros) \(zeros)", log).isAlert(
                record, suite: Self.aes128, number: 9))
        #expect(!secrets(log).isAlert(record, suite: Self.aes128, number: 0))
        #expect(
            !secrets(log).isAlert(record, suite: 0x1302, number: 1)
                && !secrets(log).isAlert(record, suite: 0x1303, number: 1))
        #expect(!secrets(log).isAlert(record, suite: 0xc02f, number: 1))
        #expect(
            !secrets("SERVER_TRAFFIC_SECRET_0 \(zeros) \(Self.secret)").isAlert(record, suite: Self.aes128, number: 1))
        #expect(
            !secrets("CLIENT_TRAFFIC_SECRET_0 \(zeros) x", "CLIENT_TRAFFIC_SECRET_0").isAlert(
                record, suite: Self.aes128, number: 1))
    }

    @Test("padding is taken off, and what is longer than an alert is none")
    func padded() throws {
        let secret = [UInt8](repeating: 3, count: 32)
        let sealer = try #require(RecordSealer(secret: secret))
        let zeros = [UInt8](repeating: 0, count: 15)
        let records = [
            sealer.seal(0, ([2, 42, 21] + zeros)[...]), sealer.seal(23, [1, 0]), sealer.seal(21, [1, 0, 0]),
            sealer.seal(0, []),
        ]
        let known = secrets("CLIENT_TRAFFIC_SECRET_0 \(Hex.encode(secret)) \(Hex.encode(secret))")
        #expect(records.map { known.isAlert($0, suite: Self.aes128, number: 3) } == [true, false, false, false])
        let keys = try #require(TrafficKeys(suite: Self.aes128, secret: secret))
        #expect(keys.open(records[0], number: 0) == [2, 42, 21] && keys.open(records[3], number: 3) == nil)
    }

    @Test("a suite asks for a secret as long as its digest, and other suites are not of TLS 1.3")
    func suites() {
        let lengths: [UInt16: Int] = [0x1301: 32, 0x1302: 48, 0x1303: 32]
        for (suite, length) in lengths {
            #expect(TrafficKeys(suite: suite, secret: [UInt8](repeating: 1, count: length)) != nil)
            #expect(TrafficKeys(suite: suite, secret: [UInt8](repeating: 1, count: length - 1)) == nil)
        }
        #expect(TrafficKeys(suite: 0x1304, secret: [UInt8](repeating: 1, count: 32)) == nil)
    }
}
