import CEvent
import CLoop

/// A thread that runs one event loop, and the only door to it from other threads.
///
/// `State` is what lives on the loop (a worker with its connections). It is made on the thread, never leaves it, and
/// need not be Sendable: jobs are handed in and run there, in order.
package final class LoopThread<State>: Sendable {
    private let inbox: Inbox<State>
    private let name: String

    /// Starts the thread and waits until `makeState` has returned there.
    package init(name: String, makeState: @escaping @Sendable (EventLoop) throws -> State) throws {
        self.name = name
        let inbox = try Inbox<State>()
        self.inbox = inbox
        let started = Handover<(any Error)?>()
        try startThread(name: name) {
            do {
                let loop = try EventLoop()
                let state = try makeState(loop)
                let wakeup = try ReadableEvent(on: loop, descriptor: inbox.readEnd) {
                    if !inbox.drain(state) { loop.stop() }
                }
                started.put(nil)
                withExtendedLifetime(wakeup) { loop.run() }
            } catch {
                started.put(error)
            }
        }
        if let error = started.take() { throw error }
    }

    /// Runs `job` on the loop, after the jobs submitted before it; false after `stop`, when it is dropped.
    @discardableResult
    package func submit(_ job: @escaping @Sendable (State) -> Void) -> Bool { inbox.submit(job) }

    /// Runs `job` on the loop and waits for what it returns; throws at once after `stop`. Not from the loop's own
    /// thread.
    package func call<Value: Sendable>(_ job: @escaping @Sendable (State) throws -> Value) throws -> Value {
        let answer = Handover<Result<Value, any Error>>()
        guard submit({ state in answer.put(Result { try job(state) }) }) else { throw SystemError("call", ECANCELED) }
        return try answer.take().get()
    }

    /// Runs `job` on the loop and resumes when it calls back; at once after `stop`.
    package func run(_ job: @escaping @Sendable (State, _ done: @escaping @Sendable () -> Void) -> Void) async {
        await withCheckedContinuation { continuation in
            if !submit({ state in job(state) { continuation.resume() } }) { continuation.resume() }
        }
    }

    /// Ends the loop; `last` runs there after all earlier jobs. Returns at once.
    package func stop(_ last: @escaping @Sendable (State) -> Void = { _ in }) {
        _ = inbox.submit(last)
        inbox.stop()
    }
}

/// Jobs on their way to a loop: a lock and a descriptor that wakes it.
final class Inbox<State>: Sendable {
    private struct Contents {
        var jobs: [@Sendable (State) -> Void] = []
        var isWoken = false
        var isStopping = false
    }

    private let contents = Locked(Contents())
    let readEnd: Int32
    private let writeEnd: Int32

    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        let result = unsafe ends.withUnsafeMutableBufferPointer { unsafe pp_wakeup_open($0.baseAddress) }
        guard result == 0 else { throw SystemError("eventfd") }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        close(readEnd)
        if writeEnd != readEnd { close(writeEnd) }
    }

    func submit(_ job: @escaping @Sendable (State) -> Void) -> Bool {
        let (isTaken, mustWake) = contents.withLock { contents in
            guard !contents.isStopping else { return (false, false) }
            contents.jobs.append(job)
            defer { contents.isWoken = true }
            return (true, !contents.isWoken)
        }
        if mustWake { wake() }
        return isTaken
    }

    func stop() {
        contents.withLock { $0.isStopping = true }
        wake()
    }

    /// Runs what has come in; false when the loop is to end. On the loop's thread.
    func drain(_ state: State) -> Bool {
        var counter: UInt64 = 0
        unsafe read(readEnd, &counter, MemoryLayout<UInt64>.size)
        let (jobs, isStopping) = contents.withLock { contents in
            defer {
                contents.jobs = []
                contents.isWoken = false
            }
            return (contents.jobs, contents.isStopping)
        }
        for job in jobs { job(state) }
        return !isStopping
    }

    private func wake() {
        var one: UInt64 = 1
        // A full pipe is a pipe that already wakes.
        unsafe write(writeEnd, &one, MemoryLayout<UInt64>.size)
    }
}

/// Calls back on the loop when a descriptor becomes readable.
@safe final class ReadableEvent {
    private var event: OpaquePointer?
    private let loop: EventLoop
    fileprivate let action: () -> Void

    init(on loop: EventLoop, descriptor: Int32, _ action: @escaping () -> Void) throws(SystemError) {
        self.loop = loop
        self.action = action
        // C keeps this pointer until event_free, which deinit calls first.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe event = event_new(loop.base, descriptor, Int16(EV_READ | EV_PERSIST), descriptorReadable, context)
        guard let event = unsafe event, unsafe pp_event_add(event, nil) == 0 else {
            throw SystemError("event_add", ENOMEM)
        }
    }

    deinit { if let event = unsafe event { unsafe event_free(event) } }
}

private func descriptorReadable(_: Int32, _: Int16, context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    let event = unsafe Unmanaged<ReadableEvent>.fromOpaque(context).takeUnretainedValue()
    withExtendedLifetime(event) { event.action() }
}

/// One value on its way from one thread to one other that waits for it.
@safe final class Handover<Value: Sendable>: @unchecked Sendable {
    // Sendable: `value` is only touched while `mutex` is held.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value?

    init() {
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    func put(_ value: Value) {
        unsafe pthread_mutex_lock(mutex)
        self.value = value
        unsafe pthread_cond_signal(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    func take() -> Value {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let value { return value }
            unsafe pthread_cond_wait(condition, mutex)
        }
    }
}

/// Starts a detached thread.
func startThread(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let context = unsafe Unmanaged.passRetained(ThreadBody(name: name, body: body)).toOpaque()
    #if canImport(Darwin)
        var thread: pthread_t?
    #else
        var thread = pthread_t()
    #endif
    let result = unsafe pthread_create(&thread, nil, { unsafe threadMain($0) }, context)
    guard result == 0 else {
        unsafe Unmanaged<ThreadBody>.fromOpaque(context).release()
        throw SystemError("pthread_create", result)
    }
    #if canImport(Darwin)
        if let thread { pthread_detach(thread) }
    #else
        pthread_detach(thread)
    #endif
}

private final class ThreadBody {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let thread = unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
    unsafe pp_name_thread(String(thread.name.prefix(15)))
    thread.body()
    return nil
}
