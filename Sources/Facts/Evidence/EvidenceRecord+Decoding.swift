// Where a line leaves out what is empty or false, the default is put back here. Types that leave nothing out, or
// only what is nil, keep the decoding that the compiler writes.

extension RunHeader.CA {
    enum CodingKeys: String, CodingKey { case sha256, scope }

    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            sha256: try keys.decode(String.self, forKey: .sha256),
            scope: try keys.decodeIfPresent([String].self, forKey: .scope) ?? [])
    }
}

extension RunHeader {
    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            pinproof: try keys.decode(String.self, forKey: .pinproof),
            openssl: try keys.decode(String.self, forKey: .openssl),
            libevent: try keys.decode(String.self, forKey: .libevent),
            started: try keys.decode(String.self, forKey: .started),
            profile: try keys.decode(String.self, forKey: .profile),
            profileSHA256: try keys.decode(String.self, forKey: .profileSHA256),
            ca: try keys.decode(CA.self, forKey: .ca),
            coldStarts: try keys.decode(Int.self, forKey: .coldStarts),
            attacks: try keys.decode([AttackID].self, forKey: .attacks),
            variants: try keys.decodeIfPresent([String].self, forKey: .variants) ?? [],
            run: try keys.decodeIfPresent(String.self, forKey: .run) ?? "",
            labels: try keys.decodeIfPresent([String: String].self, forKey: .labels) ?? [:],
            anchors: try keys.decodeIfPresent(Anchors.self, forKey: .anchors),
            lentKeys: try keys.decodeIfPresent([String: String].self, forKey: .lentKeys) ?? [:],
            watchesNetwork: try keys.decodeIfPresent(Bool.self, forKey: .watchesNetwork) ?? false,
            options: try keys.decodeIfPresent([String: String].self, forKey: .options) ?? [:])
        schema = try keys.decode(String.self, forKey: .schema)
        artefacts = try keys.decodeIfPresent([Artefact].self, forKey: .artefacts) ?? []
        profileFile = try keys.decodeIfPresent(String.self, forKey: .profileFile)
        shard = try keys.decodeIfPresent(String.self, forKey: .shard).flatMap { Shard($0) }
        planColdStarts = try keys.decodeIfPresent(Int.self, forKey: .planColdStarts)
        plan = try keys.decodeIfPresent(String.self, forKey: .plan)
    }
}

extension SelfTestResult {
    enum CodingKeys: String, CodingKey { case passed, problems, ms }

    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            passed: try keys.decode(Bool.self, forKey: .passed),
            problems: try keys.decodeIfPresent([String].self, forKey: .problems) ?? [],
            ms: try keys.decode(Double.self, forKey: .ms))
    }
}

extension TrialStart {
    enum CodingKeys: String, CodingKey {
        case trial, attack, variant, only, at
        case sparedFirst = "spared_first"
        case retryOf = "retry_of"
    }

    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            trial: try keys.decode(Int.self, forKey: .trial),
            attack: try keys.decode(AttackID.self, forKey: .attack),
            variant: try keys.decodeIfPresent(String.self, forKey: .variant),
            only: try keys.decodeIfPresent([HostName].self, forKey: .only) ?? [],
            sparedFirst: try keys.decodeIfPresent(Int.self, forKey: .sparedFirst) ?? 0,
            retryOf: try keys.decodeIfPresent(Int.self, forKey: .retryOf),
            at: try keys.decode(Double.self, forKey: .at))
    }
}

extension TrialEnd {
    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            trial: try keys.decode(Int.self, forKey: .trial),
            exit: try keys.decodeIfPresent(Int.self, forKey: .exit),
            signal: try keys.decodeIfPresent(Int.self, forKey: .signal),
            timedOut: try keys.decodeIfPresent(Bool.self, forKey: .timedOut) ?? false,
            interrupted: try keys.decodeIfPresent(Bool.self, forKey: .interrupted) ?? false,
            leftState: try keys.decodeIfPresent(Bool.self, forKey: .leftState) ?? false,
            stateFault: try keys.decodeIfPresent(String.self, forKey: .stateFault),
            lastError: try keys.decodeIfPresent(String.self, forKey: .lastError),
            seconds: try keys.decode(Double.self, forKey: .seconds),
            at: try keys.decode(Double.self, forKey: .at))
    }
}

extension RunEnd {
    enum CodingKeys: String, CodingKey {
        case interrupted, fault, early, seconds, at
        case leftOut = "left_out"
    }

    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            interrupted: try keys.decodeIfPresent(Bool.self, forKey: .interrupted) ?? false,
            fault: try keys.decodeIfPresent(String.self, forKey: .fault),
            early: try keys.decodeIfPresent(EarlyEnd.self, forKey: .early),
            leftOut: try keys.decodeIfPresent([String].self, forKey: .leftOut) ?? [],
            seconds: try keys.decode(Double.self, forKey: .seconds),
            at: try keys.decode(Double.self, forKey: .at))
    }
}

extension Observation {
    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            connection: try keys.decode(UInt64.self, forKey: .connection),
            trial: try keys.decode(Int.self, forKey: .trial),
            at: try keys.decode(Double.self, forKey: .at),
            client: try keys.decodeIfPresent(Endpoint.self, forKey: .clientEndpoint),
            via: try keys.decode(Via.self, forKey: .via))
        clientName = try keys.decodeIfPresent(String.self, forKey: .clientName)
        credentials = try keys.decodeIfPresent(Credentials.self, forKey: .credentials)
        target = try keys.decodeIfPresent(Endpoint.self, forKey: .target)
        host = try keys.decodeIfPresent(HostName.self, forKey: .host)
        hello = try keys.decodeIfPresent(HelloFacts.self, forKey: .hello)
        helloMS = try keys.decodeIfPresent(Double.self, forKey: .helloMS)
        action = try keys.decode(Action.self, forKey: .action)
        attack = try keys.decodeIfPresent(AttackID.self, forKey: .attack)
        variant = try keys.decodeIfPresent(String.self, forKey: .variant)
        upstream = try keys.decodeIfPresent(Upstream.self, forKey: .upstream)
        presented = try keys.decodeIfPresent([String].self, forKey: .presented) ?? []
        unlike = try keys.decodeIfPresent([String].self, forKey: .unlike) ?? []
        foundAt = try keys.decodeIfPresent([Endpoint].self, forKey: .foundAt) ?? []
        pinsServedBy = try keys.decodeIfPresent([HostName].self, forKey: .pinsServedBy) ?? []
        leftOut = try keys.decodeIfPresent(Bool.self, forKey: .leftOut) ?? false
        isStoodIn = try keys.decodeIfPresent(Bool.self, forKey: .isStoodIn) ?? false
        negotiated = try keys.decodeIfPresent(Negotiated.self, forKey: .negotiated)
        resumed = try keys.decodeIfPresent(Bool.self, forKey: .resumed) ?? false
        flight = try keys.decodeIfPresent(Flight.self, forKey: .flight)
        finishedMS = try keys.decodeIfPresent(Double.self, forKey: .finishedMS)
        alerts = try keys.decodeIfPresent([Alert].self, forKey: .alerts) ?? []
        records = try keys.decodeIfPresent([Record].self, forKey: .records) ?? []
        bytesUp = try keys.decode(Int.self, forKey: .bytesUp)
        bytesDown = try keys.decode(Int.self, forKey: .bytesDown)
        behindAlert = try keys.decodeIfPresent(Int.self, forKey: .behindAlert) ?? 0
        clearUp = try keys.decodeIfPresent(Int.self, forKey: .clearUp) ?? 0
        first = try keys.decodeIfPresent(FirstBytes.self, forKey: .first)
        prefaceOnly = try keys.decodeIfPresent(Bool.self, forKey: .prefaceOnly) ?? false
        isProbe = try keys.decodeIfPresent(Bool.self, forKey: .isProbe) ?? false
        passthroughData = try keys.decodeIfPresent(Bool.self, forKey: .passthroughData) ?? false
        clientAsked = try keys.decodeIfPresent(Bool.self, forKey: .clientAsked) ?? false
        requests = try keys.decodeIfPresent(Int.self, forKey: .requests) ?? 0
        asked = try keys.decodeIfPresent([HostName].self, forKey: .asked) ?? []
        status = try keys.decodeIfPresent(Int.self, forKey: .status)
        statusMS = try keys.decodeIfPresent(Double.self, forKey: .statusMS)
        redirected = try keys.decodeIfPresent(Bool.self, forKey: .redirected) ?? false
        serverAnswered = try keys.decodeIfPresent(Bool.self, forKey: .serverAnswered) ?? false
        close = try keys.decodeIfPresent(Close.self, forKey: .close)
        error = try keys.decodeIfPresent(String.self, forKey: .error)
    }
}

extension Observation.Upstream {
    enum CodingKeys: String, CodingKey {
        case address, negotiated, verified, chain, spki, certificates, error
        case asksForCertificate = "asks_certificate"
    }

    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            address: try keys.decodeIfPresent(Endpoint.self, forKey: .address),
            negotiated: try keys.decodeIfPresent(Negotiated.self, forKey: .negotiated),
            verified: try keys.decode(Bool.self, forKey: .verified),
            chain: try keys.decodeIfPresent([String].self, forKey: .chain) ?? [],
            spki: try keys.decodeIfPresent([String].self, forKey: .spki) ?? [],
            asksForCertificate: try keys.decodeIfPresent(Bool.self, forKey: .asksForCertificate) ?? false,
            error: try keys.decodeIfPresent(String.self, forKey: .error))
        certificates = try keys.decodeIfPresent([CertificateFacts].self, forKey: .certificates) ?? []
    }
}

extension HelloFacts {
    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            sni: try keys.decodeIfPresent(HostName.self, forKey: .sni),
            alpn: try keys.decodeIfPresent([String].self, forKey: .alpn) ?? [],
            versions: try keys.decode([TLSVersion].self, forKey: .versions),
            ja4: try keys.decodeIfPresent(String.self, forKey: .ja4) ?? "",
            stack: try keys.decodeIfPresent(String.self, forKey: .stack) ?? "",
            offersPSK: try keys.decodeIfPresent(Bool.self, forKey: .offersPSK) ?? false,
            offersSessionID: try keys.decodeIfPresent(Bool.self, forKey: .offersSessionID) ?? false,
            offersEarlyData: try keys.decodeIfPresent(Bool.self, forKey: .offersEarlyData) ?? false,
            offersECH: try keys.decodeIfPresent(Bool.self, forKey: .offersECH) ?? false,
            weakSuites: try keys.decodeIfPresent([String].self, forKey: .weakSuites) ?? [],
            // Names that a later version knows are none to this one.
            likelyStacks: (try keys.decodeIfPresent([String].self, forKey: .likelyStacks) ?? [])
                .compactMap(StackName.init(rawValue:)),
            length: try keys.decode(Int.self, forKey: .length))
    }
}
