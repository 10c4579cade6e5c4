import Facts

/// Which host the first bytes of a connection name, read in passing.
package enum SpokenName: Hashable, Sendable {
    /// A whole ClientHello. `hidesName`: it offers ECH, real or GREASE, so the name may be the outer one.
    case tls(HostName?, hidesName: Bool)
    /// The beginning of a ClientHello, and the name where that is in it: what follows may hide another.
    case cut(HostName?)
    /// A request in the clear.
    case http(HostName?)
    /// Neither, or not all of it.
    case unreadable

    /// Where a Host field is looked for: it stands among the first, and a segment holds little more.
    private static let headLimit = 4096
    private static let methods = ["GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "PRI"]
        .map { Array($0.utf8) }

    package init(reading bytes: [UInt8]) {
        if bytes.first == 22 {
            var parser = ClientHelloParser()
            switch parser.read(bytes) {
            case .complete(let hello): self = .init(hello)
            case .needMore: self = CutHello(bytes).map { .cut($0.name) } ?? .unreadable
            case .notTLS, .malformed: self = .unreadable
            }
        } else {
            self = Self.http(bytes.prefix(Self.headLimit))
        }
    }

    package init(_ hello: ClientHello) { self = .tls(hello.sni, hidesName: hello.offersECH) }

    /// CONNECT is left out: it is for a proxy, and names whom the proxy is to call.
    private static func http(_ bytes: ArraySlice<UInt8>) -> SpokenName {
        guard let space = bytes.prefix(8).firstIndex(of: UInt8(ascii: " ")),
            methods.contains(Array(bytes[..<space]))
        else { return .unreadable }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The last line may be cut.
        return .http(HostField.host(in: lines.dropFirst().dropLast()))
    }
}
