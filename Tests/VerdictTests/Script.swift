import Facts
import Policy
import Testing

@testable import Verdict

/// What a client does with a forged chain, as one connection.
enum Act: Hashable {
    case request(Int)
    /// A request, and gone before the answer.
    case hastyRequest(Int)
    /// The HTTP/2 preface and nothing else.
    case preface
    /// A fatal alert before Finished.
    case alert(UInt8, Observation.Close.Kind = .fin)
    /// A fatal alert after Finished.
    case lateAlert(UInt8)
    case silent(Observation.Close.Kind = .fin)
    /// Finished, no byte, closed; with `user_canceled` and `close_notify` before it where `says90`.
    case post(Observation.Close.Kind = .fin, says90: Bool = false)
    case idle
    case early
    /// An RST in the handshake, before the client's side had acknowledged our flight.
    case unheard
    case negotiation(UInt8)
    case resumed(Int)
    /// The origin could not be used, so nothing was presented.
    case noOrigin(String)
}

/// Writes the evidence of a run, trial by trial.
struct Script {
    static let ca = "aa"
    private(set) var records: [EvidenceRecord] = []
    private var clock = 1_000.0
    private var count: UInt64 = 0
    private(set) var trial = 0

    init(
        coldStarts: Int = 3, attacks: [AttackID] = AttackCatalogue.all.map(\.id), variants: [String] = [],
        ca: String = Script.ca, options: [String: String] = [:], started: String = "2026-06-15T12:00:00Z"
    ) {
        records = [
            .header(
                RunHeader(
                    pinproof: "0", openssl: "3", libevent: "2", started: started, profile: "p", profileSHA256: "p1",
                    ca: .init(sha256: ca, scope: []), coldStarts: coldStarts, attacks: attacks,
                    variants: variants, options: options)),
            .selfTest(SelfTestResult(passed: true, problems: [], ms: 1)),
        ]
    }

    var evidence: RunEvidence { RunEvidence(records) }

    mutating func start(
        _ attack: AttackID, variant: String? = nil, only: [HostName] = [], sparedFirst: Int = 0, retryOf: Int? = nil
    ) {
        trial += 1
        clock += 100
        records.append(
            .trialStarted(
                TrialStart(
                    trial: trial, attack: attack, variant: variant, only: only, sparedFirst: sparedFirst,
                    retryOf: retryOf, at: clock)))
    }

    mutating func start(_ trial: Trial, retryOf: Int? = nil) {
        start(
            trial.id, variant: trial.variant?.name, only: trial.only.sorted(), sparedFirst: trial.sparedFirst,
            retryOf: retryOf)
    }

    mutating func end(
        exit: Int = 0, timedOut: Bool = false, interrupted: Bool = false, leftState: Bool = false,
        stateFault: String? = nil
    ) {
        clock += 20
        records.append(
            .trialEnded(
                TrialEnd(
                    trial: trial, exit: exit, timedOut: timedOut, interrupted: interrupted, leftState: leftState,
                    stateFault: stateFault, seconds: 20, at: clock)))
    }

    mutating func finish(
        interrupted: Bool = false, fault: String? = nil, early: EarlyEnd? = nil, leftOut: [String] = []
    ) {
        records.append(
            .runEnded(
                RunEnd(
                    interrupted: interrupted, fault: fault, early: early, leftOut: leftOut, seconds: 1, at: clock)))
    }

    mutating func add(_ observation: Observation, after seconds: Double = 1) {
        var observation = observation
        count += 1
        clock += seconds
        observation.connection = count
        observation.trial = trial
        observation.at = clock
        records.append(.connection(observation))
    }

    /// Changes the connections from the index of a record on.
    mutating func edit(from index: Int, _ change: (inout Observation) -> Void) {
        for index in records.indices.dropFirst(index) {
            guard var seen = records[index].observation else { continue }
            let (number, trial, at) = (seen.connection, seen.trial, seen.at)
            change(&seen)
            (seen.connection, seen.trial, seen.at) = (number, trial, at)
            records[index] = .connection(seen)
        }
    }

    /// Untouched, with a request and an answer, or with neither.
    mutating func tunnel(_ host: HostName, stack: String = "openssl", data: Bool = true) {
        add(Self.tunnelled(host, stack: stack, data: data))
    }

    /// A plain HTTP request.
    mutating func cleartext(_ host: HostName) { add(Self.plain(host)) }

    mutating func attack(
        _ host: HostName, _ attack: AttackID, variant: String? = nil, stack: String = "openssl", _ act: Act
    ) {
        add(Self.intercepted(host, attack, variant: variant, stack: stack, act))
    }

    static func tunnelled(_ host: HostName, stack: String = "openssl", data: Bool = true) -> Observation {
        var seen = Observation(via: .connect)
        seen.target = Endpoint(host, 443)
        seen.host = host
        seen.hello = HelloFacts(sni: host.isIP ? nil : host, stack: stack)
        seen.action = .tunnelled
        seen.serverAnswered = true
        seen.passthroughData = data
        seen.bytesUp = data ? 600 : 520
        seen.bytesDown = data ? 5000 : 3000
        seen.close = .init(by: .client, how: .fin, ms: 40)
        return seen
    }

    static func plain(_ host: HostName) -> Observation {
        var seen = Observation(via: .http)
        seen.host = host
        seen.target = Endpoint(host, 80)
        seen.action = .forwarded
        seen.bytesUp = 100
        return seen
    }

    static func intercepted(
        _ host: HostName, _ attack: AttackID, variant: String? = nil, stack: String = "openssl", _ act: Act
    ) -> Observation {
        var seen = Observation(via: .connect)
        seen.target = Endpoint(host, 443)
        seen.host = host
        seen.hello = HelloFacts(sni: host.isIP ? nil : host, alpn: ["http/1.1"], stack: stack)
        seen.action = .intercepted
        seen.attack = attack
        seen.variant = variant
        let agreed = Negotiated(version: .tls13, cipher: "TLS_AES_128_GCM_SHA256", alpn: "http/1.1")
        seen.upstream = .init(negotiated: agreed, verified: true, chain: ["c0"], spki: [genuinePin.base64])
        seen.negotiated = agreed
        seen.presented = ["f0"]
        seen.flight = .init(ms: 10, delivered: true)
        seen.close = .init(by: .client, how: .fin, ms: 30)
        seen.play(act)
        return seen
    }

    static let genuinePin = pin("A")
    static let otherPin = pin("B")

    private static func pin(_ letter: String) -> Pin {
        guard let pin = Pin("sha256/" + String(repeating: letter, count: 42) + "A=") else { fatalError("not a pin") }
        return pin
    }
}

extension Observation {
    fileprivate mutating func play(_ act: Act) {
        switch act {
        case .request(let bytes):
            finishedMS = 20
            bytesUp = bytes
            bytesDown = 300
            first = .init(shape: "http/1 GET", sha256: "00")
        case .hastyRequest(let bytes):
            finishedMS = 20
            bytesUp = bytes
            first = .init(shape: "http/1 GET", sha256: "00")
        case .preface:
            finishedMS = 20
            bytesUp = 24
            prefaceOnly = true
            first = .init(shape: "h2 preface", sha256: "00")
        case .alert(let code, let how):
            alerts = [Alert(from: .client, level: 2, code: code, epoch: .plaintext, ms: 20)]
            close = .init(by: .client, how: how, ms: 21)
        case .lateAlert(let code):
            finishedMS = 20
            alerts = [Alert(from: .client, level: 2, code: code, epoch: .application, ms: 21)]
        case .silent(let how):
            close = .init(by: .client, how: how, ms: 21)
        case .post(let how, let says90):
            finishedMS = 20
            if says90 {
                alerts = [
                    Alert(from: .client, level: 1, code: 90, epoch: .application, ms: 22),
                    Alert(from: .client, level: 1, code: 0, epoch: .application, ms: 22),
                ]
            }
            close = .init(by: .client, how: how, ms: 23)
        case .idle:
            finishedMS = 20
            close = .init(by: .gate, how: .aborted, ms: 15_000)
        case .early:
            flight = nil
            negotiated = nil
            close = .init(by: .client, how: .fin, ms: 2)
        case .unheard:
            flight?.delivered = false
            close = .init(by: .client, how: .rst, ms: 12)
        case .negotiation(let code):
            flight = nil
            alerts = [Alert(from: .client, level: 2, code: code, epoch: .plaintext, ms: 5)]
        case .resumed(let bytes):
            finishedMS = 20
            resumed = true
            bytesUp = bytes
        case .noOrigin(let why):
            flight = nil
            negotiated = nil
            action = .none
            attack = nil
            upstream = .init(error: why)
            close = .init(by: .proxy, how: .aborted, ms: 20)
        }
    }
}

extension HostName: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        guard let host = HostName(value) else { fatalError("\(value) is no host name") }
        self = host
    }
}

extension HostPattern: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        guard let pattern = HostPattern(value) else { fatalError("\(value) is no pattern") }
        self = pattern
    }
}

extension Profile {
    /// `api.test` refuses, `cdn.test` is a control, unless told otherwise.
    static func test(
        refuse: [HostPattern] = ["api.test"], accept: [HostPattern] = [], tunnel: [HostPattern] = [],
        optional: [HostPattern] = [], controls: [HostPattern] = ["cdn.test"], others: Others = .tunnel,
        pins: [Pin] = [], sameAnchors: Bool = false, onlyPins: Bool = false, lent: [HostName: LentMaterial] = [:],
        anchors: [String] = []
    ) -> Profile {
        let rules = { (patterns: [HostPattern], expect: HostExpectation) in
            patterns.map {
                HostRule(
                    pattern: $0, expect: expect, required: !optional.contains($0), pins: expect == .refuse ? pins : [],
                    anchors: expect == .refuse ? anchors : [])
            }
        }
        return Profile(
            name: "p", rules: rules(refuse, .refuse) + rules(accept, .accept) + rules(tunnel, .tunnel),
            others: others, controls: controls, sameAnchors: sameAnchors, onlyPins: onlyPins,
            lent: lent)
    }
}

extension Judgement {
    func host(_ name: String, _ location: SourceLocation = #_sourceLocation) throws -> HostVerdict {
        try #require(hosts.first { $0.host == name }, sourceLocation: location)
    }
}

extension HostVerdict {
    var missingNames: [String] { missing.map(\.name) }
    func has(_ finding: String) -> Bool { findings.contains { $0.id == finding } }
}
