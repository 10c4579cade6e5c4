import Flows

/// Which flows are wanted.
///
/// Made by `Filter.parse`; `description` is what was parsed in normal form, and means the same.
package struct Filter: Hashable, Sendable {
    package var root: FilterNode

    package init(_ root: FilterNode) { self.root = root }

    /// Every flow.
    package static let everything = Filter(.all([]))

    package var isEverything: Bool { root == .all([]) }

    package func matches(_ flow: Flow, _ content: some FilterContent) -> Bool { root.matches(flow, content) }

    /// Both want it.
    package func and(_ other: Filter) -> Filter { Filter(.all(joining: [root, other.root])) }

    /// This one wants it, and the other does not.
    package func without(_ other: Filter) -> Filter { Filter(.all(joining: [root, .not(other.root)])) }

    /// Some flows cannot be judged without their bodies or messages.
    package var needsBodies: Bool {
        root.contains {
            switch $0 {
            case .anywhere, .body: true
            default: false
            }
        }
    }

    /// The terms that every wanted flow fits.
    package var required: [FilterTerm] {
        let nodes = if case .all(let nodes) = root { nodes } else { [root] }
        return nodes.compactMap { if case .term(let term) = $0 { term } else { nil } }
    }

    /// Texts that every wanted flow has somewhere in URL, headers, bodies or messages, but for letters' case: what a
    /// full-text index can be asked for. Empty: it cannot help.
    package var requiredWords: [String] {
        required.flatMap { term in
            switch term {
            case .anywhere(let text), .body(_, let text), .part(.url, let text), .header(_, name: _, let text?):
                text.literals
            default: [String]()
            }
        }
    }
}
