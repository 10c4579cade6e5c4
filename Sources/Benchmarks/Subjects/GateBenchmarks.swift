import Evidence
import Facts
import Foundation
import Policy
import TLS
import Verdict

/// What a gate costs beside the client's own time: forging, keeping evidence, judging.
enum GateBenchmarks {
    static var all: [Benchmark] {
        [forging(1000), writing(20_000), judging(100_000), judging(1_000_000)]
    }

    /// Chains for so many hosts that were never seen before.
    static func forging(_ hosts: Int) -> Benchmark {
        Benchmark(name: "forge: a host never seen before", unit: "chain") { round in
            let now = Date().timeIntervalSince1970
            let forge = Forge(try ForgeMaterial(try CertificateAuthority.general(now: now)))
            let names = (0..<hosts).compactMap { HostName("host\($0).example.test") }
            round.begin()
            for name in names {
                _ = try forge.chain(
                    for: name, attack: .untrustedCA, variant: own, rsaLeaf: false, genuine: nil, now: now)
            }
            return Benchmark.Work(units: names.count)
        }
    }

    /// So many lines of evidence to a file.
    static func writing(_ lines: Int) -> Benchmark {
        Benchmark(name: "evidence: write", unit: "line") { round in
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appending(path: "evidence.jsonl").path(percentEncoded: false)
            let writer = try EvidenceWriter(path: path, keepsRecords: false)
            let records = try connections(lines, trial: 1)
            round.begin()
            for record in records { writer.append(record) }
            writer.close()
            round.end()
            if let fault = writer.fault { throw Failure(description: fault) }
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            return Benchmark.Work(units: records.count, bytes: size ?? 0)
        }
    }

    /// The whole verdict on a run in which an app was attacked once and refused each time.
    static func judging(_ count: Int) -> Benchmark {
        Benchmark(name: "judge: \(count) connections", unit: "connection") { round in
            let profile = Profile(
                name: "bench", rules: try names().map { HostRule(pattern: try pattern($0), expect: .refuse) })
            let run = try evidence(count)
            round.begin()
            let judgement = Judge.judge(profile: profile, runs: [run])
            round.end()
            guard judgement.hosts.count == profile.rules.count else { throw Failure(description: "no verdict") }
            return Benchmark.Work(units: count)
        }
    }

    private static func evidence(_ count: Int) throws -> RunEvidence {
        var records: [EvidenceRecord] = [
            .header(
                RunHeader(
                    pinproof: "0", openssl: "3", libevent: "2", started: "2026-06-15T12:00:00Z", profile: "bench",
                    profileSHA256: "00", ca: .init(sha256: "11", scope: []), coldStarts: 1,
                    attacks: [Attack.untrustedCA.id],
                    options: [:])),
            .selfTest(SelfTestResult(passed: true, problems: [], ms: 1)),
        ]
        for trial in 1...2 {
            let attack: AttackID = trial == 1 ? .passthrough : Attack.untrustedCA.id
            records.append(.trialStarted(TrialStart(trial: trial, attack: attack, variant: nil, only: [], at: 0)))
            records += try connections(count / 2, trial: trial)
            records.append(.trialEnded(TrialEnd(trial: trial, exit: 0, seconds: 9, at: 9)))
        }
        records.append(.runEnded(RunEnd(interrupted: false, seconds: 20, at: 20)))
        return RunEvidence(records)
    }

    /// Tunnelled with an answer in the first trial, refused with an alert in every other.
    private static func connections(_ count: Int, trial: Int) throws -> [EvidenceRecord] {
        let hosts = try names()
        return (0..<count).map { number in
            let host = hosts[number % hosts.count]
            var seen = Observation(
                connection: UInt64(number + 1), trial: trial, at: 1 + Double(number) / Double(count), via: .connect)
            seen.target = Endpoint(host, 443)
            seen.host = host
            seen.hello = HelloFacts(sni: host, stack: "openssl")
            seen.close = .init(by: .client, how: .fin, ms: 40)
            if trial == 1 {
                seen.action = .tunnelled
                seen.serverAnswered = true
                seen.passthroughData = true
                (seen.bytesUp, seen.bytesDown) = (600, 5000)
            } else {
                seen.action = .intercepted
                seen.attack = Attack.untrustedCA.id
                let agreed = Negotiated(version: .tls13, cipher: "TLS_AES_128_GCM_SHA256", alpn: "http/1.1")
                seen.upstream = .init(negotiated: agreed, verified: true, chain: ["c0"], spki: [])
                seen.negotiated = agreed
                seen.presented = ["f0"]
                seen.flight = .init(ms: 10, delivered: true)
                seen.alerts = [Alert(from: .client, level: 2, code: 48, epoch: .handshake, ms: 20)]
            }
            return .connection(seen)
        }
    }

    private static func names() throws -> [HostName] {
        try (1...4).map { number in
            guard let name = HostName("api\(number).example.test") else { throw Failure(description: "no host") }
            return name
        }
    }

    private static func pattern(_ host: HostName) throws -> HostPattern {
        guard let pattern = HostPattern(host.text) else { throw Failure(description: "no pattern") }
        return pattern
    }

    /// The attack's recipe without what it takes from an origin's chain.
    private static var own: Attack.Variant {
        let full = Attack.untrustedCA.variants[0].recipe
        return Attack.Variant(
            name: nil,
            recipe: Recipe(
                signer: full.signer, name: full.name, validity: full.validity, purpose: full.purpose,
                signature: full.signature, defects: full.defects))
    }

    private struct Failure: Error, CustomStringConvertible { let description: String }
}
