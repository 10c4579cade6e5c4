/// A rule of `pinproof pins lint`: its id, and its name.
package struct LintRule: Hashable, Sendable {
    package let id: String
    package let name: String

    package init(_ id: String, _ name: String) {
        self.id = id
        self.name = name
    }
}
