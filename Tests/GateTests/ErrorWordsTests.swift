import Authority
import Capture
import Console
import Evidence
import Facts
import Foundation
import Loop
import Profiles
import Report
import Support
import TLS
import Testing

@testable import Gate
@testable import Proxy

private func listening(_ text: String, client: String? = nil, _ reason: SystemError) throws -> ListenError {
    let endpoint = try #require(Endpoint(text))
    return ListenError(address: try ListenAddress(endpoint).socket, client: client, reason: reason)
}

/// Of every module, with whom it sends back to work.
private func all() throws -> [(any Error, ErrorCause)] {
    let files: [(FileError, ErrorCause)] = [
        (.notAFolder("/r"), .commandLine), (.cannotRead(path: "/r", reason: "no such file or folder"), .commandLine),
        (.cannotWrite(path: "/r", reason: "permission denied"), .environment), (.noDataFolder, .environment),
        (.noDataFolderMade(path: "/h", reason: "permission denied"), .environment),
    ]
    let evidence: [(RunFolderError, ErrorCause)] = [
        (.folderNotEmpty("/r"), .commandLine), (.noFreeFolderName("/r"), .environment),
        (.unusableEvidence(path: "/e", problems: ["line 1: is cut", "line 2"]), .environment),
    ]
    let gate: [(GateError, ErrorCause)] = [
        (.commandNotFound("tool", inPath: true), .commandLine),
        (.commandNotFound("./tool", inPath: false), .commandLine),
        (.commandNotExecutable("/t"), .commandLine), (.commandIsFolder("/t"), .commandLine),
        (.interpreterNotFound("/t", program: "/bin/sh\r"), .commandLine),
        (.interpreterNotFound("/t", program: "/no/sh"), .commandLine), (.commandWithoutInterpreter("/t"), .commandLine),
        (.commandNotStarted("/t", reason: "exec format error"), .environment),
        (.planNotApplied(trial: 1, reason: "x"), .environment),
        (.anchorIsForgingCA(host: "a.test", path: "/a"), .configuration),
    ]
    let others: [(any Error, ErrorCause)] = [
        (try listening("127.0.0.1:80", .denied), .environment), (try listening("[::1]:8080", .taken), .environment),
        (NotAnAddress(name: "host.test"), .commandLine),
        (CAUseError.outsideScope(host: "a.test", scope: ["b.test"], ca: "ca/local"), .configuration),
        (CAUseError.unknownExportFormat("x"), .commandLine),
        (WatchError(reason: "operation not permitted", obstacle: .permission), .environment),
        (WatchError(reason: "not supported", obstacle: .system), .environment),
        (WatchError(reason: "x", obstacle: .other), .environment),
        (CAError(.permissions, "ca/key: others can read it", hint: "chmod 600 ca/key"), .configuration),
        (AttackWordFault.none, .commandLine), (ReportError.unknownFormat("pdf"), .commandLine),
        (SystemError.denied, .environment),
    ]
    return files.map { ($0, $1) } + evidence.map { ($0, $1) } + gate.map { ($0, $1) } + others
}

@Test("every error is one line and hints, in lower case, without a full stop, and has its status")
func wording() throws {
    for (error, cause) in try all() {
        let complaint = Complaint(error)
        let lines = complaint.description.split(separator: "\n")
        #expect(lines.first?.hasPrefix("error: ") == true)
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("hint: ") || $0.hasPrefix("error: ") })
        #expect(lines.allSatisfy { !$0.hasSuffix(".") })
        #expect(
            complaint.status.rawValue == [.commandLine: 64, .configuration: 78, .environment: 3][cause], "\(error)")
    }
}

@Test("an address that cannot be listened on says whose it was to be, and where to change it")
func listenWords() throws {
    #expect(
        Complaint(try listening("127.0.0.1:80", client: "tablet", .taken)).description == """
            error: cannot listen on 127.0.0.1:80 for client tablet: address already in use
            hint: another program listens there; listen: 127.0.0.1:0 picks a free port
            """)
    #expect(Complaint(try listening("127.0.0.1:80", .other)).description.contains("hint: --listen "))
}

@Test("an unusable profile is 78, with every mistake and its place")
func profileErrors() throws {
    let error = #expect(throws: ProfileErrors.self) {
        try ProfileLoader.parse(text: "version: 1\nhots: {}\nothers: maybe\n", path: "p.yaml")
    }
    let complaint = Complaint(try #require(error))
    #expect(complaint.status == .configuration)
    #expect(complaint.description.contains("error: p.yaml:2:1: unknown key \"hots\""))
    #expect(complaint.description.contains("hint: did you mean \"hosts\"?"))
    #expect(complaint.description.contains("error: p.yaml:3:"))
    #expect(!complaint.description.contains("error: error"))
}

@Test("words of the command line are told with the option that they stand in")
func optionNames() {
    #expect(Complaint(ReportError.unknownFormat("pdf")).description.hasPrefix("error: --format: unknown report format"))
    #expect(Complaint(AttackWordFault.none).description.hasPrefix("error: --attacks: "))
}

extension SystemError {
    fileprivate static let denied = SystemError("bind", EACCES)
    fileprivate static let taken = SystemError("bind", EADDRINUSE)
    fileprivate static let other = SystemError("bind", EADDRNOTAVAIL)
}
