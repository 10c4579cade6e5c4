import Testing

@testable import Gate

private let environment = CommandEnvironment(proxy: "http://127.0.0.1:5", ca: "/ca/root.pem", run: "/runs/1")

@Test("a trial's variables are exactly the documented ones")
func exactVariables() {
    #expect(
        environment.variables(trial: 4, phase: .trustedCA, state: "/runs/1/state/4") == [
            "PINPROOF_PROXY": "http://127.0.0.1:5", "PINPROOF_CA": "/ca/root.pem", "PINPROOF_PHASE": "trusted-ca",
            "PINPROOF_TRIAL": "4", "PINPROOF_RUN": "/runs/1", "PINPROOF_STATE": "/runs/1/state/4",
            "http_proxy": "http://127.0.0.1:5", "https_proxy": "http://127.0.0.1:5",
            "all_proxy": "http://127.0.0.1:5", "HTTP_PROXY": "http://127.0.0.1:5",
            "HTTPS_PROXY": "http://127.0.0.1:5", "ALL_PROXY": "http://127.0.0.1:5", "no_proxy": "", "NO_PROXY": "",
        ])
}

@Test("COMMAND learns how each client reaches the proxy, where the profile names clients")
func clientVariables() {
    var farm = environment
    farm.clients = #"{"phone":"http://p:s@127.0.0.1:5"}"#
    #expect(farm.variables(trial: 1, phase: .passthrough, state: "/s")["PINPROOF_CLIENTS"] == farm.clients)
    farm.setsProxyVariables = false
    #expect(farm.variables(trial: 1, phase: .passthrough, state: "/s")["PINPROOF_CLIENTS"] == farm.clients)
}

@Test("--no-proxy-env leaves every proxy variable alone")
func withoutProxyVariables() {
    var quiet = environment
    quiet.setsProxyVariables = false
    #expect(
        quiet.variables(trial: 1, phase: .passthrough, state: "/s").keys.sorted() == [
            "PINPROOF_CA", "PINPROOF_PHASE", "PINPROOF_PROXY", "PINPROOF_RUN", "PINPROOF_STATE", "PINPROOF_TRIAL",
        ])
}
