/// How many files and sockets this process may have open.
package enum DescriptorLimit {
    /// Two for each intercepted connection: more connections than loopback has ports for. Not without end, as every
    /// program we start inherits it, and some close all numbers up to it, one by one, before they begin.
    private static let wanted: rlim_t = 65_536

    /// Raises the soft limit as far as the hard one and `wanted` allow; never lowers it. Returns what is in force.
    @discardableResult
    package static func raise() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return 0 }
        let goal = min(limit.rlim_max, wanted)
        guard limit.rlim_cur < goal else { return Int(clamping: limit.rlim_cur) }
        let before = limit.rlim_cur
        limit.rlim_cur = goal
        return Int(clamping: unsafe setrlimit(resource, &limit) == 0 ? goal : before)
    }

    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let resource = RLIMIT_NOFILE
    #endif
}
