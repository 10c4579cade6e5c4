import Facts
import Testing

@testable import Proxy

private func address(_ text: String) throws -> ListenAddress { try ListenAddress(try #require(Endpoint(text))) }

@Test("addresses and localhost can be listened on, names cannot")
func names() throws {
    #expect(try address("127.0.0.1:8080").socket.description == "127.0.0.1:8080")
    #expect(try address("localhost:1").socket.description == "127.0.0.1:1")
    #expect(try address("[::1]:0").socket.description == "[::1]:0")
    #expect(throws: NotAnAddress(name: "example.com")) { try address("example.com:80") }
}

@Test("whatever others can reach is called exposed")
func exposed() throws {
    for text in ["0.0.0.0:1", "[::]:1", "192.168.1.5:1", "[fe80::1]:1"] {
        #expect(try address(text).isExposed == true)
    }
    for text in ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1"] { #expect(try address(text).isExposed == false) }
}
