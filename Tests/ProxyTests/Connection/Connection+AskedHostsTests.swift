import Facts
import Testing

@testable import Proxy

@Suite("Connection+AskedHosts", .timeLimit(.minutes(15)))
struct ConnectionAskedHostsTests {
    @Test("whom the requests ask is noted where it is not whom the connection is for")
    func askedHosts() async throws {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain()) { tls in
            for _ in 0..<2 {
                _ = try tls.read(until: "\r\n\r\n")
                try tls.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
            _ = try tls.socket.readToEnd()
        }
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        for (second, asked) in [("api.test", [String]()), ("cdn.test", ["api.test", "cdn.test"])] {
            let client = try bench.client()
            for host in ["api.test", second] {
                try client.write("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                _ = try client.read(until: "\r\n\r\n")
            }
            client.socket.close()
            #expect(try await bench.observation().asked.map(\.text) == asked)
        }
    }
}
