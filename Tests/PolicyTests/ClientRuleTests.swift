import Facts
import Policy
import Testing

private let directory = ClientDirectory([
    ClientRule(name: "a", credentials: .init(user: "a", password: "secret")),
    ClientRule(name: "b", credentials: .init(user: "b")),
    ClientRule(name: "c", listen: Endpoint("127.0.0.1:0")),
    ClientRule(name: "d", address: IPAddress("192.0.2.7")),
])

private func client(_ user: String, _ password: String) -> String? {
    directory.client(user: Array(user.utf8), password: Array(password.utf8))
}

@Test("a client is told by user and password, and by the user alone where no password is asked for")
func byCredentials() {
    #expect(client("a", "secret") == "a")
    #expect(client("b", "") == "b" && client("b", "whatever") == "b")
    for (user, password) in [
        ("a", ""), ("a", "secre"), ("a", "secrets"), ("a", "Secret"), ("A", "secret"), ("", ""), ("", "secret"),
        ("c", ""), ("ab", "secret"), ("secret", "a"),
    ] {
        #expect(client(user, password) == nil, "\(user):\(password)")
    }
}

@Test("a client is told by exactly its address")
func byAddress() throws {
    #expect(directory.client(at: try #require(IPAddress("192.0.2.7"))) == "d")
    #expect(directory.client(at: try #require(IPAddress("192.0.2.70"))) == nil)
    #expect(directory.client(at: try #require(IPAddress("::ffff:192.0.2.7"))) == nil)
}

@Test("nobody is asked for credentials where nobody has any")
func usesCredentials() {
    #expect(directory.usesCredentials)
    #expect(!ClientDirectory([ClientRule(name: "d", address: IPAddress("192.0.2.7"))]).usesCredentials)
    #expect(!ClientDirectory([]).usesCredentials)
}

@Test("where clients are told apart, a connection of nobody is nobody's business")
func concerns() {
    var plan = Plan(profile: Profile(name: "p"), phase: .passthrough)
    #expect(plan.concerns(client: nil))
    plan.profile.clients = [ClientRule(name: "a")]
    #expect(!plan.concerns(client: nil) && plan.concerns(client: "a"))
}
