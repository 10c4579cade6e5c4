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

    /// What a proxy needs.
    package static func proxy(loops: Int, listeners: Int) -> Int {
        standing + loops * loop + listeners + others + connections
    }
}
