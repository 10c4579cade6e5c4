#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How many files and sockets this process may have open.
package enum DescriptorLimit {
    /// Two for each intercepted connection: more connections than loopback has ports for. Not without end, as every
    /// program we start inherits it, and some close all numbers up to it, one by one, before they begin.
    private static let wanted: rlim_t = 65_536

    /// Raises the soft limit as far as the hard one and `wanted` allow; never lowers it. Returns what is in force.
    @discardableResult
    package static func raise() -> Int {
        guard var limit = read() else { return 0 }
        let goal = min(limit.rlim_max, wanted)
        guard limit.rlim_cur < goal else { return Int(clamping: limit.rlim_cur) }
        let before = limit.rlim_cur
        limit.rlim_cur = goal
        return Int(clamping: unsafe setrlimit(resource, &limit) == 0 ? goal : before)
    }

    /// Raises the limit, and throws where it stays below `count`.
    package static func require(_ count: Int) throws(DescriptorShortage) {
        let limit = raise()
        guard limit >= count else { throw DescriptorShortage(needed: count, limit: limit) }
    }

    /// Throws unless `count` more can be opened now, which is found out by opening them.
    package static func requireFree(_ count: Int) throws(DescriptorShortage) {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < count {
            let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
            // Without a stderr nothing can be tried, and nothing is known against it.
            guard descriptor >= 0 || errno == EBADF else {
                throw DescriptorShortage(needed: count, limit: nil)
            }
            if descriptor < 0 { return }
            opened.append(descriptor)
        }
    }

    private static func read() -> rlimit? {
        var limit = rlimit()
        return unsafe getrlimit(resource, &limit) == 0 ? limit : nil
    }

    /// How many may be open.
    package static var current: Int { read().map { Int(clamping: $0.rlim_cur) } ?? 0 }

    /// How many are open now; nil where the system does not tell.
    package static var inUse: Int? {
        guard let folder = unsafe opendir("/dev/fd") else { return nil }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // Not the folder itself, its parent, nor the descriptor that it is read with.
        return max(0, count - 3)
    }

    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let resource = RLIMIT_NOFILE
    #endif
}
