import Testing

@testable import Gate

@Test("how one run of COMMAND went is a few words")
func endingWords() {
    var ending = CommandEnding()
    ending.exit = 7
    ending.seconds = 1.25
    #expect(ending.words == "exit 7 after 1.3 s")
    ending.signal = 9
    #expect(ending.words == "ended by signal 9 after 1.3 s")
    ending.timedOut = true
    #expect(ending.words == "ended by --attempt-timeout after 1.3 s")
    ending.interrupted = true
    #expect(ending.words == "interrupted after 1.3 s")
}
