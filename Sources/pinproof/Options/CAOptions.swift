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

    func choice(isEphemeral: Bool = false) throws -> CAChoice {
        let isLent = caCert != nil || caKey != nil
        guard [folder != nil, isLent, isEphemeral].count(where: { $0 }) <= 1 else {
            throw ValidationError("--ca, --ca-cert with --ca-key, and --ephemeral-ca exclude one another")
        }
        if isEphemeral { return .ephemeral }
        switch (caCert, caKey) {
        case (let certificate?, let key?): return .lent(certificate: certificate, key: key)
        case (nil, nil): return try folder.map(CAChoice.folder) ?? .usual(environment: Terminal.environment)
        default: throw ValidationError("--ca-cert and --ca-key go together")
        }
    }
}
