import Facts
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

@Test("a clock for COMMAND is said to it, and to libfaketime where that is")
func clock() throws {
    let day = try #require(CalendarDate("2027-06-02"))
    let now = Double(day.daysSince1970) * 86_400
    let path = "/usr/lib64/faketime/libfaketime.so.1"
    let clock = ClientClock(at: day, now: now, library: ClientClock.library { $0 == path })
    #expect(
        clock.variables == [
            "PINPROOF_CLOCK": "2027-06-02T12:00:00Z", "LD_PRELOAD": path, "FAKETIME": "+43200",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1",
        ])
    let bare = ClientClock(at: day, now: now, library: ClientClock.library { _ in false })
    #expect(bare.variables == ["PINPROOF_CLOCK": "2027-06-02T12:00:00Z"])
    let variables = environment.variables(trial: 1, phase: .passthrough, state: "/s", clock: clock)
    #expect(variables["FAKETIME"] == "+43200" && variables["PINPROOF_TRIAL"] == "1")
}
