/// Makes the client go through one cold start.
public protocol TrialDriver: Sendable {
    /// Seconds that a trial takes, where that is known beforehand.
    var secondsPerTrial: Double? { get }

    /// How progress is told beside what the driver says itself.
    var progressStyle: ProgressLine.Style { get }

    /// Returns when the client is done and its connections have ended.
    func drive(_ trial: NumberedTrial, connections: Connections) async throws(GateError) -> CommandEnding
}

/// What a driver may do to the connections of its trial.
public struct Connections: Sendable {
    private let proxy: any ProxyControl
    private let interruption: Interruption

    public init(proxy: any ProxyControl, interruption: Interruption) {
        self.proxy = proxy
        self.interruption = interruption
    }

    /// Waits for what is undecided, then ends the rest. False when the run was interrupted meanwhile.
    @discardableResult
    public func settleAndEnd() async -> Bool {
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await proxy.settle() }
            tasks.addTask { await interruption.wait() }
            await tasks.next()
            tasks.cancelAll()
            // Inside the group: with nothing left that is undecided, an interrupted settling returns as well.
            await proxy.endConnections()
        }
        return await !interruption.isRequested
    }

    /// Ends all of them, undecided or not.
    public func cut() async { await proxy.endConnections() }
}

/// Cold starts that are runs of COMMAND.
public struct CommandDriver: TrialDriver {
    public let runner: CommandRunner
    public let environment: CommandEnvironment
    public let folder: RunFolder
    public let interruption: Interruption

    public var secondsPerTrial: Double? { nil }
    public var progressStyle: ProgressLine.Style { .announced }

    public init(
        _ runner: CommandRunner, environment: CommandEnvironment, folder: RunFolder, interruption: Interruption
    ) {
        self.runner = runner
        self.environment = environment
        self.folder = folder
        self.interruption = interruption
    }

    public func drive(_ trial: NumberedTrial, connections: Connections) async throws(GateError) -> CommandEnding {
        let phase = trial.attack.rawValue
        let ending = try await runner.run(
            environment: environment.variables(trial: trial.number, phase: trial.attack),
            standardOutput: folder.client(trial: trial.number, phase: phase, stream: "out"),
            standardError: folder.client(trial: trial.number, phase: phase, stream: "err"),
            interruption: interruption,
            hooks: CommandRunner.Hooks(
                ended: { await connections.settleAndEnd() }, endingByForce: { await connections.cut() }))
        if let fault = ending.outputFault { throw fault }
        return ending
    }
}
