import Facts

/// Which TLS stack a client is, by its ClientHello.
///
/// Rather nothing than a wrong name: all tells of a rule have to hold, and where rules of several stacks do, all of them
/// are candidates. What was measured comes first; a rule from documentation or source alone names a stack only where
/// nothing measured does, and is a candidate beside the library that it stands on.
package enum StackRecogniser {
    /// One name, candidates, or nothing.
    package static func names(of hello: ClientHello) -> [StackName] {
        let fitting = StackRule.all.filter { rule in rule.tells.allSatisfy { $0.holds(for: hello) } }
        let measured = Set(fitting.lazy.filter(\.isMeasured).map(\.name))
        var names = measured.filter { name in !measured.contains { $0.base == name } }
        for rule in fitting where !rule.isMeasured {
            // Beside a measured name it says something only if it is more exact.
            if names.isEmpty || names == Set([rule.name.base].compactMap(\.self)) { names.insert(rule.name) }
        }
        return StackName.allCases.filter(names.contains)
    }
}

/// Tells that, together, are those of one stack.
struct StackRule: Hashable, Sendable {
    var name: StackName
    /// By hellos recorded from the stack itself; else only by documents, source code, or clients that imitate it.
    var isMeasured = true
    var tells: [StackTell]
}
