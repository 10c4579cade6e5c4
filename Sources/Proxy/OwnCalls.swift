import Loop
import Wire

/// The ClientHellos that this proxy sent, on all loops, and whose connections still stand.
///
/// One that comes in is a call of our own that has come back, by whatever way: the proxy would call itself until
/// memory or descriptors are gone.
final class OwnCalls: Sendable {
    /// One of them; forgotten when nobody holds it any more.
    final class Call: Sendable {
        private let calls: OwnCalls
        private let random: HelloRandom

        fileprivate init(_ calls: OwnCalls, _ random: HelloRandom) {
            self.calls = calls
            self.random = random
        }

        deinit { calls.randoms.withLock { $0.remove(random) } }
    }

    private let randoms = Locked(HelloRandoms())

    /// Called before the hello goes out; nil where it is known already, or too many are.
    func begin(_ random: HelloRandom) -> Call? {
        randoms.withLock { $0.insert(random) } ? Call(self, random) : nil
    }

    func isOwn(_ random: HelloRandom) -> Bool { randoms.withLock { $0.contains(random) } }
}
