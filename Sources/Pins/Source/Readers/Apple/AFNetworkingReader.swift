import Facts

/// `AFSecurityPolicy` in Objective-C and Swift (AFSecurityPolicy.m).
///
/// A policy is a session manager's: it holds for every host that this one talks to. Its certificates are files of the
/// app's bundle, which are not at hand.
package enum AFNetworkingReader: SourceReader {
    static let words = ["AFSecurityPolicy"]
    static let format = PinFormat.afNetworking

    static func read(_ code: SourceEvaluator, path: String) -> PinFile? {
        guard code.source.language == .objectiveC || code.source.language == .swift else { return nil }
        var file = PinFile(path: path, format: .afNetworking)
        let base = baseHost(code)
        for place in code.index.places["AFSecurityPolicy"] ?? [] where !code.source.tokens[place].isDebugOnly {
            guard let mode = mode(at: place, code) else { continue }
            let line = code.source.line(place)
            switch mode {
            case "AFSSLPinningModeNone", ".none", "AFSSLPinningMode.none": continue
            case "AFSSLPinningModeCertificate", ".certificate", "AFSSLPinningMode.certificate":
                file.note(.certificatePins, line: line, "pinned by whole certificates, not by keys")
            case "AFSSLPinningModePublicKey", ".publicKey", "AFSSLPinningMode.publicKey": break
            default:
                file.note(
                    .unresolved, line: line, "the pinning mode is \(mode), and this file does not say what that is")
            }
            var host = DeclaredHost(
                base, base == nil ? [] : .itself, pins: [], isPinned: true, pinsKnown: false, format: .afNetworking,
                line: line)
            host.line = line
            file.hosts.append(host)
            file.note(
                .unresolved, line: line,
                "the pinned certificates are files of the app's bundle: they are not in this file")
            file.note(.otherHosts, line: line, "the policy holds for every host that its session manager talks to")
        }
        checks(code, in: &file)
        return file.isEmpty ? nil : file
    }

    /// As written; nil where no policy is made here, or the default one.
    private static func mode(at place: Int, _ code: SourceEvaluator) -> String? {
        let source = code.source
        if source.isSymbol("[", at: place - 1) {
            guard source.isWord("policyWithPinningMode", at: place + 1), source.isSymbol(":", at: place + 2) else {
                return nil
            }
            return shown(code.expression(at: place + 3, [:], depth: 0).item)
        }
        guard source.isSymbol("(", at: place + 1), !source.isWord("class", at: place - 1) else { return nil }
        let call = SourceCall(name: "", arguments: code.arguments(of: place + 1, [:], depth: 0))
        return (call.argument("pinningMode") ?? call.argument("withPinningMode")).map(shown)
    }

    private static func shown(_ item: SourceItem) -> String {
        if let call = item.call, call.arguments.isEmpty {
            return call.receiver.map { "\($0.shown)\(call.name)" } ?? call.name
        }
        return item.shown
    }

    /// `policy.allowInvalidCertificates = YES`, `[policy setValidatesDomainName:NO]`.
    private static func checks(_ code: SourceEvaluator, in file: inout PinFile) {
        let source = code.source
        let names: [(String, String, PinSetting.Kind, Bool)] = [
            ("allowInvalidCertificates", "setAllowInvalidCertificates", .chainCheckOff, true),
            ("validatesDomainName", "setValidatesDomainName", .nameCheckOff, false),
            ("validatesCertificateChain", "setValidatesCertificateChain", .chainCheckOff, false),
        ]
        for (property, setter, kind, bad) in names {
            for (name, sign) in [(property, "="), (setter, ":")] {
                for place in code.index.places[name] ?? []
                where source.isSymbol(sign, at: place + 1) && !source.tokens[place].isDebugOnly {
                    guard code.expression(at: place + 2, [:], depth: 0).item.bool == bad else { continue }
                    file.set(kind, line: source.line(place), "\(property) = \(bad ? "YES" : "NO")")
                }
            }
        }
    }

    /// The one base URL that the file gives to a manager; nil where there are several, or none.
    private static func baseHost(_ code: SourceEvaluator) -> String? {
        var hosts: Set<String> = []
        for name in ["initWithBaseURL", "managerWithBaseURL", "baseURL"] {
            for place in code.index.places[name] ?? [] where code.source.isSymbol(":", at: place + 1) {
                let item = code.expression(at: place + 2, [:], depth: 0).item
                if let host = item.text.flatMap(URLHost.host).flatMap({ HostName($0) }) { hosts.insert(host.text) }
            }
        }
        return hosts.count == 1 ? hosts.first : nil
    }
}
