import Testing

@testable import Console

@Suite struct TerminalTests {
    @Test(
        "colours are shown where people and terminals say so, NO_COLOR before all",
        arguments: [
            ([:], true, true), ([:], false, false), (["NO_COLOR": "1"], true, false), (["NO_COLOR": ""], true, true),
            (["FORCE_COLOR": "1"], false, true), (["FORCE_COLOR": ""], false, false),
            (["FORCE_COLOR": "0"], true, false), (["FORCE_COLOR": "1", "NO_COLOR": "1"], true, false),
            (["CLICOLOR_FORCE": "1"], false, true), (["CLICOLOR_FORCE": "0"], false, false),
            (["CLICOLOR_FORCE": "1", "NO_COLOR": "x"], false, false), (["CLICOLOR": "0"], true, false),
            (["CLICOLOR": "0", "CLICOLOR_FORCE": "1"], false, true), (["TERM": "dumb"], true, false),
            (["TERM": "dumb", "FORCE_COLOR": "3"], true, true),
        ] as [([String: String], Bool, Bool)])
    func colors(_ environment: [String: String], _ isTerminal: Bool, _ expected: Bool) {
        #expect(Terminal.hasColor(isTerminal: isTerminal, environment) == expected)
    }

    @Test("the width is what COLUMNS says, else what the terminal has")
    func widths() {
        #expect(Terminal.columns(said: "72", measured: 120) == 72)
        #expect(Terminal.columns(said: nil, measured: 61) == 61)
        for nonsense in ["", "x", "0", "5", "100000"] {
            #expect(Terminal.columns(said: nonsense, measured: 61) == 61)
        }
        #expect(Terminal.columns(said: nil, measured: 0) == nil)
    }
}
