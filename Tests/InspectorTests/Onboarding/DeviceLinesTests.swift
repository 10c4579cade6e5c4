import Facts
import Testing

@testable import Inspector

@Suite("How devices are let in")
struct DeviceLinesTests {
    private static let machine = Set(
        ["127.0.0.1", "::1", "172.17.0.1", "192.168.1.5", "10.0.0.7", "fe80::1", "2001:db8::5"].compactMap {
            IPAddress($0)
        })

    private func reached(_ listening: String) throws -> [String] {
        DeviceAddresses(listening: try #require(Endpoint(listening)), machine: Self.machine).endpoints
            .map(\.description)
    }

    @Test("where others reach the proxy: nowhere, at its address, or at this machine's, likely ones first")
    func addresses() throws {
        #expect(try reached("127.0.0.1:8080").isEmpty && reached("[::1]:8080").isEmpty)
        #expect(try reached("192.168.1.5:8080") == ["192.168.1.5:8080"])
        #expect(try reached("0.0.0.0:8080") == ["10.0.0.7:8080", "192.168.1.5:8080", "172.17.0.1:8080"])
        #expect(try reached("[::]:1").last == "[2001:db8::5]:1")
    }

    @Test("on loopback one line says what lets a phone in, where a code was wanted")
    func alone() {
        let quiet = DeviceLines(devices: [], port: 8080, showsCode: false, hasColour: false)
        #expect(quiet.lines == ["setup  http://pinproof.test/ through the proxy: how a device trusts the CA"])
        let wanted = DeviceLines(devices: [], port: 8080, showsCode: true, hasColour: false).lines
        #expect(wanted.count == 2 && wanted[1].contains("--listen 0.0.0.0:8080"))
    }

    @Test("all addresses, and the code of the likeliest")
    func code() throws {
        let devices = [Endpoint("10.0.0.7:8080"), Endpoint("192.168.1.5:8080")].compactMap(\.self)
        let lines = DeviceLines(devices: devices, port: 8080, showsCode: true, hasColour: true).lines
        #expect(lines[1] == "phone  http://10.0.0.7:8080/ or http://192.168.1.5:8080/")
        #expect(lines.count == 2 + 17 && lines[2...].allSatisfy { $0.hasPrefix("\u{1b}[30;107m") })
        #expect(DeviceLines(devices: devices, port: 8080, showsCode: false, hasColour: true).lines.count == 2)
    }
}
