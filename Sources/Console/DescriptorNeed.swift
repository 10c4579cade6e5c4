/// Files and sockets that a session has open at once, before a single client comes.
package enum DescriptorNeed {
    /// What every command can do with; it is asked for before the command is known.
    package static let anything = 24

    /// Standard streams, and what the runtime waits for timers and signals by.
    private static let standing = 14
    /// A poll, the pair that its signals would come by, and the inbox.
    private static let loop = 4
    /// Name servers, the evidence, a chain or a report that is being written.
    private static let others = 6
    /// Four intercepted connections at a time: with fewer no client gets anywhere.
    private static let connections = 8

    /// A store with its log, once for the one that writes and for each of four that read, its lock and its index; the
    /// recorder's thread and the terminal's.
    private static let recording = 22

    /// What a proxy needs.
    ///
    /// - Parameter records: it keeps flows in a store.
    package static func proxy(loops: Int, listeners: Int, records: Bool = false) -> Int {
        standing + loops * loop + listeners + others + connections + (records ? recording : 0)
    }
}
