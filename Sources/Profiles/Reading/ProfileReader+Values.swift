import Facts
import Policy

/// The keys of one map, by name.
struct Fields {
    var values: [String: (key: Place, value: Tree)] = [:]
    /// Known keys that an unknown one was most likely meant to be: not missing, but mistyped.
    var mistyped: Set<String> = []

    subscript(key: String) -> Tree? { values[key]?.value }
}

extension Tree {
    var list: [Tree]? {
        guard case .list(let list) = content else { return nil }
        return list
    }
}

/// Single values: each either as it should be, or reported and nil.
extension ProfileReader {
    mutating func wrongType(_ tree: Tree, _ subject: ProfileError.Subject, _ expected: ProfileError.Shape) {
        guard let found = tree.found else { return }
        report(.wrongType(subject, found: found, expected: expected), at: tree.place)
    }

    mutating func fields(
        _ tree: Tree, of subject: ProfileError.Subject, as shape: ProfileError.Shape, in section: ProfileError.Section
    ) -> Fields? {
        guard case .map(let entries) = tree.content else {
            wrongType(tree, subject, shape)
            return nil
        }
        var fields = Fields()
        for entry in entries {
            guard case .scalar(let key, _) = entry.key.content else {
                wrongType(entry.key, .aKey(of: ""), .text)
                continue
            }
            guard section.keys.contains(key) else {
                let nearest = Nearest.word(to: key, among: section.keys)
                // `expect refuse`, without the colon, is meant as well.
                let meant = nearest ?? section.keys.first { key.hasPrefix($0 + " ") || key.hasPrefix($0 + ":") }
                if let meant { fields.mistyped.insert(meant) }
                report(.unknownKey(key, section, nearest: nearest), at: entry.key.place)
                continue
            }
            if let first = fields.values[key] {
                report(.repeatedKey(key, section, firstLine: first.key.line), at: entry.key.place)
            } else {
                fields.values[key] = (entry.key.place, entry.value)
            }
        }
        return fields
    }

    mutating func entries(_ tree: Tree, of subject: ProfileError.Subject) -> [Tree] {
        guard let list = tree.list else {
            wrongType(tree, subject, .list)
            return []
        }
        guard list.count <= Self.maxEntries else {
            if case .key(let key, _) = subject {
                report(.tooMany(key, count: list.count, limit: Self.maxEntries), at: tree.place)
            }
            return Array(list.prefix(Self.maxEntries))
        }
        return list
    }

    mutating func text(
        _ tree: Tree, of subject: ProfileError.Subject, as shape: ProfileError.Shape = .text
    ) -> String? {
        guard case .text(let text, _)? = tree.found, !text.isEmpty else {
            if case .text? = tree.found {
                report(.wrongType(subject, found: .nothing, expected: shape), at: tree.place)
            } else {
                wrongType(tree, subject, shape)
            }
            return nil
        }
        // Escapes can bring in what the file itself must not have; a NUL would cut a path short.
        if let scalar = text.unicodeScalars.first(where: { $0.properties.generalCategory == .control }) {
            report(.forbiddenCharacter(scalar), at: tree.place)
            return nil
        }
        return text
    }

    mutating func word(_ tree: Tree, of subject: ProfileError.Subject, among allowed: [String]) -> String? {
        let word: String
        switch tree.found {
        case .text(let text, _)?, .number(let text)?, .boolean(let text)?: word = text
        default:
            wrongType(tree, subject, .text)
            return nil
        }
        if allowed.contains(word) { return word }
        report(
            .unknownWord(word, subject, allowed: allowed, nearest: Nearest.word(to: word, among: allowed)),
            at: tree.place)
        return nil
    }

    mutating func boolean(_ tree: Tree, of subject: ProfileError.Subject) -> Bool? {
        switch tree.found {
        case .boolean("true")?: return true
        case .boolean("false")?: return false
        default:
            wrongType(tree, subject, .boolean)
            return nil
        }
    }

    mutating func wholeNumber(_ tree: Tree, of subject: ProfileError.Subject, in range: ClosedRange<Int>) -> Int? {
        guard case .number(let text)? = tree.found else {
            wrongType(tree, subject, .wholeNumber)
            return nil
        }
        if let number = Int(text), range.contains(number) { return number }
        report(.outOfRange(subject, found: text, range), at: tree.place)
        return nil
    }

    /// A file of the operator's, as it lies beside the profile; it must be there before a run begins.
    mutating func file(_ tree: Tree, of subject: ProfileError.Subject) -> String? {
        guard let written = text(tree, of: subject) else { return nil }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        let resolved = written.hasPrefix("/") ? written : folder + written
        let state = files(resolved)
        guard state == .readable else {
            report(.material(subject, written: written, resolved: resolved, state), at: tree.place)
            return nil
        }
        return resolved
    }
}
