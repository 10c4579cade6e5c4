import Facts

/// Whom the requests of one connection ask, HTTP/1 or HTTP/2, read in passing.
///
/// It judges nothing and keeps no more than names. What it cannot follow it says of itself (`isIncomplete`).
package struct RequestHosts {
    /// In the order in which they were asked first.
    package private(set) var hosts: [HostName] = []
    /// Some request's host, or where the next one begins, cannot be told: another protocol, or more than is read.
    package private(set) var isIncomplete = false

    /// Different hosts on one connection; who asks for more is a proxy.
    package static let hostLimit = 8
    /// Of a head; servers take 8 to 16 KiB.
    package static let headLimit = 64 * 1024

    private var framing = HTTPMessageFraming(asReceivers: true)
    /// No byte of the next request has come.
    private var isBetween = true
    /// What the last Host field said that named a host, which most say again.
    private var lastField: [UInt8] = []
    /// What has come of a head.
    private var head: [UInt8] = []

    /// nil once it is told that this is no HTTP/2.
    private var http2: HTTP2RequestHosts? = HTTP2RequestHosts()
    /// What has come while it may be HTTP/2's preface: 24 bytes at the most.
    private var opening: [UInt8] = []

    package init() {}

    /// A request has begun, and its head is not over: whom it asks is not known.
    package var isInHead: Bool { !head.isEmpty || !opening.isEmpty }

    package mutating func read(_ bytes: Span<UInt8>) {
        guard var reader = http2 else { return readHTTP1(bytes) }
        // While it is here, nobody else holds it.
        http2 = nil
        let hadBegun = reader.hasBegun
        reader.read(bytes)
        guard hadBegun || reader.hasBegun || !reader.hasLost else {
            let held = opening
            opening = []
            readHTTP1(held.span)
            return readHTTP1(bytes)
        }
        if reader.hasBegun { opening = [] } else { opening.append(copying: bytes, 0..<bytes.count) }
        for field in reader.take() { note(HostPort.endpoint(field[...], defaultPort: 443)?.host) }
        if reader.hasLost { lose() }
        http2 = reader
    }

    private mutating func readHTTP1(_ bytes: Span<UInt8>) {
        var at = 0
        while at < bytes.count, !isIncomplete {
            let wasInHead = framing.isInHead
            let rest = bytes.extracting(at...)
            if isBetween, let plain = PlainRequestHead(rest) {
                note(plain, in: rest)
                at += plain.count
                continue
            }
            isBetween = false
            // Head and content one after the other: a fault of the content's is none of the head's.
            let count = framing.next(rest).count
            if wasInHead { head.append(copying: rest, 0..<min(count, Self.headLimit)) }
            if framing.fault != nil || head.count > 2 * Self.headLimit { return lose() }
            if wasInHead, !framing.isInHead { note() }
            if framing.isComplete {
                framing = HTTPMessageFraming(asReceivers: true)
                isBetween = true
            }
            at += count
            if count == 0 { return lose() }
        }
    }

    private mutating func note(_ plain: PlainRequestHead, in bytes: Span<UInt8>) {
        guard let range = plain.host else { return lose() }
        let field = bytes.extracting(range)
        if lastField.count == field.count, !lastField.isEmpty, field.indices.allSatisfy({ field[$0] == lastField[$0] })
        {
            return
        }
        var value: [UInt8] = []
        value.append(copying: field, 0..<field.count)
        let host = HostPort.endpoint(value[...], defaultPort: 80)?.host
        note(host)
        // Of those that are longer than a name nothing is kept.
        lastField = host != nil && value.count <= 512 ? value : []
    }

    private mutating func note() {
        // Servers pass over empty lines before a request (RFC 9112 §2.2).
        let lines = head.prefix(framing.headLength).split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
        ).drop { $0.allSatisfy { $0 == UInt8(ascii: "\r") } }
        head = []
        switch lines.first.map(RequestTarget.init(in:)) {
        case .tunnel: lose()
        case .absolute(let host): note(host)
        case .origin, nil: note(HostField.host(in: lines.dropFirst()))
        }
    }

    private mutating func note(_ host: HostName?) {
        guard let host else { return lose() }
        guard !hosts.contains(host) else { return }
        guard hosts.count < Self.hostLimit else { return lose() }
        hosts.append(host)
    }

    private mutating func lose() {
        isIncomplete = true
        head = []
    }
}
