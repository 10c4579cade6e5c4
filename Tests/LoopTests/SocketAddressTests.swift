import Facts
import Foundation
import Testing

@testable import Loop

@Test(
    "addresses survive the way through the C form",
    arguments: ["127.0.0.1:80", "255.0.9.1:65535", "[::1]:1", "[2001:db8::5]:443"])
func roundTrip(text: String) throws {
    let endpoint = try #require(Endpoint(text))
    let address = SocketAddress(try #require(endpoint.host.address), endpoint.port)
    let back = unsafe address.withSockaddr { pointer, _ in unsafe SocketAddress(pointer) }
    #expect(back == address && address.description == text)
}

@Test("an IPv4 client on a dual-stack socket is an IPv4 client; other families are none")
func mapped() throws {
    let mapped = SocketAddress(try #require(IPAddress("::ffff:10.1.2.3")), 9)
    let back = unsafe mapped.withSockaddr { pointer, _ in unsafe SocketAddress(pointer) }
    #expect(back?.description == "10.1.2.3:9")
    #expect(unsafe SocketAddress(nil) == nil)
    var local = sockaddr()
    local.sa_family = sa_family_t(AF_UNIX)
    #expect(unsafe withUnsafePointer(to: &local) { unsafe SocketAddress($0) } == nil)
}
