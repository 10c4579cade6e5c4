import CEvent

/// The C library's heap.
package enum Heap {
    /// Gives pages that nothing lies in any more back to the system, on a thread of its own, which may take a while.
    package static func giveBack() {
        // Without a thread everything stays as it is: nothing depends on it.
        _ = try? WorkerThread(name: "heap") { _ in pp_give_back_heap() }
    }
}
