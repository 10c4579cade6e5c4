import Facts
import Loop

/// What can go wrong around a run, as facts.
package enum GateError: Error, Hashable, Sendable {
    /// `--out` names a folder that already holds something.
    case folderNotEmpty(String)
    /// A file stands where a folder is wanted.
    case notAFolder(String)
    case cannotWrite(path: String, reason: String)
    case cannotRead(path: String, reason: String)
    case noFreeFolderName(String)
    /// The word as given, and whether it was looked for in PATH.
    case commandNotFound(String, inPath: Bool)
    case commandNotExecutable(String)
    case commandIsFolder(String)
    case commandNotStarted(String, reason: String)
    case planNotApplied(trial: Int, reason: String)
    case unknownExportFormat(String)
    /// A name where an IP address is needed.
    case notAnAddress(String)
    /// The address cannot be bound.
    case cannotListen(Endpoint, client: String? = nil, reason: String, cause: ListenFailure)
    /// `--watch-network` where that cannot be done.
    case networkNotWatchable(reason: String, cause: WatchFailure)
    /// Evidence that was changed after it was written, or is none.
    case evidenceUnusable(path: String, problems: [String])
    /// A host of the profile that the constrained CA may not sign for.
    case outsideScope(host: String, scope: [String], ca: String)
    /// `anchors` of a host holds the CA to forge with.
    case anchorIsForgingCA(host: String, path: String)

    /// The same in words.
    package var complaint: Complaint {
        switch self {
        case .folderNotEmpty(let path):
            Complaint(
                "\(path): the run folder already holds something",
                hints: ["remove it, or name another with --out: evidence of two runs must not mix"], status: .usage)
        case .notAFolder(let path):
            Complaint("\(path): a file, where a folder is needed", hints: ["name another with --out"], status: .usage)
        case .cannotWrite(let path, let reason):
            Complaint(
                "\(path): cannot write: \(reason)",
                hints: Self.hints(reason, else: "a run needs a folder that it can write to (--out)"), status: .invalid)
        case .cannotRead(let path, let reason):
            Complaint(
                "\(path): cannot read: \(reason)", hints: Self.hints(reason),
                status: Files.isOutOfDescriptors(reason) ? .invalid : .usage)
        case .noFreeFolderName(let path):
            Complaint("\(path): no free name for the run folder", hints: ["name one with --out"], status: .invalid)
        case .commandNotFound(let word, inPath: true):
            Complaint(
                "command not found: \(word)",
                hints: ["it was looked for in PATH; a path such as ./\(word) is taken from the current folder"],
                status: .usage)
        case .commandNotFound(let word, inPath: false):
            Complaint(
                "command not found: \(word)", hints: ["a relative path is taken from the current folder"],
                status: .usage)
        case .commandNotExecutable(let path):
            Complaint("command not executable: \(path)", hints: ["chmod +x \(path)"], status: .usage)
        case .commandIsFolder(let path):
            Complaint("command is a folder: \(path)", hints: ["name the program after --"], status: .usage)
        case .commandNotStarted(let path, let reason):
            Complaint(
                "\(path): cannot be started: \(reason)",
                hints: Self.hints(reason, else: "a script needs a first line such as #!/bin/sh"), status: .invalid)
        case .planNotApplied(let trial, let reason):
            Complaint("trial \(trial) could not begin: \(reason)", status: .invalid)
        case .unknownExportFormat(let name):
            Complaint(
                "--format: unknown form of a certificate \"\(name)\"",
                hints: ["the forms are \(CAExportFormat.names), and all"], status: .usage)
        case .notAnAddress(let name):
            Complaint(
                "cannot listen on \(name): not an IP address",
                hints: ["--listen 127.0.0.1:0 for this machine, 0.0.0.0:8080 for a device on the network"],
                status: .usage)
        case .cannotListen(let address, let client, let reason, let cause):
            Complaint(
                "cannot listen on \(address)\(client.map { " for client \($0)" } ?? ""): \(reason)",
                hints: cause.hints(address, isClient: client != nil), status: .invalid)
        case .networkNotWatchable(let reason, let cause):
            Complaint("--watch-network: cannot watch the network: \(reason)", hints: cause.hints, status: .invalid)
        case .evidenceUnusable(let path, let problems):
            Complaint(
                problems.map { Complaint.Item("\(path): \($0)") }
                    + [
                        Complaint.Item(
                            "\(path): not usable as evidence",
                            hints: ["evidence that was changed gives no verdict: run the gate again"])
                    ],
                status: .invalid)
        case .outsideScope(let host, let scope, let ca):
            Complaint(
                "\(ca): this CA may not sign for \(host)",
                hints: [
                    "it is constrained to \(scope.joined(separator: ", "))",
                    "make one for this profile: pinproof ca init --only PROFILE --ca DIR",
                ],
                status: .configuration)
        case .anchorIsForgingCA(let host, let path):
            Complaint(
                "\(path): this is the CA to forge with, and stands under the anchors of \(host)",
                hints: ["anchors are the roots of the genuine server, and the only ones that the app trusts"],
                status: .configuration)
        }
    }
}

extension GateError {
    /// Where files or space have run out, nothing else is worth advice.
    private static func hints(_ reason: String, else usual: String? = nil) -> [String] {
        if reason.contains("no space left") { return [] }
        return Files.isOutOfDescriptors(reason) ? [DescriptorShortage.hint] : usual.map { [$0] } ?? []
    }
}

/// Why an address cannot be bound, as far as advice depends on it.
package enum ListenFailure: Hashable, Sendable {
    case inUse, forbidden, other

    func hints(_ address: Endpoint, isClient: Bool) -> [String] {
        let option = isClient ? "listen:" : "--listen"
        switch self {
        case .inUse: return ["another program listens there; \(option) \(Endpoint(address.host, 0)) picks a free port"]
        case .forbidden: return ["ports below 1024 need root; choose another with \(option)"]
        case .other: return ["\(option) takes an address of this machine, and a port"]
        }
    }
}

/// Why packets cannot be captured, as far as advice depends on it.
package enum WatchFailure: Hashable, Sendable {
    case system, permission, other

    var hints: [String] {
        let without = "without --watch-network the gate runs all the same, and its claims say that nothing was watched"
        switch self {
        case .system: return ["packets can be watched on Linux only (AF_PACKET)", without]
        case .permission:
            return [
                "run the gate as root, or give it the capability: setcap cap_net_raw+ep PATH/TO/pinproof "
                    + "(in a container: --cap-add NET_RAW)", without,
            ]
        case .other: return [without]
        }
    }
}
