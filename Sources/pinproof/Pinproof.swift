import ArgumentParser
import Evidence

/// The command line's root.
struct Pinproof: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pinproof",
        abstract: "Prove whether an app refuses a man in the middle.",
        discussion: """
            pinproof is an intercepting TLS proxy and a release gate. The gate runs your client through the proxy \
            again and again, each time under another attack, and says for every host whether the client refused.

            START HERE
              1. pinproof demo             four verdicts in under a minute
              2. write a profile: which hosts must refuse (profiles/ has commented ones)
              3. pinproof gate profile.yaml -- ./ui-test.sh      (pinproof gate --help says more)
              4. read runs/<time>-<name>/report.md

            EXAMPLES
              pinproof gate release.yaml -- xcodebuild test -scheme Release
              pinproof gate release.yaml --listen 0.0.0.0:8080   a person with a device
              pinproof judge shard-1 shard-2                     several runs as one
              pinproof proxy                                     look, without a verdict
              pinproof mcp                                       let an AI agent look
              pinproof pins api.example.com                      what can be pinned of a server
              pinproof rehearse release.yaml --standard -- ./ui-test.sh   the next certificates
              pinproof ca init --only release.yaml               a CA safe to keep on CI

            EXIT STATUS OF gate AND judge
              0   every required host's expectation is proven
              1   a host did the opposite
              2   something is unproven, or was not seen
              3   the environment supports no verdict
              64  wrong usage
              78  the profile or the CA cannot be used
            """,
        version: Version.text,
        subcommands: [
            GateCommand.self, CheckCommand.self, InitCommand.self, ProxyCommand.self, FlowsCommand.self,
            DoctorCommand.self, MCPCommand.self, CACommand.self, PinsCommand.self, InspectCommand.self,
            RehearseCommand.self, JudgeCommand.self, ReportCommand.self, DemoCommand.self, DemoClientCommand.self,
        ])
}
