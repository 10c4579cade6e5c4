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

    private final class Caller {
        let loop: EventLoop
        var call: ChainCall?
        init(loop: EventLoop) { self.loop = loop }
    }
}
