import CEvent
import CLoop

/// One libevent base and what hangs on it; lives and dies on one thread.
@safe package final class EventLoop {
    let base: OpaquePointer
    /// Where every socket of this loop is read into: one buffer for all, as only one is read at a time.
    let readBuffer: UnsafeMutableBufferPointer<UInt8>
    private var dns: OpaquePointer?
    /// Names that are being looked up.
    var lookups: [ObjectIdentifier: Lookup] = [:]
    /// A file like resolv.conf that is read instead of the system's; for tests, which ask name servers of their own.
    var resolvConf: String?

    /// Four full TLS records: fewer system calls for bulk, and still inside the L2 cache.
    static let readBufferSize = 64 * 1024

    /// What a base opens: the poll, and a pair that its signals would come by.
    private static let descriptors = 3

    package init() throws(SystemError) {
        pp_keep_event_slots()
        // libevent does not return from a base whose descriptors it cannot get.
        do throws(DescriptorShortage) { try DescriptorLimit.requireFree(Self.descriptors) } catch {
            throw SystemError("event_base_new", EMFILE)
        }
        guard let configuration = unsafe event_config_new() else { throw SystemError("event_config_new", ENOMEM) }
        defer { unsafe event_config_free(configuration) }
        // One thread per base, so no locks; the changelist folds the add and delete of a short life into one call.
        unsafe event_config_set_flag(
            configuration, Int32(EVENT_BASE_FLAG_NOLOCK.rawValue | EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST.rawValue))
        guard let base = unsafe event_base_new_with_config(configuration) else {
            throw SystemError("event_base_new", ENOMEM)
        }
        unsafe self.base = base
        unsafe readBuffer = .allocate(capacity: Self.readBufferSize)
        unsafe readBuffer.initialize(repeating: 0)
    }

    deinit {
        if let dns = unsafe dns {
            // libevent forgets what is under way without freeing it, and what it calls then must find the resolver alive.
            for lookup in lookups.values { lookup.cancel() }
            unsafe event_base_loop(base, EVLOOP_NONBLOCK)
            unsafe evdns_base_free(dns, 0)
        }
        unsafe event_base_free(base)
        unsafe readBuffer.deallocate()
    }

    /// Runs until `stop`.
    package func run() { unsafe event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY) }

    package func stop() { unsafe event_base_loopbreak(base) }

    /// The resolver, made when the first name has to be looked up: reading resolv.conf costs time at start.
    func resolver() -> OpaquePointer? {
        if unsafe dns == nil, let resolvConf, let own = unsafe evdns_base_new(base, 0) {
            _ = unsafe evdns_base_resolv_conf_parse(own, DNS_OPTION_NAMESERVERS | DNS_OPTION_MISC, resolvConf)
            unsafe dns = own
        }
        if unsafe dns == nil {
            unsafe dns = evdns_base_new(base, Int32(EVDNS_BASE_INITIALIZE_NAMESERVERS))
            // No name server configured: names in /etc/hosts still resolve.
            if unsafe dns == nil, let bare = unsafe evdns_base_new(base, 0) {
                unsafe evdns_base_load_hosts(bare, "/etc/hosts")
                unsafe dns = bare
            }
        }
        return unsafe dns
    }

    /// libevent's blocks that lie apart from all others (Sources/CLoop/slots.c); nil where they do not.
    static var slotsInUse: Int? {
        let count = pp_event_slots_in_use()
        return count < 0 ? nil : count
    }

    package static var libeventVersion: String { unsafe String(cString: event_get_version()) }
}

/// Fires repeatedly on its loop until it is released.
@safe package final class LoopTimer {
    private var event: OpaquePointer?
    private let loop: EventLoop
    fileprivate let action: () -> Void

    /// - Parameter seconds: the interval; the first firing is one interval from now.
    package init(on loop: EventLoop, every seconds: Double, _ action: @escaping () -> Void) {
        self.loop = loop
        self.action = action
        // C keeps this pointer until event_free, which deinit calls first.
        unsafe event = event_new(
            loop.base, -1, Int16(EV_PERSIST), timerFired, Unmanaged.passUnretained(self).toOpaque())
        var interval = timeval()
        interval.tv_sec = time_t(seconds)
        interval.tv_usec = suseconds_t((seconds - seconds.rounded(.down)) * 1e6)
        if let event = unsafe event { unsafe pp_event_add(event, &interval) }
    }

    deinit { if let event = unsafe event { unsafe event_free(event) } }
}

private func timerFired(_: Int32, _: Int16, context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    let timer = unsafe Unmanaged<LoopTimer>.fromOpaque(context).takeUnretainedValue()
    withExtendedLifetime(timer) { timer.action() }
}
