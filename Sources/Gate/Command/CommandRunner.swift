import Console
import Loop
import Subprocess

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// How one run of COMMAND ended.
package struct CommandEnding: Sendable, Hashable {
    /// Its exit status; nil when a signal ended it.
    package var exit: Int?
    package var signal: Int?
    package var timedOut = false
    package var interrupted = false
    package var seconds = 0.0
    /// The app left something in a PINPROOF_STATE of this start's own.
    package var leftState = false
    /// As `TrialEnd` has it.
    package var stateFault: String?
    /// As `TrialEnd` has it.
    package var lastError: String?
    /// Why its output could not be kept whole.
    package var outputFault: FileError?

    package init() {}
}

/// Runs COMMAND in a process group of its own, and leaves nothing of it behind.
///
/// Its time and its output are bounded.
package struct CommandRunner: Sendable {
    /// What the gate does at the two moments that matter to the connections.
    package struct Hooks: Sendable {
        /// COMMAND has ended by itself: wait for what is undecided, then end the rest.
        package var ended: @Sendable () async -> Void
        /// The group is about to be ended by force: mark its connections as cut by the gate first.
        package var endingByForce: @Sendable () async -> Void

        package init(ended: @escaping @Sendable () async -> Void, endingByForce: @escaping @Sendable () async -> Void) {
            self.ended = ended
            self.endingByForce = endingByForce
        }
    }

    package let command: Command
    package var timeLimit: Duration
    /// Between TERM and KILL.
    package var grace: Duration
    /// Bytes kept of each stream.
    package var outputLimit: Int
    /// Told which group runs.
    package let running: RunningCommand

    package init(
        _ command: Command, timeLimit: Duration, grace: Duration = .seconds(2), outputLimit: Int? = nil,
        running: RunningCommand = RunningCommand()
    ) {
        self.running = running
        self.command = command
        self.timeLimit = timeLimit
        self.grace = grace
        self.outputLimit = outputLimit ?? OutputFile.defaultLimit
    }

    /// What starting it takes for a moment: /dev/null, a pipe for each stream and one for the news from exec, what
    /// the library watches processes and pipes by, and the two files.
    static let descriptors = 16

    private enum Event: Sendable {
        case exited, deadline, interrupted, graceOver
        case copied(FileError?)
    }

    /// Runs it once. Its stdin is /dev/null, its output goes to the two files.
    package func run(
        environment: [String: String], standardOutput: String, standardError: String, interruption: Interruption,
        hooks: Hooks
    ) async throws(GateError) -> CommandEnding {
        let started = MonotonicClock.now
        // A process that was half started for want of pipes would be a verdict about nothing.
        do throws(DescriptorShortage) { try DescriptorLimit.requireFree(Self.descriptors) } catch {
            throw .commandNotStarted(command.path, reason: error.description)
        }
        defer { running.ended() }
        var options = PlatformOptions()
        options.processGroupID = 0
        var updates: [Environment.Key: String?] = [:]
        for (name, value) in environment { if let key = Environment.Key(rawValue: name) { updates[key] = value } }
        let files = (
            OutputFile(path: standardOutput, limit: outputLimit), OutputFile(path: standardError, limit: outputLimit)
        )
        do {
            let result = try await Subprocess.run(
                .path(FilePath(command.path)),
                arguments: Arguments(
                    executablePathOverride: command.words.first, remainingValues: Array(command.words.dropFirst())),
                environment: .inherit.updating(updates), platformOptions: options, input: .none, output: .sequence,
                error: .sequence
            ) { execution in
                running.began(execution.processIdentifier.value)
                let ending = await supervise(execution, files, interruption, hooks)
                return (ending, execution.processIdentifier.value)
            }
            var (ending, group) = result.closureResult
            switch result.terminationStatus {
            case .exited(let code): ending.exit = Int(code)
            case .signaled(let number): ending.signal = Int(number)
            }
            ending.seconds = MonotonicClock.now - started
            await endRest(of: ProcessGroup(id: group))
            if ending.exit != 0 { ending.lastError = LastLine.of(files.1.end.withLock { $0 }) }
            return ending
        } catch {
            throw .commandNotStarted(command.path, reason: Self.reason(error))
        }
    }

    /// Watches the process until it has ended. It stays a zombie until this returns, so its number, which is the
    /// group's, cannot become another's meanwhile.
    private func supervise(
        _ execution: Execution<NoInput, SequenceOutput, SequenceOutput>, _ files: (OutputFile, OutputFile),
        _ interruption: Interruption, _ hooks: Hooks
    ) async -> CommandEnding {
        await withTaskGroup(of: Event.self) { tasks in
            tasks.addTask { .copied(await files.0.copy(execution.standardOutput)) }
            tasks.addTask { .copied(await files.1.copy(execution.standardError)) }
            tasks.addTask {
                await Self.waitForExit(of: execution)
                return .exited
            }
            tasks.addTask {
                try? await Task.sleep(for: timeLimit)
                return .deadline
            }
            tasks.addTask {
                await interruption.wait()
                return .interrupted
            }
            var ending = CommandEnding()
            var isForced: Bool { ending.timedOut || ending.interrupted }
            watching: while let event = await tasks.next() {
                switch event {
                case .exited: break watching
                case .copied(let fault): ending.outputFault = ending.outputFault ?? fault
                case .deadline, .interrupted:
                    guard !isForced else { continue }
                    if case .deadline = event { ending.timedOut = true } else { ending.interrupted = true }
                    await hooks.endingByForce()
                    try? execution.send(signal: .terminate, toProcessGroup: true)
                    tasks.addTask {
                        try? await Task.sleep(for: grace)
                        return .graceOver
                    }
                case .graceOver: try? execution.send(signal: .kill, toProcessGroup: true)
                }
            }
            if !isForced { await hooks.ended() }
            // What is left of the group: a client that goes on would be taken for the next trial's.
            if !isForced { try? execution.send(signal: .terminate, toProcessGroup: true) }
            tasks.cancelAll()
            for await event in tasks {
                if case .copied(let fault) = event { ending.outputFault = ending.outputFault ?? fault }
            }
            return ending
        }
    }

    /// Returns when the process has ended. Its teardown is the one public call that waits for that: signal 0 does
    /// nothing, and the steps after it are a year away.
    private static func waitForExit(of execution: Execution<NoInput, SequenceOutput, SequenceOutput>) async {
        await execution.teardown(
            using: [.send(signal: Signal(rawValue: 0), allowedDurationToNextStep: .seconds(365 * 86400))])
    }

    /// Gives descendants, which have had their TERM, the grace to go, then kills them.
    private func endRest(of group: ProcessGroup) async {
        guard await !isGone(group, within: grace) else { return }
        group.kill()
        // Killed is not gone yet; but one that hangs in the kernel must not hold up the run.
        _ = await isGone(group, within: .seconds(5))
    }

    private func isGone(_ group: ProcessGroup, within limit: Duration) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while group.hasLiveMembers {
            guard ContinuousClock.now < deadline else { return false }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return true
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? SubprocessError else { return Files.reason(error) }
        if let cause = error.underlyingError { return Files.reason(cause) }
        return "\(error)"
    }
}
