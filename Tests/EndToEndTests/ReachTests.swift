import Foundation
import Support
import Testing

/// Whom a proxy serves that others can reach, and what of its own machine it calls for them.
@Suite("Reach", .timeLimit(.minutes(10)))
struct ReachTests {
    /// A network where nothing is but one machine, with addresses of every kind, and names that lead to its own services.
    private static let network = """
        set -eu
        ip link set lo up
        for address in 10.0.0.7 11.0.0.1 11.0.0.2; do ip address add $address/32 dev lo; done
        printf '127.0.0.1 localhost own.test\\n169.254.169.254 metadata.test\\n' > hosts
        mount --bind hosts /etc/hosts
        export PINPROOF_HOME="$PWD/home" no_proxy= NO_PROXY=
        mkdir own && echo secret > own/secret
        python3 -u -m http.server --bind 127.0.0.1 --directory own 0 > own.out 2> own.log &
        own=$!
        proxy=
        trap 'kill $own $proxy' EXIT
        until port=$(grep -Eo -m 1 'port [0-9]+' own.out | cut -d ' ' -f 2) && [ -n "$port" ]; do
            kill -0 $own; sleep 0.05
        done
        # visit FROM URL [OPTION...]: what the client is told, by status; "none" without a byte.
        visit() {
            from=$1 url=$2; shift 2
            curl -s -o body -w '%{http_code} %{http_connect}' --interface "$from" -x "http://$to:$listen" "$@" "$url" > told || true
            case $(cat told) in '000 000') told=none ;; '000 '*) told=$(cut -d ' ' -f 2 told) ;; *) told=$(cut -d ' ' -f 1 told) ;; esac
            echo "$from $url $told"
        }
        for open in '' --open; do
            rm -f ready
            "$0" proxy --listen 0.0.0.0:0 $open --no-ui --no-store --no-qr --evidence "log$open" --ready-file ready 2> "said$open" &
            proxy=$!
            while [ ! -s ready ]; do kill -0 $proxy; sleep 0.05; done
            listen=$(grep -Eo '"proxy":"[^"]*' ready | grep -Eo '[0-9]+$')
            echo "proxy $open"
            to=11.0.0.1
            visit 11.0.0.2 http://own.test:$port/secret
            to=10.0.0.7
            for name in own.test localhost 127.0.0.1; do
                visit 10.0.0.7 http://$name:$port/secret
                visit 10.0.0.7 http://$name:$port/secret --proxytunnel
            done
            visit 10.0.0.7 http://metadata.test/ --proxytunnel
            to=127.0.0.1
            visit 127.0.0.1 http://own.test:$port/secret
            kill $proxy; wait $proxy || true
            proxy=
        done
        echo "reached $(grep -c 'GET /secret' own.log)"
        echo "turned away $(grep -c 'it comes from a public address' log) $(grep -c 'it comes from a public address' log--open || true)"
        """

    @Test(
        "strangers get no byte without --open, and nobody from elsewhere reaches this machine's own services, by any name",
        .enabled("root, and network namespaces") {
            (try? await Command.run("unshare", ["--net", "--mount", "true"]))?.status == 0
        })
    func reach() async throws {
        try await Places.withFolder { folder in
            let run = try await Command.run(
                "unshare", ["--net", "--mount", "bash", "-c", Self.network, Places.pinproof], in: folder)
            var lines = run.output.split(separator: "\n").map { String($0) }
            let port = lines.lazy.compactMap { $0.firstMatch(of: /test:(\d+)/)?.1 }.first ?? "?"
            lines = lines.map { $0.replacing(":\(port)", with: "") }
            let own = ["own.test", "localhost", "127.0.0.1"].flatMap { name in
                [String](repeating: "10.0.0.7 http://\(name)/secret 403", count: 2)
            }
            let here = own + ["10.0.0.7 http://metadata.test/ 403", "127.0.0.1 http://own.test/secret 200"]
            let expected =
                ["proxy ", "11.0.0.2 http://own.test/secret none"] + here
                + ["proxy --open", "11.0.0.2 http://own.test/secret 403"] + here + ["reached 2", "turned away 1 0"]
            #expect(lines == expected, "\(run)")
        }
    }
}
