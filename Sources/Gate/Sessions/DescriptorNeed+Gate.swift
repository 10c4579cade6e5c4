import Console

extension DescriptorNeed {
    /// The self-test's origin and client with their loops, and both ends of their connections.
    private static let selfTest = 14

    /// What a gate needs, whose self-test is over when COMMAND is run for the first time.
    ///
    /// - Parameter hasOrigin: the demo has an origin like the self-test's all the time.
    static func gate(listeners: Int, hasOrigin: Bool = false) -> Int {
        proxy(loops: GateSession.loops, listeners: listeners) + max(selfTest, CommandRunner.descriptors)
            + (hasOrigin ? selfTest : 0)
    }
}
