import Facts

/// One record of each kind, with every field filled and with none that need not be.
enum EvidenceSamples {
    static let full: [EvidenceRecord] = [
        .header(header),
        .selfTest(SelfTestResult(passed: false, problems: ["it could not tell \"them\" apart"], ms: 81.25)),
        .origin(
            OriginSeen(
                host: hosts[0], verified: true,
                certificates: [
                    CertificateFacts(subject: "CN=a", issuer: "CN=b", notAfter: "c", sha256: "d", spkiSHA256: "e")
                ], spki: ["f"], anchor: .added, error: "g")),
        .trialStarted(
            TrialStart(
                trial: 3, attack: AttackID("smuggled-chain"), variant: "after", only: hosts, sparedFirst: 2,
                retryOf: 2, at: 1_767_225_600.5)
        ),
        .trialEnded(
            TrialEnd(
                trial: 3, exit: 35, signal: 9, timedOut: true, interrupted: true, leftState: true,
                lastError: "ui-test: no \"device\"", seconds: 0.1, at: 1e9)),
        .connection(connection),
        .flow(flow),
        .networkWatched(
            NetworkWatched(trial: 2, packets: 41, others: 3, dropped: 1, untracked: 5, fault: "the network is down")),
        .runEnded(
            RunEnd(
                interrupted: true, fault: "the CA expired", early: EarlyEnd(.nameSlip, hosts: hosts, instead: hosts),
                leftOut: ["expired", "trusted-ca/older"], seconds: 12.3, at: 1e9 + 0.25)),
    ]

    static let minimal: [EvidenceRecord] = [
        .header(
            RunHeader(
                pinproof: "", openssl: "", libevent: "", started: "", profile: "", profileSHA256: "",
                ca: .init(sha256: "", scope: []), coldStarts: 0, attacks: [], options: [:])),
        .selfTest(SelfTestResult(passed: true, problems: [], ms: 0)),
        .origin(OriginSeen(host: hosts[0], verified: false, certificates: [], spki: [])),
        .trialStarted(TrialStart(trial: 1, attack: .passthrough, variant: nil, only: [], at: 0)),
        .trialEnded(TrialEnd(trial: 1, seconds: 0, at: 0)),
        .connection(Observation()),
        .connection(sparse),
        .flow(
            NetworkFlow(
                trial: 1, at: 0, transport: .tcp, from: Endpoint(hosts[1], 1), to: Endpoint(hosts[2], 443))),
        .networkWatched(NetworkWatched(trial: 1)),
        .runEnded(RunEnd(interrupted: false, seconds: 0, at: 0)),
    ]

    /// Each flag alone, so that no two can be mistaken for each other.
    static let flags: [EvidenceRecord] = {
        let inObservation: [WritableKeyPath<Observation, Bool>] = [
            \.leftOut, \.resumed, \.prefaceOnly, \.isProbe, \.passthroughData, \.clientAsked, \.redirected,
            \.serverAnswered,
        ]
        let inHello: [WritableKeyPath<HelloFacts, Bool>] = [
            \.offersPSK, \.offersSessionID, \.offersEarlyData, \.offersECH,
        ]
        var records: [EvidenceRecord] = [
            .trialEnded(TrialEnd(trial: 1, timedOut: true, seconds: 1, at: 2)),
            .trialEnded(TrialEnd(trial: 1, interrupted: true, seconds: 1, at: 2)),
            .trialEnded(TrialEnd(trial: 1, leftState: true, seconds: 1, at: 2)),
            .trialEnded(TrialEnd(trial: 1, exit: 3, seconds: 1, at: 2)),
            .trialEnded(TrialEnd(trial: 1, signal: 3, seconds: 1, at: 2)),
            .runEnded(RunEnd(interrupted: true, seconds: 1, at: 2)),
            .runEnded(RunEnd(interrupted: false, early: EarlyEnd(.nothingCrossed), seconds: 1, at: 2)),
        ]
        for flag in inObservation {
            var seen = Observation(connection: 1)
            seen[keyPath: flag] = true
            records.append(.connection(seen))
        }
        for flag in inHello {
            var (seen, hello) = (Observation(connection: 1), HelloFacts())
            hello[keyPath: flag] = true
            seen.hello = hello
            records.append(.connection(seen))
        }
        return records
    }()

    static let flow = NetworkFlow(
        trial: 4, at: 1_767_225_600.25, transport: .quic, from: Endpoint(hosts[2], 50_123), to: Endpoint(hosts[1], 443),
        host: hosts[0], hidesName: true, isCut: true, names: [hosts[0]], cleartext: true, packets: 3)

    static let hosts = ["api.example.com", "::1", "192.0.2.1"].compactMap { HostName($0) }

    static let header: RunHeader = {
        var header = plainHeader
        header.artefacts = [
            RunHeader.Artefact(
                file: "shop.apk", sha256: hex("7"), bytes: 31_415_926,
                app: .init(id: "com.example.shop", version: "1.2.3", debuggable: true)),
            RunHeader.Artefact(file: "a \"b\"\n.ipa", sha256: hex("8"), bytes: 0),
        ]
        header.profileFile = "pinning/release.yaml"
        header.shard = Shard(2, of: 4)
        header.planColdStarts = 3
        header.plan = hex("9")
        return header
    }()

    private static let plainHeader = RunHeader(
        pinproof: "0.1.0", openssl: "3.0.15", libevent: "2.1.12", started: "2026-01-01T00:00:00Z", profile: "release",
        profileSHA256: hex("1"), ca: .init(sha256: hex("2"), scope: ["example.com", "pinproof.invalid"]), coldStarts: 3,
        attacks: [.trustedCA, .untrustedCA, AttackID("wrong-key")],
        variants: ["trusted-ca", "smuggled-chain/after"], run: "0197b3c4",
        labels: ["commit": "1a2b", "device": "Pixel \"8\""],
        anchors: .init(declared: ["api.example.com": ["AAAA="], "*.cdn.test": []], authority: ["BBBB="]),
        lentKeys: ["api.example.com": "CCCC="],
        watchesNetwork: true,
        options: ["listen": "127.0.0.1:0", "a \"b\"": "c\nd"])

    static let connection: Observation = {
        let negotiated = Negotiated(version: .tls13, cipher: "TLS_AES_256_GCM_SHA384", alpn: "h2")
        var seen = Observation(
            connection: .max, trial: 4, at: 1_767_225_600.123456, client: Endpoint("[::1]:54321"), via: .socks5)
        seen.clientName = "pixel-8"
        seen.credentials = .unknown
        seen.requests = 2
        seen.status = 302
        seen.statusMS = 57.25
        seen.target = Endpoint("192.0.2.1:8443")
        seen.host = HostName("api.example.com")
        seen.hello = HelloFacts(
            sni: HostName("api.example.com"), alpn: ["h2", "http/1.1"],
            versions: [.tls13, .tls12, .tls11, .tls10, .ssl3],
            ja4: "t13d1516h2_8daaf6152771_e5627efa2ab1", stack: hex("3"), offersPSK: true, offersSessionID: true,
            offersEarlyData: true, offersECH: true,
            weakSuites: ["TLS_DH_anon_WITH_AES_128_CBC_SHA"], likelyStacks: [.boringssl, .dart], length: 517)
        seen.helloMS = 4.125
        seen.action = .intercepted
        seen.attack = .trustedCA
        seen.variant = "between"
        seen.upstream = Observation.Upstream(
            address: Endpoint("192.0.2.1:443"), negotiated: negotiated, verified: true, chain: [hex("4"), hex("5")],
            spki: ["AAAA="], asksForCertificate: true, error: "expired")
        seen.upstream?.certificates = [
            CertificateFacts(
                subject: "CN=\"a\",O=\u{e4}", issuer: "CN=ca", notAfter: "2026-12-01T00:00:00Z", sha256: hex("4"),
                spkiSHA256: hex("9"))
        ]
        seen.presented = [hex("6"), hex("7")]
        seen.unlike = ["key-size", "sct"]
        seen.negotiated = Negotiated(version: .tls12, cipher: "ECDHE-ECDSA-AES128-GCM-SHA256", alpn: "http/1.1")
        seen.leftOut = true
        seen.isStoodIn = true
        seen.resumed = true
        seen.flight = Observation.Flight(ms: 12.345, delivered: true)
        seen.finishedMS = 0.30000000000000004
        seen.alerts = [
            Alert(from: .client, level: 2, code: 48, epoch: .plaintext, ms: 13.5),
            Alert(from: .proxy, level: 1, code: 0, epoch: .application, ms: 14),
            Alert(from: .client, level: 2, code: 46, epoch: .handshake, ms: 15),
        ]
        seen.records = [Observation.Record(type: 21, length: 2), Observation.Record(type: 23, length: 16_401)]
        seen.bytesUp = 412
        seen.bytesDown = 1 << 40
        seen.behindAlert = 118
        seen.clearUp = 17
        seen.asked = hosts
        seen.first = Observation.FirstBytes(shape: "http/1 GET", sha256: hex("8"))
        seen.prefaceOnly = true
        seen.isProbe = true
        seen.passthroughData = true
        seen.clientAsked = true
        seen.foundAt = [Endpoint("192.0.2.1:443"), Endpoint("192.0.2.2:443")].compactMap(\.self)
        seen.pinsServedBy = hosts
        seen.redirected = true
        seen.serverAnswered = true
        seen.close = Observation.Close(by: .client, how: .closeNotify, ms: 16.25)
        seen.error = "pipe \u{1b}[31mbroken"
        return seen
    }()

    /// The nested values are there, and empty.
    static let sparse: Observation = {
        var seen = Observation(connection: 1)
        seen.hello = HelloFacts(versions: [])
        seen.upstream = Observation.Upstream()
        seen.negotiated = Negotiated(version: .ssl3, cipher: "", alpn: nil)
        seen.flight = Observation.Flight(ms: 0, delivered: false)
        seen.finishedMS = 0
        seen.close = Observation.Close(by: .gate, how: .aborted, ms: 0)
        return seen
    }()

    static func hex(_ digit: Character) -> String { String(repeating: digit, count: 64) }
}
