import Loop
import Proxy

/// Waits for a probe's answer, on a loop of its own.
enum ServerChain {
    static func ask(_ probe: ChainProbe) async -> ChainProbe.Answer {
        let answer = Locked<ChainProbe.Answer>(.failed("the probe's thread did not start"))
        guard let thread = try? LoopThread<State>(name: "probe", makeState: { State(loop: $0) }) else {
            return answer.withLock { $0 }
        }
        await thread.run { state, done in
            let call = ChainCall(probe, on: state.loop) { result in
                answer.withLock { $0 = result }
                done()
            }
            state.call = call
            call.start()
        }
        thread.stop { $0.call = nil }
        return answer.withLock { $0 }
    }

    private final class State {
        let loop: EventLoop
        var call: ChainCall?
        init(loop: EventLoop) { self.loop = loop }
    }
}
