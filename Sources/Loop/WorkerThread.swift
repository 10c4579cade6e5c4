#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A thread without a loop, for work that may wait: for a disk, and not for a socket.
///
/// It sleeps until it is woken or a time has passed; what it is to do is handed over by whoever made it, under a lock.
package final class WorkerThread: Sendable {
    private let alarm = Alarm()
    private let ended = Handover<Bool>()

    /// Starts the thread; it ends when `body` returns.
    package init(name: String, _ body: @escaping @Sendable (Alarm) -> Void) throws(SystemError) {
        try startThread(name: name) { [alarm, ended] in
            body(alarm)
            ended.put(true)
        }
    }

    /// Ends its sleep, or the next one if it is awake.
    package func wake() { alarm.ring() }

    /// Waits until the thread has ended. Not from the thread itself.
    package func join() { _ = ended.take() }
}

/// What a thread sleeps by: one that rings while nobody sleeps ends the next sleep at once.
@safe package final class Alarm: @unchecked Sendable {
    // Sendable: `hasRung` is only touched while `mutex` is held.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var hasRung = false

    package init() {
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
            unsafe pthread_cond_init(condition, nil)
        #else
            // A clock that is never set back: nobody sleeps for hours because someone has set the time of day.
            var attributes = pthread_condattr_t()
            unsafe pthread_condattr_init(&attributes)
            unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            unsafe pthread_cond_init(condition, &attributes)
            unsafe pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    package func ring() {
        unsafe pthread_mutex_lock(mutex)
        hasRung = true
        unsafe pthread_cond_signal(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Sleeps until it rings, or so many seconds have passed; whether it has rung.
    @discardableResult
    package func sleep(seconds: Double? = nil) -> Bool {
        let deadline = seconds.map { MonotonicClock.now + Swift.max(0, Swift.min($0, 86_400)) }
        unsafe pthread_mutex_lock(mutex)
        defer {
            hasRung = false
            unsafe pthread_mutex_unlock(mutex)
        }
        while !hasRung {
            guard let deadline else {
                unsafe pthread_cond_wait(condition, mutex)
                continue
            }
            let left = deadline - MonotonicClock.now
            guard left > 0 else { return false }
            wait(seconds: left, until: deadline)
        }
        return true
    }

    private func wait(seconds: Double, until deadline: Double) {
        #if canImport(Darwin)
            var time = timespec(seconds)
            unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time)
        #else
            var time = timespec(deadline)
            unsafe pthread_cond_timedwait(condition, mutex, &time)
        #endif
    }
}

extension timespec {
    fileprivate init(_ seconds: Double) {
        let whole = seconds.rounded(.down)
        self.init(tv_sec: Int(whole), tv_nsec: Swift.min(999_999_999, Int((seconds - whole) * 1e9)))
    }
}
