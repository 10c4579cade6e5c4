/// Packets between two places that did not come through the proxy while a trial ran.
///
/// A fact of the machine's network: whose they are, and what they mean, is decided by `Verdict`.
package struct NetworkFlow: Hashable, Sendable, Codable {
    package enum Transport: String, Sendable, Codable { case quic, udp, tcp }

    package var trial: Int
    /// When its first packet was seen, Unix seconds.
    package var at: Double
    package var transport: Transport
    package var from: Endpoint
    package var to: Endpoint
    /// What its first bytes name: the SNI of a ClientHello, or the Host of a request.
    package var host: HostName?
    /// The ClientHello offers ECH, or not all of it was seen: `host` may be the outer name of another one, or there may be one.
    package var hidesName: Bool
    /// Of the ClientHello the beginning alone was seen.
    package var isCut: Bool
    /// Hosts that are known to live at `to`: from the profile's `resolve`, the resolver, or the proxy's own dialing.
    package var names: [HostName]
    /// It begins with HTTP, not with TLS.
    package var cleartext: Bool
    /// Those that were looked at: the beginnings of connections, not their bulk.
    package var packets: Int

    package init(
        trial: Int, at: Double, transport: Transport, from: Endpoint, to: Endpoint, host: HostName? = nil,
        hidesName: Bool = false, isCut: Bool = false, names: [HostName] = [], cleartext: Bool = false, packets: Int = 1
    ) {
        self.trial = trial
        self.at = at
        self.transport = transport
        self.from = from
        self.to = to
        self.host = host
        self.hidesName = hidesName
        self.isCut = isCut
        self.names = names
        self.cleartext = cleartext
        self.packets = packets
    }

    /// TCP that says nothing, to an unknown address, may be anything; QUIC, what goes where QUIC goes, and a ClientHello of which the
    /// name was not seen may not.
    package var mayBeAnyones: Bool { host == nil && names.isEmpty && (transport != .tcp || isCut) }

    enum CodingKeys: String, CodingKey {
        case trial, at, from, to, host, names, cleartext, packets
        case isCut = "cut"
        case transport = "protocol"
        case hidesName = "hides_name"
    }

    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            trial: try keys.decode(Int.self, forKey: .trial),
            at: try keys.decode(Double.self, forKey: .at),
            transport: try keys.decode(Transport.self, forKey: .transport),
            from: try keys.decode(Endpoint.self, forKey: .from),
            to: try keys.decode(Endpoint.self, forKey: .to),
            host: try keys.decodeIfPresent(HostName.self, forKey: .host),
            hidesName: try keys.decodeIfPresent(Bool.self, forKey: .hidesName) ?? false,
            isCut: try keys.decodeIfPresent(Bool.self, forKey: .isCut) ?? false,
            names: try keys.decodeIfPresent([HostName].self, forKey: .names) ?? [],
            cleartext: try keys.decodeIfPresent(Bool.self, forKey: .cleartext) ?? false,
            packets: try keys.decode(Int.self, forKey: .packets))
    }

    func writeFields(to json: inout JSONWriter) {
        json.field("trial", trial)
        json.field("at", at)
        json.field("protocol", transport.rawValue)
        json.field("from", from.description)
        json.field("to", to.description)
        if let host { json.field("host", host.text) }
        if hidesName { json.field("hides_name", true) }
        if isCut { json.field("cut", true) }
        if !names.isEmpty { json.field("names", names.map(\.text)) }
        if cleartext { json.field("cleartext", true) }
        json.field("packets", packets)
    }
}

/// How the network was watched during one trial; without it a trial was not watched.
package struct NetworkWatched: Hashable, Sendable, Codable {
    package var trial: Int
    /// Packets that were looked at.
    package var packets: Int
    /// Flows that have no line of their own: they name nobody and go to no place that is known.
    package var others: Int
    /// Packets that the system could not hand over in time.
    package var dropped: Int
    /// Flows that were too many to follow.
    package var untracked: Int
    /// Why the watch ended early, in words.
    package var fault: String?

    /// What was not looked at may have been anything.
    package var isWhole: Bool { dropped == 0 && untracked == 0 && fault == nil }

    package init(
        trial: Int, packets: Int = 0, others: Int = 0, dropped: Int = 0, untracked: Int = 0, fault: String? = nil
    ) {
        self.trial = trial
        self.packets = packets
        self.others = others
        self.dropped = dropped
        self.untracked = untracked
        self.fault = fault
    }

    enum CodingKeys: String, CodingKey { case trial, packets, others, dropped, untracked, fault }

    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            trial: try keys.decode(Int.self, forKey: .trial),
            packets: try keys.decode(Int.self, forKey: .packets),
            others: try keys.decodeIfPresent(Int.self, forKey: .others) ?? 0,
            dropped: try keys.decodeIfPresent(Int.self, forKey: .dropped) ?? 0,
            untracked: try keys.decodeIfPresent(Int.self, forKey: .untracked) ?? 0,
            fault: try keys.decodeIfPresent(String.self, forKey: .fault))
    }

    func writeFields(to json: inout JSONWriter) {
        json.field("trial", trial)
        json.field("packets", packets)
        if others > 0 { json.field("others", others) }
        if dropped > 0 { json.field("dropped", dropped) }
        if untracked > 0 { json.field("untracked", untracked) }
        if let fault { json.field("fault", fault) }
    }
}
