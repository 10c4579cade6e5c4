import Facts

/// The network cannot be watched, as `--watch-network` asks.
package struct WatchError: ExplainedError, Hashable {
    /// As far as advice depends on it.
    package enum Obstacle: Hashable, Sendable { case system, permission, other }

    package var reason: String
    package var obstacle: Obstacle

    package init(reason: String, obstacle: Obstacle) {
        self.reason = reason
        self.obstacle = obstacle
    }

    package var cause: ErrorCause { .environment }

    package var explanations: [Explanation] {
        [Explanation("--watch-network: cannot watch the network: \(reason)", hints: hints)]
    }

    private var hints: [String] {
        let without = "without --watch-network the gate runs all the same, and its claims say that nothing was watched"
        switch obstacle {
        case .system: return ["packets can be watched on Linux only (AF_PACKET)", without]
        case .permission:
            return [
                "run the gate as root, or give it the capability: setcap cap_net_raw+ep PATH/TO/pinproof "
                    + "(in a container: --cap-add NET_RAW)", without,
            ]
        case .other: return [without]
        }
    }
}
