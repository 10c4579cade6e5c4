import Loop
import Policy
import TLS
import Testing

@testable import Proxy

/// The ways in which a connection goes through the proxy, each with the same faults.
enum FaultWay: CaseIterable {
    /// The gate leaves it alone.
    case tunnel
    /// The gate attacks it.
    case gate
    /// The debugging proxy reads it.
    case debugging

    /// - Parameter tap: who looks on in the debugging proxy.
    func bench(_ origin: ScriptedOrigin, _ pki: TestPKI, tap: ExchangeRecorder? = nil) throws -> ProxyBench {
        try ProxyBench(
            ["api.test": origin.address], trusting: [pki.authority.root], attack: self == .gate ? .trustedCA : nil
        ) { configuration in
            guard self == .debugging else { return }
            configuration.plan = Plan(profile: configuration.plan.profile, phase: .debugging)
            configuration.tap = tap
        }
    }

    /// What is said within TLS is read by the proxy.
    var isRead: Bool { self != .tunnel }
}

/// Whether this one is the first, and so the one that goes wrong.
func isFirst(_ count: Locked<Int>) -> Bool {
    count.withLock { count in
        count += 1
        return count == 1
    }
}

extension ProxyBench {
    /// Whoever comes next is served.
    func expectService() throws {
        let next = try visitor()
        try next.write(request)
        #expect(String(decoding: try next.readToCloseNotify(), as: UTF8.self).hasSuffix("genuine\n"))
        next.socket.close()
    }
}
