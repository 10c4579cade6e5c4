import Testing

@testable import Gate

@Suite struct ResultPrinterTests {
    @Test("no line of a table is a command of the runner's")
    func commands() {
        #expect(
            ResultPrinter.withoutCommands("a\n  ::error::x\n::1 is an address\n\n a ::b")
                == "a\n  : :error::x\n: :1 is an address\n\n a ::b")
    }
}
