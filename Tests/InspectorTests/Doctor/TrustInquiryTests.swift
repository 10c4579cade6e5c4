import Facts
import Loop
import Support
import Testing

@testable import Inspector

@Suite("TrustInquiry", .timeLimit(.minutes(10)))
struct TrustInquiryTests {
    private let programs: TemporaryFolder

    init() throws { programs = try TemporaryFolder() }

    private func inquiry(sha256: String? = nil) throws -> TrustInquiry {
        TrustInquiry(
            proxy: try #require(Endpoint("127.0.0.1:8080")),
            runner: ProgramRunner(environment: ["PATH": programs.path]), hasGoodDates: true, sha256: sha256)
    }

    private func client(_ program: String, limit: Double = 60, environment: [String: String?] = [:]) -> TrustClient {
        TrustClient(
            id: program, name: program, program: program, arguments: ["a b", "$HOME"], environment: environment,
            limit: limit, remedy: "")
    }

    @Test("each client is run with its arguments, without the shell's proxies, and answers stay in order")
    func order() async throws {
        _ = try programs.script("one", "test \"$1-$2\" = 'a b-$HOME' && echo answer 200")
        _ = try programs.script("two", "test -z \"$https_proxy$NO_PROXY\" && test \"$MINE\" = 1 && echo answer 204")
        _ = try programs.script("three", "echo 'unable to get local issuer certificate' >&2; exit 1")
        let (one, two, three) = (client("one"), client("two", environment: ["MINE": "1"]), client("three"))
        let answers = try await inquiry().ask { _ in [one, two, three, client("none"), one] }
        #expect(answers.map(\.client.id) == ["one", "two", "three", "none", "one"])
        #expect(answers.map(\.answer)[0] == .trusted && answers.map(\.answer)[4] == .trusted)
        #expect(answers[1].answer == .unknown("it was answered 204, where the proxy's own page answers 200"))
        #expect(answers[2].answer == .notTrusted && answers[3].answer == .absent)
    }

    @Test("a client that hangs is ended, and nothing is said of its trust")
    func hanging() async throws {
        let place = programs.path + "/process"
        _ = try programs.script("hang", "echo $$ > \(place); exec sleep 600")
        let answers = try await inquiry().ask { _ in [client("hang", limit: 1)] }
        #expect(answers.first?.answer == .unknown("it was not done after 1 s"))
        // On a busy machine it may have been ended before it could write.
        let process = (try? programs.text("process")).flatMap { Int32($0.filter(\.isNumber)) }
        #expect(process.map(ProcessControl.hasMembers) != true)
    }

    @Test("sources lie in a folder that only this user can enter, and that is gone afterwards")
    func sources() async throws {
        _ = try programs.script("reader", "ls -ld \"$(dirname \"$1\")\" | grep -q '^drwx------' && . \"$1\"")
        let place = Locked("")
        let answers = try await inquiry().ask { folder in
            place.withLock { $0 = folder }
            var reader = client("reader")
            reader.arguments = [folder + "/Check.java"]
            reader.source = TrustClient.Source(name: "Check.java", text: "echo answer 200\n")
            return [reader]
        }
        #expect(answers.first?.answer == .trusted)
        #expect(!Files.exists(place.withLock { $0 }))
    }

    @Test("a Java without a compiler is known by its store")
    func javaStore() async throws {
        _ = try programs.script("java", "echo 'error: Module jdk.compiler not found' >&2; exit 1")
        _ = try programs.script(
            "keytool", "echo 'pinproof, trustedCertEntry,'; echo 'Certificate fingerprint (SHA-256): AB:CD:01'")
        #expect(try await inquiry(sha256: "abcd01").ask { _ in [client("java")] }.first?.answer == .trusted)
        #expect(try await inquiry(sha256: "abcd02").ask { _ in [client("java")] }.first?.answer == .notTrusted)
        guard case .unknown? = try await inquiry().ask({ _ in [client("java")] }).first?.answer else {
            Issue.record("nothing is known of the CA, and it was looked for")
            return
        }
    }
}

@Suite("NSSListing")
struct NSSListingTests {
    @Test("roots that are trusted for servers count, with blanks in their names and without")
    func trusted() {
        let listing = """

            Certificate Nickname                                         Trust Attributes
                                                                         SSL,S/MIME,JAR/XPI

            my pinproof root                                             C,,
            other                                                        CT,C,C
            mail only                                                    ,C,
            intermediate                                                 ,,
            """
        #expect(NSSListing.trusted(listing) == ["my pinproof root", "other"])
    }
}
