import Facts

/// Pins that C code puts together with `Cronet_PublicKeyPins_…`.
///
/// They count from where they are handed to an engine's parameters, which copy them; with what the engine refuses
/// (engine.cc, StartWithParams) it does not start. Without a date they are of 1970, and off.
struct CronetNative {
    static let words = ["Cronet_PublicKeyPins_Create"]
    private static let bypass = "Cronet_EngineParams_enable_public_key_pinning_bypass_for_local_trust_anchors_set"

    /// Pins of one variable, as far as they are put together.
    private struct Pins {
        var host: DeclaredHost
        var hasDate = false

        init(line: Int) {
            host = DeclaredHost(
                nil, [], pins: [], isPinned: true, expires: CalendarDate(daysSince1970: 0), format: .cronet, line: line)
        }
    }

    private let code: SourceEvaluator
    private var source: SourceText { code.source }
    private var file: PinFile
    private var known: [String: Pins] = [:]

    static func read(_ code: SourceEvaluator, path: String) throws(PinFileFault) -> PinFile? {
        var reader = CronetNative(code, path)
        return try reader.read()
    }

    private init(_ code: SourceEvaluator, _ path: String) {
        self.code = code
        file = PinFile(path: path, format: .cronet)
    }

    private mutating func read() throws(PinFileFault) -> PinFile? {
        let names = code.index.places.filter {
            $0.key.hasPrefix("Cronet_PublicKeyPins_") || $0.key == "Cronet_EngineParams_public_key_pins_add"
        }
        for place in names.values.flatMap(\.self).sorted() where source.isSymbol("(", at: place + 1) {
            let parts = source.parts(of: place + 1)
            let name = source.tokens[place].text
            if name == "Cronet_PublicKeyPins_Create" {
                guard source.isSymbol("=", at: place - 1), let variable = source[place - 2], variable.isIdentifier
                else { continue }
                known[variable.text] = Pins(line: source.line(place))
            } else if parts.count == 2, let variable = variable(parts[name.hasPrefix("Cronet_Engine") ? 1 : 0]),
                known[variable] != nil
            {
                if name.hasPrefix("Cronet_Engine") {
                    try hand(over: variable)
                } else {
                    try set(name, of: variable, parts[1], at: place)
                }
            } else if name == "Cronet_PublicKeyPins_pins_sha256_clear", let part = parts.first,
                let variable = variable(part)
            {
                known[variable]?.host.pins = []
            }
        }
        guard !file.hosts.isEmpty else { return nil }
        bypass()
        return file
    }

    /// A parameter of a declaration has a type before its name.
    private func variable(_ part: Range<Int>) -> String? {
        part.count == 1 && source.tokens[part.lowerBound].isIdentifier ? source.tokens[part.lowerBound].text : nil
    }

    private mutating func set(_ name: String, of variable: String, _ value: Range<Int>, at place: Int)
        throws(PinFileFault)
    {
        guard var pins = known[variable] else { return }
        defer { known[variable] = pins }
        for environment in code.environments(at: place) {
            let item = code.value(of: value, environment)
            switch name {
            case "Cronet_PublicKeyPins_host_set": try host(item, source.line(place), &pins.host)
            case "Cronet_PublicKeyPins_pins_sha256_add": try pin(item, source.line(place), &pins.host)
            case "Cronet_PublicKeyPins_include_subdomains_set":
                guard let include = item.bool else {
                    file.note(
                        .unresolved, line: source.line(place), "whether subdomains are pinned is not said in this file")
                    continue
                }
                pins.host.reach = include ? [.itself, .descendants] : .itself
            case "Cronet_PublicKeyPins_expiration_date_set":
                pins.hasDate = true
                pins.host.expires = nil
                switch SourceDate(item) {
                case .day(let day): pins.host.expires = day
                case .never: break
                case .unknown:
                    file.note(
                        .expiration, line: source.line(place),
                        "the day on which the pins end is not said in this file")
                }
            default: return
            }
        }
    }

    private mutating func host(_ item: SourceItem, _ line: Int, _ host: inout DeclaredHost) throws(PinFileFault) {
        guard let text = item.text else {
            file.note(.unresolved, line: line, "the host is \(item.shown), and this file does not say what that is")
            return
        }
        guard let domain = CronetReader.domain(text) else {
            throw PinFileFault(
                line: line, "Cronet refuses the host \"\(Printable.excerpt(text))\": the engine does not start",
                .failsClosed)
        }
        host.domain = domain
        if host.reach.isEmpty { host.reach = .itself }
    }

    private mutating func pin(_ item: SourceItem, _ line: Int, _ host: inout DeclaredHost) throws(PinFileFault) {
        guard let text = item.text else {
            host.pinsKnown = false
            file.note(.unresolved, line: line, "a pin is \(item.shown), and this file does not say what that is")
            return
        }
        guard text.hasPrefix("sha256/"), let pin = PinText.prefixed(text, line: item.line), pin.digest != nil else {
            throw PinFileFault(
                line: line,
                "Cronet refuses the pin \"\(Printable.excerpt(text))\": it is no sha256/ and 44 letters of base64, and the "
                    + "engine does not start", .failsClosed)
        }
        host.pins.append(pin)
    }

    private mutating func hand(over variable: String) throws(PinFileFault) {
        guard var pins = known[variable] else { return }
        guard !pins.host.pins.isEmpty || !pins.host.pinsKnown else {
            throw PinFileFault(
                line: pins.host.line, "Cronet refuses an entry without pins: the engine does not start", .failsClosed)
        }
        if pins.host.domain == nil { pins.host.reach = [] }
        if !pins.hasDate {
            file.note(
                .expiration, line: pins.host.line,
                "without Cronet_PublicKeyPins_expiration_date_set the pins end in 1970: they are off")
        }
        file.hosts.append(pins.host)
    }

    private mutating func bypass() {
        let line = file.hosts.first?.line ?? 1
        guard let place = code.index.places[Self.bypass]?.first(where: { source.isSymbol("(", at: $0 + 1) }) else {
            file.set(.localAnchorExemption, line: line, "\(Self.bypass) is true where it is not called")
            return
        }
        switch source.parts(of: place + 1).last.map({ code.value(of: $0) })?.bool {
        case true?: file.set(.localAnchorExemption, line: source.line(place), "\(Self.bypass)(…, true)")
        case false?: break
        case nil:
            file.note(
                .unresolved, line: source.line(place),
                "whether added anchors are exempt from pins is not said in this file")
        }
    }
}
