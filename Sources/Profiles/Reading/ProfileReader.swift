import Facts
import Policy

/// Reads a profile's values out of its tree, and goes on after a mistake to find them all.
struct ProfileReader {
    /// Every connection is matched against every rule; a profile that needs more wants wildcards.
    static let maxEntries = 2_000

    let path: String
    let files: (String) -> FileState
    private(set) var errors: [ProfileError] = []
    var places = LoadedProfile.Places()
    /// Rules whose expectation could not be read, and whether there are hosts that could not: what depends on them is
    /// not checked, so that one mistake is not reported as two.
    var rulesInDoubt: Set<HostPattern> = []
    var hostsInDoubt = false

    init(path: String, files: @escaping (String) -> FileState) {
        self.path = path
        self.files = files
    }

    mutating func report(_ fault: ProfileError.Fault, at place: Place?) {
        errors.append(ProfileError(fault, path: path, place: place))
    }

    /// What the tree says; worth something only while there are no errors.
    mutating func profile(_ root: Tree, defaultName: String) -> Profile {
        var profile = Profile(name: defaultName)
        guard let top = fields(root, of: .file, as: .map, in: .top) else { return profile }
        places.keys = top.values.mapValues(\.key)
        if let version = top["version"] {
            readVersion(version)
        } else if !top.mistyped.contains("version") {
            report(.missingKey("version", .top), at: root.place)
        }
        if let tree = top["name"], let name = text(tree, of: .key("name", .top)) {
            if Self.isName(name) { profile.name = name } else { report(.name(name), at: tree.place) }
        }
        if let tree = top["hosts"] { profile.rules = rules(tree) }
        if let tree = top["others"],
            let word = word(tree, of: .key("others", .top), among: Others.allCases.map(\.rawValue))
        {
            profile.others = Others(rawValue: word) ?? .tunnel
        }
        if let tree = top["controls"] { profile.controls = controls(tree) }
        if let tree = top["attacks"] { profile.attacks = attacks(tree) }
        if let tree = top["cold_starts"] {
            // 1,000 already bound the acceptance rate at 0.3 %; more is a slip of the hand and would run for days.
            profile.coldStarts = wholeNumber(tree, of: .key("cold_starts", .top), in: 1...1000)
        }
        if let tree = top["resolve"] { profile.resolve = resolve(tree) }
        if let tree = top["same_anchors"], let value = boolean(tree, of: .key("same_anchors", .top)) {
            profile.sameAnchors = value
        }
        if let tree = top["only_pins"], let value = boolean(tree, of: .key("only_pins", .top)) {
            profile.onlyPins = value
        }
        if let tree = top["lent"] { profile.lent = lent(tree) }
        if let tree = top["upstream"] { profile.upstream = upstream(tree) }
        if let tree = top["clients"] { profile.clients = clients(tree) }
        if let tree = top["waivers"] { profile.waivers = waivers(tree) }
        if let tree = top["filters"] { profile.filters = filters(tree, "filters") }
        if let tree = top["mutes"] { profile.mutes = filters(tree, "mutes") }
        checkControls(profile)
        checkLent(profile)
        return profile
    }

    private mutating func readVersion(_ tree: Tree) {
        guard let found = tree.found else { return }
        switch found {
        case .number("1"): return
        case .number(let text): report(.version(text), at: tree.place)
        default: report(.wrongType(.key("version", .top), found: found, expected: .wholeNumber), at: tree.place)
        }
    }

    private mutating func attacks(_ tree: Tree) -> AttackSelection? {
        let words: [(word: String, place: Place)]
        switch tree.found {
        case .list?:
            words = entries(tree, of: .key("attacks", .top)).compactMap { entry in
                text(entry, of: .entry(of: "attacks", .top)).map { ($0, entry.place) }
            }
            guard words.count == tree.list?.count else { return nil }
        case .text(let word, _)?: words = [(word, tree.place)]
        case let found?:
            report(.wrongType(.key("attacks", .top), found: found, expected: .attacks), at: tree.place)
            return nil
        case nil: return nil
        }
        let before = errors.count
        for (word, place) in words {
            do throws(AttackWordFault) { _ = try AttackWords.selection(of: [word]) } catch {
                report(.attack(error), at: place)
            }
        }
        guard errors.count == before else { return nil }
        do throws(AttackWordFault) {
            return try AttackWords.selection(of: words.map(\.word))
        } catch {
            report(.attack(error), at: tree.place)
            return nil
        }
    }

    private mutating func upstream(_ tree: Tree) -> Upstream {
        var upstream = Upstream()
        guard let fields = fields(tree, of: .key("upstream", .top), as: .map, in: .upstream) else { return upstream }
        if let roots = fields["roots"] {
            upstream.roots = entries(roots, of: .key("roots", .upstream)).compactMap {
                file($0, of: .entry(of: "roots", .upstream))
            }
        }
        if let tree = fields["proxy"], tree.found != .nothing { upstream.proxy = proxy(tree) }
        if let tree = fields["client_certificates"] { upstream.clientCertificates = clientCertificates(tree) }
        return upstream
    }

    private mutating func proxy(_ tree: Tree) -> Endpoint? {
        guard let text = text(tree, of: .key("proxy", .upstream), as: .proxy) else { return nil }
        do throws(ProfileError.ProxyFault) {
            return try ProfileError.ProxyFault.endpoint(text)
        } catch {
            report(.proxy(text, error), at: tree.place)
            return nil
        }
    }

    /// Names become part of the run folder's, and of reports: no separators, no leading dot or dash.
    static func isName(_ text: String) -> Bool {
        guard text.count <= 64, text.utf8.count <= 200, let first = text.first, let last = text.last else {
            return false
        }
        guard first.isLetter || first.isNumber, last != " " else { return false }
        return text.allSatisfy { $0.isLetter || $0.isNumber || " ._-+".contains($0) }
    }
}

extension ProfileError.ProxyFault {
    static func endpoint(_ text: String) throws(Self) -> Endpoint {
        var rest = text[...]
        if let scheme = rest.firstRange(of: "://") {
            let name = rest[..<scheme.lowerBound].lowercased()
            guard name == "http" else { throw .scheme(printable(name)) }
            rest = rest[scheme.upperBound...]
            if rest.last == "/" { rest = rest.dropLast() }
        }
        guard !rest.contains("@") else { throw .credentials }
        if let endpoint = Endpoint(rest), endpoint.port != 0 { return endpoint }
        throw HostName(rest) != nil ? .noPort : .notAnEndpoint
    }
}
