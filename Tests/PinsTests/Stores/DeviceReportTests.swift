import Facts
import Testing

@testable import Pins

@Suite("ways and pins by device")
struct DeviceReportTests {
    typealias S = LintSamples

    private func report(_ pins: [DeclaredPin], _ chain: [GenuineCertificate] = S.googleChain()) -> DeviceReport {
        DeviceReport(host: "api.example.com", chain: chain, pins: pins, on: S.today)
    }

    @Test("devices of one kind are one group, and every device is in one")
    func groups() {
        let found = report([S.root("GTS Root R1")])
        #expect(found.groups.reduce(0) { $0 + $1.stores.count } == DeviceStore.all.count)
        #expect(found.groups.first?.devices == "Android 7.0 to 9 (API 24 to 28)")
        #expect(found.groups.first?.paths.map(\.text) == ["api.example.com ← WR1 ← GTS Root R1 ← GlobalSign Root CA"])
        #expect(found.groups.allSatisfy { $0.sight == .expected })
    }

    @Test("where a pin is never met is said")
    func never() {
        let found = report([S.root("GlobalSign Root CA")])
        let never = found.groups.filter { $0.sight == .never }.flatMap(\.stores)
        #expect(never == (29...37).map { .android($0) } + [.mozilla])
        #expect(found.groups.first { $0.stores.contains(.apple(26)) }?.sight == .possible)
        let text = found.text(width: 70)
        #expect(found.text(width: 200).contains("never meet a pinned key, and are locked out"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 70 })
    }

    @Test("a server that no device trusts, and one without pins")
    func others() {
        #expect(report([S.pin(1)], S.privateChain()).groups.map(\.sight) == [.noPath])
        #expect(report([]).groups.allSatisfy { $0.sight == nil })
        #expect(report([], []).text(width: 80).contains("find no way"))
    }

    @Test("JSON is whole")
    func json() throws {
        var json = JSONWriter()
        report([S.root("GlobalSign Root CA")]).write(to: &json)
        let value = try JSONValue.parse(json.bytes)
        let first = value["groups"]?.array?.first
        #expect(first?["devices"]?.array?.first?.string == "Android 7.0 (API 24)")
        #expect(first?["paths"]?.array?.first?["needs_more"]?.bool == false)
    }
}
