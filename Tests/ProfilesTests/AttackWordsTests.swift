import Facts
import Policy
import Testing

@testable import Profiles

@Suite struct AttackWordsTests {
    @Test("sets stand for themselves alone, and for their attacks among others")
    func sets() throws {
        #expect(try AttackWords.selection(of: ["quick"]) == .set(.quick))
        #expect(try AttackWords.selection(of: ["all"]) == .set(.all))
        #expect(
            try AttackWords.selection(of: ["expired", "quick"])
                == .list([.trustedCA, .untrustedCA, "lent-key", "expired"]))
        #expect(try AttackWords.selection(of: ["passthrough"]) == .list([]))
    }

    @Test("every attack of the catalogue can be chosen by its id")
    func catalogue() throws {
        for attack in AttackCatalogue.all {
            #expect(try AttackWords.selection(of: [attack.id.rawValue]) == .list([attack.id]))
        }
    }

    @Test("an unknown id leads to the nearest known one, and to the list")
    func unknown() {
        let known = "hint: known: quick, standard, all, trusted-ca"
        let text = complaint(in: "attacks:\n  - trusted_ca\n  - zzz\n")
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.prefix(2) == ["3:5: unknown attack \"trusted_ca\"", "hint: did you mean \"trusted-ca\"?"])
        #expect(lines[2].hasPrefix(known))
        #expect(lines[3] == "4:5: unknown attack \"zzz\"")
        #expect(
            complaint(in: "attacks: qick").hasPrefix("2:10: unknown attack \"qick\"\nhint: did you mean \"quick\"?"))
        #expect(
            complaint(in: "attacks: []") == "2:10: no attack is named\nhint: leave attacks out for the standard set")
    }

    @Test("attacks are words or a list of them")
    func types() {
        #expect(
            complaint(in: "attacks: { quick: true }")
                == "2:10: \"attacks\" is a map, not a set of attacks or a list of them")
        #expect(complaint(in: "attacks: [[quick]]") == "2:11: an entry of \"attacks\" is a list, not text")
        #expect(
            complaint(in: "attacks:") == """
                2:9: "attacks" is empty, not a set of attacks or a list of them
                hint: give it a value, or leave the key out
                """)
    }
}
