import Facts

/// Dart's `http_certificate_pinning`, `SecurityContext` and `badCertificateCallback`.
///
/// The package compares the fingerprint of the leaf's whole certificate, on a connection of its own before that of the
/// request (http_certificate_pinning.dart; HttpCertificatePinningPlugin.kt).
package enum FlutterReader: SourceReader {
    static let words = [
        "HttpCertificatePinning", "CertificatePinningInterceptor", "SecureHttpClient", "SecurityContext",
        "badCertificateCallback", "validateCertificate",
    ]
    static let format = PinFormat.flutter

    static func read(_ code: SourceEvaluator, path: String) -> PinFile? {
        guard code.source.language == .dart else { return nil }
        var file = PinFile(path: path, format: .flutter)
        for call in calls(in: code) {
            var isFilledLater = false
            for environment in code.environments(at: call.place) {
                let made = SourceCall(
                    name: call.name, arguments: code.arguments(of: call.open, environment, depth: 0))
                isFilledLater = Self.isFilledLater(made) || isFilledLater
                fingerprints(made, call.place, code, &file)
            }
            // Of a form that a person fills in nothing is known, and nothing is pinned before.
            if isFilledLater {
                let line = code.source.line(call.place)
                file.notes.removeAll { $0.id == .certificatePins && $0.line == line }
            }
        }
        contexts(code, in: &file)
        BadCertificateCallback.read(code, in: &file)
        validations(code, in: &file)
        return file.isEmpty ? nil : file
    }

    private struct Call {
        var name: String
        var place: Int
        var open: Int
    }

    private static func calls(in code: SourceEvaluator) -> [Call] {
        let source = code.source
        var out: [Call] = []
        for (name, method) in [
            ("HttpCertificatePinning", "check"), ("CertificatePinningInterceptor", nil), ("SecureHttpClient", "build"),
        ] as [(String, String?)] {
            for place in code.index.places[name] ?? [] {
                let open = method == nil ? place + 1 : place + 3
                guard source.isSymbol("(", at: open), method.map({ source.isWord($0, at: place + 2) }) ?? true else {
                    continue
                }
                // The package's own constructor, and a factory of it.
                if source.isSymbol("{", at: open + 1) || source.isWord("this", at: open + 1)
                    || source.isWord("factory", at: place - 1)
                {
                    continue
                }
                if code.index.owner(of: place) == name { continue }
                out.append(Call(name: name, place: place, open: open))
            }
        }
        return out.sorted { $0.place < $1.place }
    }

    private static let filledLater = "empty here, and is filled in as the program runs"

    /// Its URL or a fingerprint is an empty text: what a field has before something is written into it.
    private static func isFilledLater(_ call: SourceCall) -> Bool {
        let items = call.argument("allowedSHAFingerprints")?.list?.flatMap(\.flattened) ?? []
        return call.argument("serverURL")?.text == "" || items.contains { $0.text == "" }
    }

    private static func fingerprints(_ call: SourceCall, _ place: Int, _ code: SourceEvaluator, _ file: inout PinFile) {
        let line = code.source.line(place)
        var host = DeclaredHost(nil, [], pins: [], isPinned: true, format: .flutter, line: line)
        if call.name == "HttpCertificatePinning" {
            guard let url = call.argument("serverURL") else { return }
            if let name = url.text.flatMap(URLHost.host).flatMap({ HostName($0) }) {
                (host.domain, host.reach) = (name.text, .itself)
            } else if let text = url.text, !text.isEmpty {
                file.note(
                    .neverMatches, line: url.line,
                    "\"\(Printable.excerpt(text))\" is no URL with a host: the check fails")
            } else {
                let what = url.text == nil ? "\(url.shown), and this file does not say what that is" : filledLater
                file.note(.unresolved, line: line, "the URL is \(what)")
            }
        } else if let base = baseHost(code) {
            (host.domain, host.reach) = (base, .itself)
        } else {
            file.note(.otherHosts, line: line, "the fingerprints hold for every host that this client talks to")
        }
        // The interceptor and the client have no choice: theirs is SHA-256.
        let isOld = call.argument("sha").map { $0.shown.hasSuffix("SHA1") } ?? false
        let kind: DeclaredPin.Kind = isOld ? .certificateSHA1 : .certificateSHA256
        let given = call.argument("allowedSHAFingerprints") ?? call.argument(nil, 0)
        guard let items = given?.list else {
            host.pinsKnown = false
            file.note(
                .unresolved, host: host.domain, line: given?.line ?? line,
                "the fingerprints are \(given?.shown ?? "not given"), and this file does not say what that is")
            file.hosts.append(host)
            return
        }
        for item in items.flatMap(\.flattened) {
            guard let text = item.text, !text.isEmpty else {
                host.pinsKnown = false
                file.note(
                    .unresolved, host: host.domain, line: item.line,
                    "a fingerprint is "
                        + (item.text == nil ? "\(item.shown), and this file does not say what that is" : filledLater))
                continue
            }
            let bytes = text.contains("-") ? nil : Fingerprint.bytes(text)
            let pin = DeclaredPin(
                kind, part: .leaf, text: text, digest: bytes?.count == kind.size ? bytes : nil, line: item.line)
            if pin.digest == nil {
                file.note(
                    .malformedPin, host: host.domain, line: item.line,
                    "\"\(Printable.excerpt(text))\" is no fingerprint of \(kind.size) bytes: it matches no certificate")
            }
            host.pins.append(pin)
        }
        if host.pins.isEmpty && host.pinsKnown {
            file.note(.neverMatches, host: host.domain, line: line, "there is no fingerprint: every check fails")
        }
        file.note(
            .certificatePins, host: host.domain, line: line,
            "fingerprints of whole certificates: each renewal needs a new one")
        file.hosts.append(host)
    }

    /// The one base URL that is given to a client; nil where there are several, or none.
    static func baseHost(_ code: SourceEvaluator) -> String? {
        var hosts: Set<String> = []
        for place in code.index.places["baseUrl"] ?? [] {
            let source = code.source
            guard source.isSymbol(":", at: place + 1) || source.isSymbol("=", at: place + 1) else { continue }
            for environment in code.environments(at: place).prefix(4) {
                let item = code.expression(at: place + 2, environment, depth: 0).item
                if let host = item.text.flatMap(URLHost.host).flatMap({ HostName($0) }) { hosts.insert(host.text) }
            }
        }
        return hosts.count == 1 ? hosts.first : nil
    }

    /// Dio's `validateCertificate`: it is asked about the leaf once the answer is there.
    private static func validations(_ code: SourceEvaluator, in file: inout PinFile) {
        let source = code.source
        for place in code.index.places["validateCertificate"] ?? [] where !DebugGuard.holds(at: place, code) {
            guard source.isSymbol(":", at: place + 1) || source.isSymbol("=", at: place + 1),
                let body = BadCertificateCallback.body(at: place + 2, code), body.parameters.count == 2,
                let certificate = body.certificate, SourceVerdict.of(body.range, code) == .depends
            else { continue }
            DartPinCheck(
                code: code, body: body.range, certificate: certificate, parameters: body.parameters,
                name: "validateCertificate", place: place, part: .leaf
            ).read(in: &file, host: baseHost(code))
        }
    }

    /// A context that trusts no roots but those that it is given; it has none by default (dart:io, SecurityContext).
    static func trustsNoRoots(_ code: SourceEvaluator) -> Bool {
        (code.index.places["SecurityContext"] ?? []).contains { place in
            guard code.source.isSymbol("(", at: place + 1) else { return false }
            let call = SourceCall(name: "", arguments: code.arguments(of: place + 1, [:], depth: 0))
            return call.argument("withTrustedRoots").map { $0.bool == false } ?? true
        }
    }

    /// `SecurityContext(withTrustedRoots: false)` with certificates of the app's own: nothing else is trusted.
    private static func contexts(_ code: SourceEvaluator, in file: inout PinFile) {
        guard code.index.has(anyOf: "setTrustedCertificates", "setTrustedCertificatesBytes") else { return }
        for place in code.index.places["SecurityContext"] ?? [] where code.source.isSymbol("(", at: place + 1) {
            let call = SourceCall(name: "", arguments: code.arguments(of: place + 1, [:], depth: 0))
            // The roots are left out by default (dart:io, SecurityContext).
            guard call.argument("withTrustedRoots")?.bool != true else { continue }
            let line = code.source.line(place)
            file.hosts.append(
                DeclaredHost(nil, [], pins: [], isPinned: true, pinsKnown: false, format: .flutter, line: line))
            file.note(
                .privateAnchors, line: line,
                "only certificates of the app's own are trusted: they are files that are not at hand")
        }
    }
}
