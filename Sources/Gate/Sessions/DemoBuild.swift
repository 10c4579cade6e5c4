import Facts
import Verdict

/// One build of the demo's app: what is expected, how it behaves, and what must come out.
struct DemoBuild: Sendable {
    /// Its folder in the demo's, and the word that `app.sh` is called with.
    let name: String
    let title: String
    let expect: String
    let verdict: VerdictWord

    static let all = [
        DemoBuild(
            name: "pinned", title: "release build, pinned", expect: "refuse", verdict: .provenPinned),
        DemoBuild(
            name: "debug", title: "debug build, pins switched off", expect: "accept", verdict: .accepted),
        DemoBuild(
            name: "regressed", title: "release build whose pins got lost", expect: "refuse", verdict: .notPinned),
        DemoBuild(
            name: "distrusting", title: "release build on a device without the CA", expect: "refuse",
            verdict: .refusedUnproven),
    ]

    /// The host whose pin is examined, and the one that the same build contacts unpinned.
    static let host = "api.shop.test"
    static let control = "cdn.shop.test"

    /// - Parameter origin: where the demo's origin listens.
    func profile(origin: Endpoint) -> String {
        """
        # \(title): what the gate is told about it.
        version: 1
        name: demo-\(name)
        hosts:
          \(Self.host): { expect: \(expect) }
        controls:
          - \(Self.control)       # the same app contacts it without a pin: shows that the app trusts the CA
        resolve:                # the demo's own origin; a real profile seldom needs this
          \(Self.host): \(origin)
          \(Self.control): \(origin)
        upstream:
          roots: [origin-root.pem]

        """
    }

    /// The app: a shell script around curl, or around this program where there is no curl.
    ///
    /// - Parameters:
    ///   - pin: `sha256//…`, as curl writes it.
    ///   - fetch: the command that makes one GET: it is given `--cacert FILE`, perhaps `--pinnedpubkey PIN`, and a URL.
    static func script(pin: String, fetch: String) -> String {
        """
        #!/bin/sh
        # The demo's app. The gate runs it once per trial: app.sh pinned|debug|regressed|distrusting
        # It finds the proxy in $https_proxy, and the CA that a tester would have installed in $PINPROOF_CA.
        here=$(dirname "$0")
        roots=$(mktemp) || exit 2
        trap 'rm -f "$roots"' EXIT
        cat "$here/origin-root.pem" > "$roots"
        [ "$1" = distrusting ] || cat "$PINPROOF_CA" >> "$roots"

        fetch() { \(fetch) --cacert "$roots" "$@"; }

        fetch https://\(control)/
        if [ "$1" = pinned ]; then
            fetch --pinnedpubkey '\(pin)' https://\(host)/
        else
            fetch https://\(host)/
        fi

        """
    }
}
