import Foundation
import Support
import Testing

/// A gate with `--watch-network`, and clients that go around its proxy or do not.
@Suite struct WatchedNetworkTests {
    /// What a COMMAND does after its pinned request.
    private enum Detour {
        /// TLS to the origin itself, with the target's name.
        static let tls = """
            import os, socket, ssl
            trusting = ssl._create_unverified_context()
            there = socket.create_connection(("127.0.0.1", int(os.environ["PORT"])))
            with trusting.wrap_socket(there, server_hostname="api.test") as tls:
                tls.sendall(b"GET /secret HTTP/1.0\\r\\n\\r\\n")
            """
        /// A first datagram of QUIC, whose ClientHello names the target (RFC 9001).
        static let quic = """
            import base64, os, socket
            hello = base64.b64decode(
                "xgAAAAEIAQIDBAUGBwgAAEB5Hj/1WvsFdpqnY1a7/zi4FKQ9EnDXSBvpke7pmbK2KBtF2qb1jYP741ZSjKnVjnfY"
                "1IOpzfUy8aOIgVLPi/FbgHlxq8TEzZPlW6imf2C5/vI9fxtJFDKuLyqlNyWOGLUvjUyPt0uNkVEXvLKhPP8SmV6ntQ4GzZb1iw==")
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(hello, ("127.0.0.1", int(os.environ["PORT"])))
            """
    }

    private static let profile = """
        version: 1
        name: watched
        hosts:
          api.test: { expect: refuse, pins: ["sha256/@PIN@"] }
        others: tunnel
        controls: [cdn.test]
        resolve: { api.test: "127.0.0.1:@PORT@", cdn.test: "127.0.0.1:@PORT@" }
        upstream: { roots: [origin/root.pem] }

        """

    /// Runs a gate on pinned curl, alone in a network namespace.
    ///
    /// - Parameters:
    ///   - detour: a Python program that COMMAND runs as well.
    ///   - network: commands that prepare the namespace.
    ///   - within: what COMMAND is started by.
    private func gate(
        _ options: [String], detour: String? = nil, network: String = "", within: String = "", prefix: String = "",
        _ check: (Command, ReportFile?, URL) throws -> Void
    ) async throws {
        guard try await Command.run("unshare", ["--net", "true"]).status == 0 else {
            print("SKIPPED: no network namespace can be made here (it takes root)")
            return
        }
        await Turnstile.gates.enter()
        do {
            try await Places.withFolder { folder in
                let drive = Places.clients.appending(path: "drive").path
                let origin = folder.appending(path: "origin").path
                var command = """
                    '\(drive)' --client curl --origin '\(origin)' --trust --control https://cdn.test/control \\
                        --url https://api.test/secret --pin api.test
                    status=$?

                    """
                if let detour {
                    try detour.write(to: folder.appending(path: "detour.py"), atomically: true, encoding: .utf8)
                    command += "python3 detour.py\n"
                }
                command += "exit $status\n"
                let run = """
                    set -eu
                    \(network)
                    exec \(prefix) '\(Places.pinproof)' gate profile.yaml --out run --ephemeral-ca --attacks quick \\
                        --cold-starts 1 --no-color \(options.joined(separator: " ")) -- \(within) sh command.sh
                    """
                for (name, text) in ["profile.in": Self.profile, "command.sh": command, "run.sh": run] {
                    try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
                }
                let finished = try await Command.run(
                    Places.clients.appending(path: "isolated").path, [folder.path, "sh", "run.sh"], in: folder,
                    limit: .seconds(300))
                try check(finished, try? ReportFile(contentsOf: folder.appending(path: "run/report.json")), folder)
            }
        } catch {
            await Turnstile.gates.leave()
            throw error
        }
        await Turnstile.gates.leave()
    }

    private func flows(_ folder: URL) throws -> Int {
        let evidence = try String(contentsOf: folder.appending(path: "run/evidence.jsonl"), encoding: .utf8)
        return evidence.split(separator: "\n").count { $0.hasPrefix("{\"kind\":\"flow\"") }
    }

    @Test(
        "a client that only goes through the proxy is proven, and the proxy's own connections do not count"
    )
    func clean() async throws {
        try await gate(["--watch-network"]) { command, report, folder in
            let host = try #require(report?.host("api.test"), "\(command)")
            #expect(command.status == 0 && host.verdict == "proven-pinned", "\(command)")
            #expect(host.findings.contains { $0.id == "network-watched" }, "\(command)")
            #expect(try flows(folder) == 0, "\(command)")
        }
    }

    @Test("a client that connects directly after a refusal is not proven, and the report says what was seen")
    func direct() async throws {
        try await gate(["--watch-network"], detour: Detour.tls) { command, report, folder in
            let host = try #require(report?.host("api.test"), "\(command)")
            #expect(command.status == 2 && host.verdict == "refused-unproven", "\(command)")
            #expect(host.missing == ["finding:direct-connection"], "\(command)")
            let finding = try #require(host.findings.first { $0.id == "direct-connection" })
            #expect(
                finding.severity == "error" && finding.text.contains("by the name that was sent"), "\(finding.text)")
            #expect(try flows(folder) == 4, "one in each trial: \(command)")
        }
    }

    @Test("the same client is judged by what came through the proxy where nobody watches, and the claim says so")
    func unwatched() async throws {
        try await gate([], detour: Detour.tls) { command, report, folder in
            let host = try #require(report?.host("api.test"), "\(command)")
            #expect(command.status == 0 && host.verdict == "proven-pinned", "\(command)")
            let text = try String(contentsOf: folder.appending(path: "run/report.json"), encoding: .utf8)
            #expect(text.contains("was not watched"), "\(command)")
        }
    }

    @Test("a client that speaks QUIC beside the proxy is not proven")
    func quic() async throws {
        try await gate(["--watch-network"], detour: Detour.quic) { command, report, _ in
            let host = try #require(report?.host("api.test"), "\(command)")
            #expect(command.status == 2 && host.missing == ["finding:quic-seen"], "\(command)")
            let finding = try #require(host.findings.first { $0.id == "quic-seen" })
            #expect(
                finding.severity == "error" && finding.text.contains("by the name that was sent"), "\(finding.text)")
        }
    }

    @Test("in a namespace from which only the proxy can be reached, going around it leads nowhere (docs/ci.md)")
    func namespace() async throws {
        let name = "pinproof-\(UUID().uuidString.prefix(8))"
        let network = """
            ip netns add \(name)
            ip link add gate0 type veth peer name eth0 netns \(name)
            ip addr add 192.0.2.1/30 dev gate0
            ip link set gate0 up
            ip -n \(name) addr add 192.0.2.2/30 dev eth0
            ip -n \(name) link set eth0 up
            ip -n \(name) link set lo up
            """
        try await gate(
            ["--watch-network", "--listen", "192.0.2.1:0"], detour: Detour.tls, network: network,
            within: "ip netns exec \(name)"
        ) { command, report, folder in
            let host = try #require(report?.host("api.test"), "\(command)")
            #expect(command.status == 0 && host.verdict == "proven-pinned", "\(command)")
            #expect(try flows(folder) == 0, "\(command)")
        }
        _ = try await Command.run("ip", ["netns", "del", name])
    }

    @Test("without the permission the gate says so and what to do, before it writes anything")
    func forbidden() async throws {
        try await gate(
            ["--watch-network"], prefix: "setpriv --bounding-set -net_raw --inh-caps -net_raw"
        ) { command, _, folder in
            #expect(command.status == 3, "\(command)")
            #expect(command.errors.contains("error: --watch-network: cannot watch the network"), "\(command)")
            #expect(command.errors.contains("hint: run the gate as root"), "\(command)")
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "run").path))
        }
    }
}
