import Facts

/// The server's side of a SOCKS5 negotiation (RFC 1928, RFC 1929) up to CONNECT.
///
/// The caller sends each answer, drops what was consumed, and shows what is left.
package struct SOCKS5 {
    /// The reply codes of RFC 1928 §6 that this proxy sends.
    package enum Reply: UInt8, Sendable, Hashable, CaseIterable {
        case succeeded = 0
        case generalFailure = 1
        case notAllowed = 2
        case hostUnreachable = 4
        case connectionRefused = 5
        case commandNotSupported = 7
        case addressTypeNotSupported = 8
    }

    enum Progress: Hashable, Sendable {
        case needMore
        case answer([UInt8], consumed: Int)
        case connect(Endpoint, consumed: Int)
        case refused(WireError, answer: [UInt8])
    }

    private enum Stage { case greeting, password, request }
    private var stage = Stage.greeting
    private let authentication: ProxyAuthentication?
    /// Whose the credentials were.
    private(set) var result = ProxyAuthentication.Result()

    private static let version: UInt8 = 5
    private static let noAuthentication: UInt8 = 0
    private static let userAndPassword: UInt8 = 2
    private static let noAcceptableMethod: UInt8 = 0xff
    private static let connectCommand: UInt8 = 1

    init(_ authentication: ProxyAuthentication? = nil) { self.authentication = authentication }

    /// The reply to a CONNECT. The bound address is given as 0.0.0.0:0: no client needs it, and it would tell where
    /// this proxy runs.
    package static func reply(_ reply: Reply) -> [UInt8] { [version, reply.rawValue, 0, 1, 0, 0, 0, 0, 0, 0] }

    mutating func read(_ bytes: Span<UInt8>) -> Progress {
        switch stage {
        case .greeting: readGreeting(bytes)
        case .password: readPassword(bytes)
        case .request: Self.readRequest(bytes)
        }
    }

    private mutating func readGreeting(_ bytes: Span<UInt8>) -> Progress {
        var cursor = ByteCursor(0..<bytes.count, in: bytes)
        guard let version = cursor.uint8(bytes) else { return .needMore }
        guard version == Self.version else { return .refused(.unknownProtocol(firstByte: version), answer: []) }
        guard let methods = cursor.block8(bytes) else { return .needMore }
        // The plainest method will do, unless credentials tell clients apart.
        let preferred = [Self.noAuthentication, Self.userAndPassword]
        for method in authentication == nil ? preferred : preferred.reversed()
        where Self.contains(bytes, methods, method) {
            stage = method == Self.userAndPassword ? .password : .request
            return .answer([Self.version, method], consumed: cursor.at)
        }
        return .refused(.socksAuthentication, answer: [Self.version, Self.noAcceptableMethod])
    }

    /// Where nobody is told by them, any user and password will do: some clients cannot be kept from sending one.
    private mutating func readPassword(_ bytes: Span<UInt8>) -> Progress {
        var cursor = ByteCursor(0..<bytes.count, in: bytes)
        guard let version = cursor.uint8(bytes) else { return .needMore }
        guard version == 1 else { return .refused(.socksAuthentication, answer: [1, 1]) }
        guard let user = cursor.block8(bytes), let password = cursor.block8(bytes) else { return .needMore }
        if let authentication, !user.isEmpty || !password.isEmpty {
            let shown = ProxyCredentials(
                user: [UInt8](copying: bytes, user), password: [UInt8](copying: bytes, password))
            guard !authentication.mustAsk(.credentials(shown), &result) else {
                return .refused(.unknownCredentials, answer: [1, 1])
            }
        } else if authentication?.isRequired == true {
            // As good as none: like a client that offers no password, it goes on as nobody.
            result.fault = .missing
        }
        stage = .request
        return .answer([1, 0], consumed: cursor.at)
    }

    private static func readRequest(_ bytes: Span<UInt8>) -> Progress {
        var cursor = ByteCursor(0..<bytes.count, in: bytes)
        guard let version = cursor.uint8(bytes) else { return .needMore }
        guard version == Self.version else { return refused(.generalFailure) }
        guard let command = cursor.uint8(bytes) else { return .needMore }
        guard command == connectCommand else { return refused(.commandNotSupported) }
        guard cursor.uint8(bytes) != nil, let type = cursor.uint8(bytes) else { return .needMore }

        let address: Range<Int>?
        switch type {
        case 1: address = cursor.block(4)
        case 3: address = cursor.block8(bytes)
        case 4: address = cursor.block(16)
        default: return refused(.addressTypeNotSupported)
        }
        guard let address, let port = cursor.uint16(bytes) else { return .needMore }
        let text = [UInt8](copying: bytes, address)
        let host =
            type == 3 ? HostName(String(decoding: text, as: UTF8.self)) : IPAddress(bytes: text).map(HostName.init)
        guard let host, port != 0 else { return refused(.hostUnreachable) }
        return .connect(Endpoint(host, port), consumed: cursor.at)
    }

    private static func refused(_ reply: Reply) -> Progress { .refused(.socks(reply), answer: self.reply(reply)) }

    private static func contains(_ bytes: Span<UInt8>, _ range: Range<Int>, _ value: UInt8) -> Bool {
        range.contains { bytes[$0] == value }
    }
}

extension SOCKS5.Reply: CustomStringConvertible {
    package var description: String {
        switch self {
        case .succeeded: "succeeded"
        case .generalFailure: "general failure"
        case .notAllowed: "not allowed"
        case .hostUnreachable: "host unreachable"
        case .connectionRefused: "connection refused"
        case .commandNotSupported: "command not supported"
        case .addressTypeNotSupported: "address type not supported"
        }
    }
}
