import Facts

/// The other source files of one call, in which constants of a file may stand.
///
///     let neighbours = SourceNeighbours(files)
///     try FormatRecogniser.standard(beside: neighbours).read(content, path: path)
///     neighbours.areUsed("Pins.kt")       // a file of constants alone is of use all the same
package final class SourceNeighbours {
    /// Bytes of all files together; what comes behind is not looked up in.
    package static let sizeLimit = 16 << 20
    /// Files that define one name; more say nothing for certain.
    private static let candidateLimit = 8

    private struct Neighbour {
        var path: String
        var code: SourceEvaluator
    }

    private var byType: [String: [Neighbour]] = [:]
    private var byName: [String: [Neighbour]] = [:]
    private var used: Set<String> = []

    package init(_ files: [(path: String, content: PinFileContent)]) {
        var size = 0
        for (path, content) in files {
            size += content.bytes.count
            // What cannot be read is told where it is read by itself.
            guard size <= Self.sizeLimit, let code = try? SourceFile.code(content, path: path) else { continue }
            code.neighbours = self
            code.path = path
            let neighbour = Neighbour(path: path, code: code)
            for name in code.index.types.keys { byType[name, default: []].append(neighbour) }
            for (name, found) in code.index.declarations where found.contains(where: { !$0.isLocal }) {
                byName[name, default: []].append(neighbour)
            }
        }
    }

    /// A constant of the file was needed for another.
    package func areUsed(_ path: String) -> Bool { used.contains(path) }

    /// `Pins.LEAF` of a type that another file defines.
    func member(_ name: String, of type: String, for code: SourceEvaluator, line: Int, depth: Int) -> SourceItem? {
        agreed("\(type).\(name)", byType[type] ?? [], for: code, line: line) {
            $0.member(name, of: type, depth: depth)
        }
    }

    /// A name at the top of another file, or one that is imported by itself.
    func constant(_ name: String, for code: SourceEvaluator, line: Int, depth: Int) -> SourceItem? {
        agreed(name, byName[name] ?? [], for: code, line: line) { $0.exported(name, depth: depth) }
    }

    /// What all files that define it say alike, as if it stood in the line where it is used.
    private func agreed(
        _ name: String, _ all: [Neighbour], for code: SourceEvaluator, line: Int,
        _ value: (SourceEvaluator) -> SourceItem?
    ) -> SourceItem? {
        let others = all.filter { $0.path != code.path }
        guard !others.isEmpty, others.count <= Self.candidateLimit, code.spend(8) else { return nil }
        let found = others.map { value($0.code)?.plain(at: line) }
        if let first = found[0], found.count == 1 || found.allSatisfy({ $0?.text != nil && $0?.text == first.text }) {
            used.formUnion(others.map(\.path))
            return first
        }
        let definers = zip(others, found).filter { $1 != nil }.map(\.0.path)
        guard definers.count > 1 else { return nil }
        // Each of them was needed, and none can be taken.
        used.formUnion(definers)
        let names = definers.map { Printable.excerpt($0) }
        return SourceItem(
            .unknown("\(name), which \(English.list(names)) define differently"), line: line)
    }
}

extension SourceEvaluator {
    /// A name that others see: of the file, or of one type alone.
    fileprivate func exported(_ name: String, depth: Int) -> SourceItem? {
        let found = (index.declarations[name] ?? []).filter { !$0.isLocal }
        guard found.count == 1 || found.allSatisfy({ $0.scope < 0 }) else { return nil }
        return lookUp(name, at: source.tokens.count, [:], depth: depth)
    }
}

extension SourceItem {
    /// Texts, numbers and collections of them, as of a line; nil where it is something of its own file's.
    fileprivate func plain(at line: Int) -> SourceItem? {
        switch value {
        case .text, .number, .bool: return SourceItem(value, line: line)
        case .list(let items):
            let plain = items.compactMap { $0.plain(at: line) }
            return plain.count == items.count ? SourceItem(.list(plain), line: line) : nil
        case .dictionary(let entries):
            let plain = entries.compactMap { entry -> SourceEntry? in
                guard let key = entry.key.plain(at: line), let value = entry.value.plain(at: line) else { return nil }
                return SourceEntry(key: key, value: value)
            }
            return plain.count == entries.count ? SourceItem(.dictionary(plain), line: line) : nil
        case .pair(let first, let second):
            guard let first = first.plain(at: line), let second = second.plain(at: line) else { return nil }
            return SourceItem(.pair(first, second), line: line)
        case .null, .call, .type, .closure, .unknown: return nil
        }
    }
}
