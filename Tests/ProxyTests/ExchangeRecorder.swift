import Facts
import Loop

@testable import Proxy

/// Keeps what each connection carried.
final class ExchangeRecorder: ExchangeTap {
    struct Seen {
        var facts: ExchangeConnection
        var up: [UInt8] = []
        var down: [UInt8] = []
        var clientEnds = 0
        var ends = 0
        var isAnswerLost = false
        var close: Observation.Close?
    }

    let seen = Locked<[Seen]>([])

    func began(_ connection: ExchangeConnection) -> (any ExchangeListener)? {
        Follower(
            self,
            seen.withLock { seen in
                seen.append(Seen(facts: connection))
                return seen.count - 1
            })
    }

    private final class Follower: ExchangeListener {
        let recorder: ExchangeRecorder
        let index: Int

        init(_ recorder: ExchangeRecorder, _ index: Int) {
            self.recorder = recorder
            self.index = index
        }

        func passed(_ bytes: Span<UInt8>, _ direction: ExchangeDirection, at now: Double) {
            var copy: [UInt8] = []
            copy.append(copying: bytes)
            recorder.seen.withLock { seen in
                switch direction {
                case .up: seen[index].up += copy
                case .down: seen[index].down += copy
                }
            }
        }

        // Once of close_notify, once of the FIN.
        func clientEnded(at now: Double) { recorder.seen.withLock { $0[index].clientEnds += 1 } }

        func ended(_ close: Observation.Close?, isAnswerLost: Bool, at now: Double) {
            recorder.seen.withLock { seen in
                seen[index].ends += 1
                seen[index].isAnswerLost = isAnswerLost
                seen[index].close = close
            }
        }
    }
}
