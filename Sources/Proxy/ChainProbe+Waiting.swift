import Facts
import Loop

extension ChainProbe {
    /// Asks on a loop of its own, and waits for the answer.
    package func ask() async -> Answer {
        let answer = Locked<Answer>(.failed("the probe's thread did not start"))
        guard let thread = try? LoopThread<Caller>(name: "probe", makeState: { Caller(loop: $0) }) else {
            return answer.withLock { $0 }
        }
        await thread.run { caller, done in
            let call = ChainCall(self, on: caller.loop) { result in
                answer.withLock { $0 = result }
                done()
            }
            caller.call = call
            call.start()
        }
        thread.stop { $0.call = nil }
        return answer.withLock { $0 }
    }

    /// All addresses of a name, on a loop of its own; none where it has none, or nobody says it in time.
    package static func addresses(of place: Endpoint, within limit: Double) async -> [Endpoint] {
        let found = Locked<[Endpoint]>([])
        guard let thread = try? LoopThread<Caller>(name: "names", makeState: { Caller(loop: $0) }) else { return [] }
        await thread.run { caller, done in
            var done: (() -> Void)? = done
            let end = {
                done?()
                done = nil
            }
            caller.timer = LoopTimer(on: caller.loop, every: limit) { end() }
            caller.loop.resolve(place) { result in
                if case .success(let addresses) = result {
                    found.withLock { $0 = addresses.map(\.endpoint) }
                }
                end()
            }
        }
        thread.stop {
            $0.call = nil
            $0.timer = nil
        }
        return found.withLock { $0 }
    }

    private final class Caller {
        let loop: EventLoop
        var call: ChainCall?
        var timer: LoopTimer?
        init(loop: EventLoop) { self.loop = loop }
    }
}
