import Console
import Evidence
import Facts
import Loop
import Policy

/// Makes the client go through one cold start.
package protocol TrialDriver: Sendable {
    /// Seconds that a trial takes, where that is known beforehand.
    var secondsPerTrial: Double? { get }

    /// How progress is told beside what the driver says itself.
    var progressStyle: ProgressLine.Style { get }

    /// A person waits to hear what came of each trial.
    var isWatched: Bool { get }

    /// Returns when the client is done and its connections have ended.
    func drive(_ trial: NumberedTrial, connections: Connections) async throws -> CommandEnding
}

extension TrialDriver {
    package var isWatched: Bool { false }
}

/// What a driver may do to the connections of its trial.
package struct Connections: Sendable {
    private let proxy: any ProxyControl
    private let interruption: Interruption

    package init(proxy: any ProxyControl, interruption: Interruption) {
        self.proxy = proxy
        self.interruption = interruption
    }

    /// Waits for what is undecided, then ends the rest. False when the run was interrupted meanwhile.
    @discardableResult
    package func settleAndEnd() async -> Bool {
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
    package func cut() async { await proxy.endConnections() }
}

/// Cold starts that are runs of COMMAND.
package struct CommandDriver: TrialDriver {
    package let runner: CommandRunner
    package let environment: CommandEnvironment
    package let folder: RunFolder
    package let interruption: Interruption
    /// `--keep-state`: every start finds what the ones before it left.
    package let keepsState: Bool

    package var secondsPerTrial: Double? { nil }
    package var progressStyle: ProgressLine.Style { .announced }

    package init(
        _ runner: CommandRunner, environment: CommandEnvironment, folder: RunFolder, interruption: Interruption,
        keepsState: Bool = false
    ) {
        self.runner = runner
        self.environment = environment
        self.folder = folder
        self.interruption = interruption
        self.keepsState = keepsState
    }

    package func drive(_ trial: NumberedTrial, connections: Connections) async throws -> CommandEnding {
        let phase = trial.attack.rawValue
        defer { if !keepsState { folder.removeState(trial: trial.number) } }
        let state = try folder.makeState(
            trial: keepsState ? nil : trial.number, continuing: keepsState ? nil : trial.beginning.kept)
        var ending = try await runner.run(
            environment: environment.variables(
                trial: trial.number, phase: trial.attack, state: state,
                clock: trial.clock.map { ClientClock(at: $0, now: WallClock.now) }),
            standardOutput: folder.client(trial: trial.number, phase: phase, stream: "out"),
            standardError: folder.client(trial: trial.number, phase: phase, stream: "err"),
            interruption: interruption,
            hooks: CommandRunner.Hooks(
                ended: { await connections.settleAndEnd() }, endingByForce: { await connections.cut() }))
        if let fault = ending.outputFault { throw fault }
        if !keepsState {
            // One that cannot be looked into holds something; one that COMMAND has removed does not.
            ending.leftState = Files.kind(state) != nil && Files.isEmpty(state) != true
            if ending.leftState, let kept = trial.kept {
                // No reason to end a run; but what a later start makes of it is not known then, and nothing is proven.
                do throws(FileError) {
                    try folder.keepState(of: trial.number, as: kept, unlessKept: !kept.isReplaced(by: trial))
                } catch {
                    ending.stateFault = Printable.excerpt("\(error)", limit: TrialEnd.stateFaultLimit)
                }
            }
        }
        return ending
    }
}

extension NumberedTrial {
    /// As what its state is kept, for a later start to go on from; nil: for none.
    fileprivate var kept: RunFolder.KeptState? {
        switch attack {
        case .passthrough: .untouched
        case .trustedCA: .attacked
        default: nil
        }
    }
}

extension Conduct.Beginning {
    fileprivate var kept: RunFolder.KeptState? {
        switch self {
        case .anew: nil
        case .afterUntouched: .untouched
        case .afterAttacked: .attacked
        }
    }
}

extension RunFolder.KeptState {
    /// The latest untouched start's is as good as any; of those under attack one that went on from an earlier start has more to
    /// remember than one that began with nothing.
    fileprivate func isReplaced(by trial: NumberedTrial) -> Bool {
        switch self {
        case .untouched: true
        case .attacked: trial.beginning != .anew
        }
    }
}
