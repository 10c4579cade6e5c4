import Facts
import Testing

@testable import Loop

private let machine = Set(
    ["127.0.0.1", "::1", "172.17.0.1", "192.168.1.5", "10.0.0.7", "fe80::1", "2001:db8::5"].compactMap { IPAddress($0) }
)

private func reached(_ listening: String) throws -> [String] {
    DeviceAddresses(listening: try #require(Endpoint(listening)), machine: machine).endpoints.map(\.description)
}

@Test("where others reach the proxy: nowhere, at its address, or at this machine's, likely ones first")
func addresses() throws {
    #expect(try reached("127.0.0.1:8080").isEmpty && reached("[::1]:8080").isEmpty)
    #expect(try reached("192.168.1.5:8080") == ["192.168.1.5:8080"])
    #expect(try reached("0.0.0.0:8080") == ["10.0.0.7:8080", "192.168.1.5:8080", "172.17.0.1:8080"])
    #expect(try reached("[::]:1").last == "[2001:db8::5]:1")
}
