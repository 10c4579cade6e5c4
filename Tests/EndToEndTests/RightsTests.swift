import Foundation
import Support
import Testing

/// What of this machine pinproof has to be allowed.
@Suite("Rights", .timeLimit(.minutes(10)))
struct RightsTests {
    /// An address of the loopback that no other run has, as the port is one of those that not everybody may open.
    private static let lowPort = """
        at="127.$(($$ / 250 % 250 + 1)).$(($$ % 250)).1:443"
        drop='setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all,+net_bind_service
            --ambient-caps=-all,+net_bind_service --bounding-set=-all,+net_bind_service'
        chmod 755 . && mkdir home && chown 65534:65534 home
        export PINPROOF_HOME="$PWD/home" no_proxy= NO_PROXY=
        $drop "$0" proxy --listen "$at" --no-ui --ready-file home/ready 2> said &
        proxy=$!
        trap 'kill $proxy; wait $proxy' EXIT
        while [ ! -s home/ready ]; do kill -0 $proxy || exit 1; sleep 0.05; done
        grep -E '^(Uid|Gid|CapPrm|CapEff|CapBnd):' /proc/$proxy/status | tr -s '\\t' ' '
        curl -sS -f -x "http://$at" http://pinproof.test/ | grep -c 'This browser uses the proxy'
        curl -sS -f -x "http://$at" --cacert home/ca/root.pem https://check.pinproof.test/ | grep -c '"trusted":true'
        kill -TERM $proxy; wait $proxy; echo "exit $?"
        trap - EXIT
        stat -c '%u %a %n' home/ca/root.key home/flows.db
        """

    static var canBecomeOthers: Bool {
        get async {
            guard getuid() == 0, Command.isInstalled("setpriv") else { return false }
            let program = ["--reuid=65534", "--regid=65534", "--clear-groups", "test", "-x", Places.pinproof]
            return await (try? Command.run("setpriv", program))?.status == 0
        }
    }

    @Test(
        "a proxy on a port below 1024 needs one right and no more, and works without being root",
        .enabled("root, setpriv, and a program that others may run") { await Self.canBecomeOthers })
    func lowPort() async throws {
        try await Places.withFolder { folder in
            let run = try await Command.run("sh", ["-c", Self.lowPort, Places.pinproof], in: folder)
            let bind = "0000000000000400"
            let expected = [
                "Uid: 65534 65534 65534 65534", "Gid: 65534 65534 65534 65534", "CapPrm: \(bind)", "CapEff: \(bind)",
                "CapBnd: \(bind)", "1", "1", "exit 0", "65534 600 home/ca/root.key", "65534 600 home/flows.db",
            ]
            #expect(run.output.split(separator: "\n").map(String.init) == expected, "\(run)")
        }
    }
}
