import Gate
import Support

/// COMMAND, which the tests' own `Support.Command` would be mistaken for.
typealias Command = Gate.Command
