import Foundation
import Support
import Testing

/// Origins and disks as they are in the field: too old, too full.
@Suite("Machines", .timeLimit(.minutes(10)))
struct MachineTests {
    private static let oldOrigins = """
        set -eu
        export PINPROOF_HOME="$PWD/home" no_proxy= NO_PROXY= OPENSSL_CONF=/dev/null
        openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out root.pem -days 2 -subj /CN=old.test \\
            -addext subjectAltName=DNS:old.test 2> openssl.log
        printf 'version: 1\\nname: old\\nothers: accept\\nupstream: { roots: [root.pem] }\\n' > p.yaml
        origin= proxy=
        trap 'kill $origin $proxy 2> ended || true' EXIT
        for version in tls1 tls1_1 tls1_2; do
            # The one before had another port; what runs beside this empties its file in its own time.
            : > origin.out
            openssl s_server -www -$version -cipher 'ALL:@SECLEVEL=0' -key key.pem -cert root.pem \\
                -accept 127.0.0.1:0 < /dev/null > origin.out 2>&1 &
            origin=$!
            until port=$(sed -n 's/^ACCEPT .*:\\([0-9]*\\)$/\\1/p' origin.out) && [ -n "$port" ]; do
                kill -0 $origin; sleep 0.05
            done
            rm -f ready
            "$0" proxy p.yaml --listen 127.0.0.1:0 --no-ui --no-store --evidence log --ready-file ready 2> said &
            proxy=$!
            while [ ! -s ready ]; do kill -0 $proxy; sleep 0.05; done
            listen=$(grep -Eo '"proxy":"[^"]*' ready | grep -Eo '[0-9]+$')
            ask() {
                curl -sS -o body -w '%{http_code}' --tlsv1.0 --ciphers 'ALL:@SECLEVEL=0' \\
                    --connect-to "old.test:$port:127.0.0.1:$port" "$@" "https://old.test:$port/" 2> why || true
            }
            direct=$(ask --cacert root.pem)
            through=$(ask --cacert home/ca/root.pem -x "http://127.0.0.1:$listen")
            kill $proxy; wait $proxy || true
            kill $origin; wait $origin || true
            origin= proxy=
            echo "$version: $direct, through the proxy $through, shown $(grep -c '"presented":\\["' log || true)," \\
                "$(grep -Eo 'alert protocol version$' why || true)"
        done
        """

    @Test("an origin that does TLS 1.0 or 1.1 at most is not called in it, and the client is told why")
    func oldOrigins() async throws {
        try await Places.withFolder { folder in
            let run = try await Command.run("bash", ["-c", Self.oldOrigins, Places.pinproof], in: folder)
            let expected = [
                "tls1: 200, through the proxy 000, shown 0, alert protocol version",
                "tls1_1: 200, through the proxy 000, shown 0, alert protocol version",
                "tls1_2: 200, through the proxy 200, shown 1, ",
            ]
            #expect(run.output.split(separator: "\n").map(String.init) == expected, "\(run)")
        }
    }

    /// A disk of 1 MB for the store and the log of a debugging proxy, and then, nearly full, for a gate.
    private static let fullDisk = """
        set -eu
        mkdir small && mount -t tmpfs -o size=1000k tmpfs small
        export PINPROOF_HOME="$PWD/home" no_proxy= NO_PROXY=
        mkdir web && seq 1000 > web/page
        python3 -u -m http.server --bind 127.0.0.1 --directory web 0 > origin.out 2> origin.log &
        origin=$!
        proxy=
        trap 'kill $origin $proxy 2> ended || true' EXIT
        until port=$(grep -Eo -m 1 'port [0-9]+' origin.out | cut -d ' ' -f 2) && [ -n "$port" ]; do
            kill -0 $origin; sleep 0.05
        done
        "$0" proxy --listen 127.0.0.1:0 --no-ui --store small/flows.db --evidence small/log --ready-file ready 2> said &
        proxy=$!
        while [ ! -s ready ]; do kill -0 $proxy; sleep 0.05; done
        listen=$(grep -Eo '"proxy":"[^"]*' ready | grep -Eo '[0-9]+$')
        for page in $(seq 10); do cat web/page; done > ten
        served=0
        for turn in $(seq 60); do
            curl -sf -x "http://127.0.0.1:$listen" "http://127.0.0.1:$port/page?[1-10]" > got || true
            ! cmp -s got ten || served=$((served + 1))
        done
        kill $proxy; wait $proxy && status=0 || status=$?
        proxy=
        echo "served $served of 60, ended with $status"
        echo "told $(grep -c 'recording has stopped, and the proxy goes on' said)"
        echo "and $(grep -c 'small/log: cannot write: no space left on device: no more evidence is written' said)"
        [ "$("$0" flows list --store small/flows.db | wc -l)" -lt 2 ] || echo "what was there can be read"
        rm -f small/*
        printf 'version: 1\\nname: small\\nhosts:\\n  api.test: { expect: refuse }\\n' > p.yaml
        dd if=/dev/zero of=small/fill bs=1k count=980 2> dd.log || true
        ask='for call in 1 2 3 4 5 6 7 8; do curl -sk -m 5 -x "$https_proxy" https://api.test:1/; done; exit 1'
        "$0" gate p.yaml --attacks quick --cold-starts 3 --keep-going --out small/run --ephemeral-ca --no-color \\
            -- sh -c "$ask" > gate.out 2>&1 && status=0 || status=$?
        echo "gate $status, $(grep -c 'no space left on device' gate.out)"
        echo "starts seen: $(grep -c '"kind":"trial-started"' small/run/evidence.jsonl)"
        "$0" judge small/run > judge.out 2>&1 && status=0 || status=$?
        echo "judge $status, $(grep -c PASS gate.out judge.out | tr '\\n' ' ')"
        """

    @Test(
        "on a disk that fills up the proxy goes on and says once what it cannot keep, and a gate has no verdict",
        .enabled("root, and mount namespaces") {
            (try? await Command.run("unshare", ["--mount", "true"]))?.status == 0
        })
    func fullDisk() async throws {
        try await Places.withFolder { folder in
            let run = try await Command.run(
                "unshare", ["--mount", "bash", "-c", Self.fullDisk, Places.pinproof], in: folder)
            let lines = run.output.split(separator: "\n").map(String.init)
            #expect(
                lines.prefix(4) == ["served 60 of 60, ended with 3", "told 1", "and 1", "what was there can be read"],
                "\(run)")
            try #require(lines.count == 7, "\(run)")
            #expect(lines[4].hasPrefix("gate 3, ") && !lines[4].hasSuffix(" 0"), "\(run)")
            #expect(lines[5].hasPrefix("starts seen: ") && lines[5] != "starts seen: 0", "\(run)")
            // As not come to its end, or as broken off: which of the two hangs on the line that found no room.
            #expect(
                ["judge 2", "judge 3"].contains { lines[6].hasPrefix($0) } && lines[6].contains(":0 judge.out:0"),
                "\(run)")
        }
    }
}
