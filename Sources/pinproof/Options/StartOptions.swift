import ArgumentParser
import Gate

/// How a start of COMMAND is made: for `gate`, `check` and `init`.
struct StartOptions: ParsableArguments {
    @OptionGroup var ca: CAOptions

    @Flag(name: .customLong("ephemeral-ca"), help: "A CA for this run alone; its keys are never written to disk.")
    var isEphemeral = false

    @Option(help: ArgumentHelp("Where the proxy listens; port 0 picks a free one.", valueName: "host:port"))
    var listen = "127.0.0.1:0"

    @Flag(help: "Leave the proxy variables of the command's environment alone.")
    var noProxyEnv = false

    @Option(
        help: ArgumentHelp(
            "Seconds one run of the command may take before its process group is ended.", valueName: "s"))
    var attemptTimeout = 60.0

    @Flag(
        help: ArgumentHelp(
            "Note QUIC and direct TCP past the proxy, which then stand in the way of a proof (Linux, as root).",
            discussion:
                "What this sees and what it does not: docs/verdicts.md, \"What does not come through the proxy\"."))
    var watchNetwork = false

    func validate() throws {
        try Limits.check("--attempt-timeout", attemptTimeout)
        _ = try ListenArgument.endpoint(listen)
        try ca.check(isEphemeral: isEphemeral)
    }

    /// For what a person with a device cannot go through.
    func validate(having command: [String]) throws {
        guard !command.isEmpty else { throw ValidationError("a command is needed, after --") }
    }

    func options(_ profile: String, _ command: [String]) throws -> GateOptions {
        var options = GateOptions(profile: profile, listen: try ListenArgument.endpoint(listen))
        options.ca = try ca.choice(isEphemeral: isEphemeral)
        options.setsProxyVariables = !noProxyEnv
        options.attemptTimeout = attemptTimeout
        options.watchesNetwork = watchNetwork
        options.command = command
        return options
    }
}
