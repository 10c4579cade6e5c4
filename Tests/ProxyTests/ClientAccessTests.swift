import Facts
import Policy
import Testing

@testable import Proxy

private func main() throws -> Endpoint { try #require(Endpoint("127.0.0.1:8080")) }

private let phone = ClientRule(name: "phone", credentials: .init(user: "p 1", password: "a:b/ü@%"))
private let bare = ClientRule(name: "bare", credentials: .init(user: "bare"))
private let tablet = ClientRule(name: "tablet", credentials: .init(user: "t"), listen: Endpoint("127.0.0.1:0"))
private let watch = ClientRule(name: "watch", address: IPAddress("192.0.2.7"))

@Test("each client has a URL that it can be given as it is, and one that can be shown")
func urls() throws {
    let own = ["tablet": try #require(Endpoint("127.0.0.1:9"))]
    let access = try ClientAccess([phone, bare, tablet, watch], main: main(), own: own)
    #expect(access.entries.map(\.client) == ["phone", "bare", "tablet", "watch"])
    #expect(
        access.entries.map(\.url) == [
            "http://p%201:a%3Ab%2F%C3%BC%40%25@127.0.0.1:8080", "http://bare:any@127.0.0.1:8080",
            // It needs to show nothing at a port of its own.
            "http://127.0.0.1:9", "http://127.0.0.1:8080",
        ])
    #expect(access.entries[0].shown == "http://p%201:***@127.0.0.1:8080")
    #expect(access.entries[1...].allSatisfy { $0.shown == $0.url })
    #expect(access.main == "http://127.0.0.1:8080")
    #expect(
        access.json
            == #"{"phone":"http://p%201:a%3Ab%2F%C3%BC%40%25@127.0.0.1:8080","bare":"http://bare:any@127.0.0.1:8080","#
            + #""tablet":"http://127.0.0.1:9","watch":"http://127.0.0.1:8080"}"#)
}

@Test("COMMAND is the one client that is told by its credentials, and nobody where there are more or none")
func command() throws {
    #expect(try ClientAccess([bare], main: main(), own: [:]).main == "http://bare:any@127.0.0.1:8080")
    for clients in [[], [watch], [bare, phone]] {
        #expect(try ClientAccess(clients, main: main(), own: [:]).main == "http://127.0.0.1:8080")
    }
}

@Test("a client's own port is listened at where the profile says")
func listens() throws {
    var profile = Profile(name: "p", clients: [phone, tablet, watch])
    #expect(try profile.clientListens().map(\.client) == ["tablet"])
    #expect(try profile.clientListens()[0].listen.description == "127.0.0.1:0")
    profile.clients[1].listen = Endpoint("name.test:0")
    #expect(throws: NotAnAddress(name: "name.test")) { try profile.clientListens() }
}
