import Facts
import Testing

@testable import Inspector

@Suite("How devices are let in")
struct DeviceLinesTests {
    @Test("on loopback one line says what lets a phone in, where a code was wanted")
    func alone() {
        let quiet = DeviceLines(devices: [], port: 8080, wantsCode: false, hasColour: false)
        #expect(quiet.lines == ["setup  http://pinproof.test/ through the proxy: how a device trusts the CA"])
        let wanted = DeviceLines(devices: [], port: 8080, wantsCode: true, hasColour: false).lines
        #expect(wanted.count == 2 && wanted[1].contains("--listen 0.0.0.0:8080"))
    }

    @Test("all addresses, and the code of the likeliest")
    func code() throws {
        let devices = [Endpoint("10.0.0.7:8080"), Endpoint("192.168.1.5:8080")].compactMap(\.self)
        let lines = DeviceLines(devices: devices, port: 8080, wantsCode: true, hasColour: true).lines
        #expect(lines[1] == "phone  http://10.0.0.7:8080/ or http://192.168.1.5:8080/")
        #expect(lines.count == 2 + 17 && lines[2...].allSatisfy { $0.hasPrefix("\u{1b}[30;107m") })
        #expect(DeviceLines(devices: devices, port: 8080, wantsCode: false, hasColour: true).lines.count == 2)
        var narrow = DeviceLines(devices: devices, port: 8080, wantsCode: true, hasColour: true, columns: 32)
        #expect(narrow.lines.count == 3 && narrow.lines[2].contains("too narrow"))
        narrow.columns = 33
        #expect(narrow.lines.count == 2 + 17)
        narrow.hasUnicode = false
        #expect(narrow.lines.count == 3)
    }

    @Test("without a wish a person at a terminal sees the code where devices can come in, and is told of nothing else")
    func unasked() throws {
        let devices = [Endpoint("10.0.0.7:8080")].compactMap(\.self)
        var lines = DeviceLines(devices: devices, port: 8080, isTerminal: true, hasColour: true)
        #expect(lines.lines.count == 2 + 17)
        lines.columns = 32
        #expect(lines.lines.count == 2)
        lines.devices = []
        #expect(lines.lines.count == 1)
        #expect(DeviceLines(devices: devices, port: 8080, hasColour: true).lines.count == 2)
    }
}
