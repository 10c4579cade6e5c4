import Foundation
import Testing

@testable import Loop

/// The handlers are the whole process's: one test at a time may set them.
@Suite("what libevent says", .serialized)
struct LibeventMessagesTests {
    @Test("a warning goes to its handler, and not to stderr")
    func warning() throws {
        let heard = Locked<[String]>([])
        LibeventMessages.hand(
            to: LibeventMessages.Handlers(
                warned: { text in heard.withLock { $0.append(text) } }, failed: { _ in ProcessControl.end(99) }))
        let loop = try EventLoop()
        // Nobody can poll a descriptor that is not open: libevent says so when the loop turns.
        let event = try ReadableEvent(on: loop, descriptor: 1_000_000) {}
        let timer = LoopTimer(on: loop, every: 0.001) { loop.stop() }
        withExtendedLifetime((event, timer)) { loop.run() }
        #expect(heard.withLock { $0.contains { $0.contains("1000000") } })
    }

    @Test("its last words are handed on, and the process ends as its handler says")
    func lastWords() async {
        await #expect(processExitsWith: .exitCode(3)) {
            LibeventMessages.hand(
                to: LibeventMessages.Handlers(
                    warned: { _ in },
                    failed: { $0 == "socketpair: too many" ? ProcessControl.end(3) : ProcessControl.end(4) }))
            LibeventMessages.logged(3, "socketpair: too many")
            LibeventMessages.failed(1)
        }
    }
}

@Test("a loop that cannot have its descriptors is an error, and not the end of the process")
func loopWithoutDescriptors() async {
    await #expect(processExitsWith: .exitCode(7)) {
        LibeventMessages.hand(to: LibeventMessages.Handlers(warned: { _ in }, failed: { _ in ProcessControl.end(3) }))
        // Takes all that there are.
        while unsafe open("/dev/null", O_RDONLY) >= 0 {}
        do { _ = try EventLoop() } catch {
            ProcessControl.end((error as? SystemError)?.isOutOfDescriptors == true ? 7 : 8)
        }
    }
}
