/// Reads expressions as far as their file alone says what they are; runs nothing.
///
/// Names are looked up where they are used, from the innermost block outwards. What is not known stays unknown, and
/// keeps the text that stands there, so that a reader can say what it was.
final class SourceEvaluator {
    /// Values by the names of loop variables, parameters and closures' arguments.
    typealias Environment = [String: SourceItem]

    /// Expressions within expressions and functions within functions; each costs stack.
    static let depthLimit = 48
    /// Steps for a whole file: real ones need some ten thousand, and a file made to take long is refused.
    static let stepLimit = 1_000_000
    /// Bytes of one string that is put together, and items of one list.
    static let sizeLimit = 1 << 16

    let source: SourceText
    let index: SourceIndex
    var steps = 0
    /// Other files of the same call, and this one's name among them.
    weak var neighbours: SourceNeighbours?
    var path = ""
    /// A loop or a list goes on beyond its bound.
    var isCut = false
    /// By the place of the declaration.
    private var known: [Int: SourceItem] = [:]
    private var inProgress: Set<Int> = []
    /// Of `environments(at:)`: functions whose callers are being looked for.
    var functionsInProgress: Set<Int> = []

    init(_ source: SourceText) {
        self.source = source
        index = SourceIndex(source)
    }

    /// False where the file has used up what may be spent on it.
    func spend(_ count: Int = 1) -> Bool {
        steps += count
        return steps <= Self.stepLimit
    }

    /// - Throws: where a bound was met, so that something may have been left out.
    func checkBounds() throws(PinFileFault) {
        if steps > Self.stepLimit {
            throw PinFileFault(
                line: nil, "it takes more than \(Self.stepLimit) steps to follow, the most that are taken")
        }
        if isCut {
            throw PinFileFault(
                line: nil,
                "a loop has more than \(Self.roundLimit) rounds, or a list more than \(Self.sizeLimit) elements, "
                    + "the most that are followed")
        }
    }

    /// As many as are followed; more are told at the end.
    func limited<Element>(_ elements: [Element], to limit: Int) -> ArraySlice<Element> {
        if elements.count > limit { isCut = true }
        return elements.prefix(limit)
    }

    func unknown(_ start: Int, _ end: Int) -> SourceItem { unknown(source.range(start, end)) }

    func unknown(_ range: Range<Int>) -> SourceItem {
        SourceItem(.unknown(source.excerpt(range)), line: source.line(range.lowerBound))
    }

    /// One argument, element or the like, of which both ends are known.
    func value(of range: Range<Int>, _ environment: Environment = [:], depth: Int = 0) -> SourceItem {
        let (item, end) = expression(at: range.lowerBound, environment, depth: depth)
        // What is not read to its end may be anything.
        return end >= range.upperBound ? item : unknown(range)
    }

    // MARK: names

    /// What a name is where it is used; nil where the file does not say.
    func lookUp(_ name: String, at place: Int, _ environment: Environment, depth: Int) -> SourceItem? {
        if let item = environment[name] { return item }
        guard let all = index.declarations[name], spend(8) else { return nil }
        var scopes: Set<Int> = [-1]
        var block = source.block(around: place)
        while let open = block {
            scopes.insert(open)
            block = source.block(around: open)
        }
        var seen = all.filter { scopes.contains($0.scope) && $0.place != place }
        // What a release build has goes before what a debug build has in its place.
        let released = seen.filter { source[$0.place]?.isDebugOnly == false }
        if !released.isEmpty { seen = released }
        if let innermost = seen.map(\.scope).max() {
            return value(of: seen.filter { $0.scope == innermost }, environment, depth: depth)
        }
        // It is inherited, or imported by its bare name: only where no other could be meant.
        let members = all.filter { $0.owner != nil }
        return members.count == 1 ? value(of: members, environment, depth: depth) : nil
    }

    /// A member of a type of this file.
    func member(_ name: String, of type: String, depth: Int) -> SourceItem? {
        let found = (index.declarations[name] ?? []).filter {
            $0.owner == type || $0.owner == "Companion" && isCompanion($0, of: type)
        }
        return found.isEmpty ? nil : value(of: found, [:], depth: depth)
    }

    private func isCompanion(_ declaration: SourceDeclaration, of type: String) -> Bool {
        index.typeBodies[declaration.scope] == type
    }

    /// Several of one name and one scope agree, or none counts.
    private func value(of declarations: [SourceDeclaration], _ environment: Environment, depth: Int) -> SourceItem? {
        guard let first = declarations.first, declarations.count <= 8 else { return nil }
        let value = value(of: first, environment, depth: depth)
        guard declarations.count > 1 else { return value }
        let texts = declarations.map { self.value(of: $0, environment, depth: depth)?.text }
        return texts.allSatisfy { $0 != nil && $0 == texts[0] } ? value : nil
    }

    private func value(of declaration: SourceDeclaration, _ environment: Environment, depth: Int) -> SourceItem? {
        // What a local name is may depend on a loop around it; the others are the same from everywhere.
        let environment = declaration.isLocal ? environment : [:]
        if environment.isEmpty, let item = known[declaration.place] { return item }
        guard depth < Self.depthLimit, inProgress.insert(declaration.place).inserted else { return nil }
        defer { inProgress.remove(declaration.place) }
        var item: SourceItem?
        switch declaration.kind {
        case .value(let start):
            item = expression(at: start, environment, depth: depth + 1).item
        case .computed(let open):
            item = result(ofBlock: open, environment, depth: depth + 1)
        case .enumCase(let open):
            let call = SourceCall(
                name: declaration.owner ?? "", arguments: arguments(of: open, environment, depth: depth + 1))
            item = SourceItem(.call(call), line: source.line(declaration.place))
        case .deferred:
            break
        }
        item = changed(item, declaration, environment, depth: depth + 1)
        if environment.isEmpty, let item { known[declaration.place] = item }
        return item
    }

    /// What a function, a getter or a closure returns: of one `return`, or of one expression.
    func result(ofBlock open: Int, _ environment: Environment, depth: Int) -> SourceItem? {
        let end = source.end(of: open)
        var start = open + 1
        if let arrow = closureArrow(open) { start = arrow + 1 }
        var returns: [Int] = []
        var at = start
        while at < end {
            guard spend() else { return nil }
            if source.tokens[at].names("return") { returns.append(at + 1) }
            // Another function's returns are not this one's.
            if source.tokens[at].is("{"), index.functionBodies[at] != nil { at = source.end(of: at) }
            at += 1
        }
        if returns.count == 1 { return expression(at: returns[0], environment, depth: depth + 1).item }
        guard returns.isEmpty, let last = lastStatement(source.range(start, end)) else { return nil }
        return expression(at: last, environment, depth: depth + 1).item
    }

    /// Where the last statement of a block begins: its value is the block's in Kotlin and Swift.
    private func lastStatement(_ range: Range<Int>) -> Int? {
        var (at, last) = (range.lowerBound, nil as Int?)
        while at < range.upperBound, spend() {
            if source.isSymbol(";", at: at) {
                at += 1
                continue
            }
            last = at
            let end = source.statementEnd(from: at)
            at = max(end, at + 1)
        }
        return last
    }
}
