import ArgumentParser
import Authority
import Console

/// `--ca`, or somebody else's CA.
struct CAOptions: ParsableArguments {
    @Option(
        name: .customLong("ca"),
        help: ArgumentHelp(
            """
            The CA to forge with. (default: \(CAChoice.projectFolder) where that exists, else your own in the data folder, \
            made on first use)
            """, valueName: "dir"))
    var folder: String?

    @Option(help: ArgumentHelp("Bring your own CA: its certificate (PEM).", valueName: "file"))
    var caCert: String?

    @Option(help: ArgumentHelp("The key of --ca-cert (PEM).", valueName: "file"))
    var caKey: String?

    /// Whether the options go together; what the machine has to have is asked by `choice`, whose errors the parser cannot word.
    func check(isEphemeral: Bool = false) throws {
        let isLent = caCert != nil || caKey != nil
        guard [folder != nil, isLent, isEphemeral].count(where: { $0 }) <= 1 else {
            throw ValidationError("--ca, --ca-cert with --ca-key, and --ephemeral-ca exclude one another")
        }
        guard (caCert == nil) == (caKey == nil) else {
            throw ValidationError("--ca-cert and --ca-key go together")
        }
    }

    func choice(isEphemeral: Bool = false) throws -> CAChoice {
        try check(isEphemeral: isEphemeral)
        if isEphemeral { return .ephemeral }
        if let caCert, let caKey { return .lent(certificate: caCert, key: caKey) }
        return try folder.map(CAChoice.folder) ?? .usual(environment: Terminal.environment)
    }
}
