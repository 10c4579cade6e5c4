import Facts
import Loop
import TLS
import Testing

@testable import Proxy

/// Lines of a key log by whose they are.
private final class Keys: Sendable {
    private let lines = Locked<[KeyLogLeg: Set<String>]>([:])

    var log: KeyLog {
        { [lines] leg, line in
            lines.withLock { _ = $0[leg, default: []].insert(String(decoding: line, as: UTF8.self)) }
        }
    }

    func of(_ leg: KeyLogLeg) -> Set<String> { lines.withLock { $0[leg] ?? [] } }
}

@Suite("Connection+KeyLog", .timeLimit(.minutes(15)))
struct ConnectionKeyLogTests {
    @Test(
        "the proxy's secrets are those that client and origin know, by their randoms, whatever the version",
        arguments: [TLSVersion.tls12, .tls13])
    func bothLegs(version: TLSVersion) async throws {
        let pki = try TestPKI()
        let chain = try pki.chain()
        // What the peers themselves know.
        let (clients, origins) = (Keys(), Keys())
        let origin = try ScriptedOrigin { socket in
            let tls = try TestTLS(socket, presenting: chain, version: version, keyLog: origins.log)
            try tls.handshake()
            try ScriptedOrigin.answer(tls)
        }
        let proxied = Keys()
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root]) {
            $0.keyLog = proxied.log
        }
        let client = try TestTLS(
            bench.tunnel(), trusting: bench.installed, highest: version, keyLog: clients.log)
        try client.handshake()
        try client.write(request)
        _ = try client.readToCloseNotify()
        client.socket.close()
        _ = try await bench.observation()
        let (near, far) = (proxied.of(.client), proxied.of(.origin))
        #expect(near == clients.of(.origin) && far == origins.of(.client))
        let labels = Set((Array(near) + Array(far)).compactMap { $0.split(separator: " ").first.map(String.init) })
        #expect(
            labels
                == (version == .tls12
                    ? ["CLIENT_RANDOM"]
                    : [
                        "CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET", "EXPORTER_SECRET",
                        "CLIENT_TRAFFIC_SECRET_0", "SERVER_TRAFFIC_SECRET_0",
                    ]))
        // One handshake each, and two randoms.
        let randoms = (Array(near) + Array(far)).compactMap { line -> Substring? in
            let words = line.split(separator: " ")
            return words.count == 3 && words[1].count == 64 ? words[1] : nil
        }
        #expect(randoms.count == near.count + far.count && Set(randoms).count == 2)
        withExtendedLifetime(origin) {}
    }
}
