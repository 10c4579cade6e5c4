import Facts
import Testing

@testable import Pins

@Suite("Whether files agree: JSON")
struct PinSyncJSONTests {
    @Test("the JSON shows what counts on each platform, and what differs")
    func json() {
        let files = [
            file(
                "n.xml", .androidNSC, [entry("a.com", [pin(1), pin(2)], .androidNSC, line: 7, expires: "2027-06-01")]),
            file("i.plist", .appleATS, [entry("a.com", [pin(1, .leaf)], .appleATS, line: 4)]),
        ]
        #expect(
            String(decoding: PinSync(files).json, as: UTF8.self) == """
                {
                  "schema": "pinproof.sync/1",
                  "agree": false,
                  "unclear": false,
                  "files": [
                    {"path": "n.xml", "format": "android-nsc"},
                    {"path": "i.plist", "format": "apple-ats"}
                  ],
                  "hosts": [
                    {
                      "host": "a.com",
                      "pattern": "a.com",
                      "agree": false,
                      "unclear": false,
                      "stacks": [
                        {
                          "file": "n.xml",
                          "line": 7,
                          "format": "android-nsc",
                          "pinned": true,
                          "enforced": true,
                          "pins_known": true,
                          "expires": "2027-06-01",
                          "pins": [
                            "\(pin(1).name)",
                            "\(pin(2).name)"
                          ],
                          "leaf_pins": [],
                          "ca_pins": [],
                          "certificate_pins": []
                        },
                        {
                          "file": "i.plist",
                          "line": 4,
                          "format": "apple-ats",
                          "pinned": true,
                          "enforced": true,
                          "pins_known": true,
                          "expires": null,
                          "pins": [
                            "\(pin(1).name)"
                          ],
                          "leaf_pins": ["\(pin(1).name)"],
                          "ca_pins": [],
                          "certificate_pins": []
                        }
                      ]
                    }
                  ],
                  "disagreements": [
                    {"id": "missing-pin", "severity": "error", "host": "a.com", "file": "i.plist", "line": 4, "format": \
                "apple-ats", "pin": "\(pin(2).name)", "text": "lacks \(pin(2).name) for a.com, which n.xml:7 has"},
                    {"id": "expiry", "severity": "note", "host": "a.com", "file": "i.plist", "line": 4, "format": \
                "apple-ats", "pin": null, "text": "pins a.com without end, and the pins of n.xml:7 are off from \
                2027-06-01 on"}
                  ]
                }

                """)
    }

    @Test("where pins are not at hand, or a host is not named, it cannot be said whether files agree")
    func unclear() {
        let keys = file("n.xml", .androidNSC, [entry("a.com", [pin(1)], .androidNSC, line: 7)])
        let bundle = file("a.swift", .alamofire, [entry("a.com", [], .alamofire, line: 3, known: false, pinned: true)])
        let found = PinSync([keys, bundle])
        #expect(!found.agrees && !found.disagrees && found.isUnclear && found.hosts.map(\.isUnclear) == [true])
        #expect(
            found.text.hasSuffix(
                "it cannot be said whether the files agree: 1 of 1 host with pins that are not at hand\n"))
        let header = file("h.txt", .hpkp, [entry(nil, [pin(1)], .hpkp, line: 1)])
        #expect(PinSync([keys, header]).isUnclear && !PinSync([keys, header]).agrees)
        #expect(PinSync([keys, header]).text.hasSuffix("whether the files agree: 1 entry without a host\n"))
        // What differs is known whatever else is not.
        let other = file("o.kt", .okHttp, [entry("a.com", [pin(2)], .okHttp, line: 2)])
        #expect(PinSync([keys, bundle, other]).disagrees && !PinSync([keys, bundle, other]).isUnclear)
        // One file alone has nothing to agree with.
        #expect(PinSync([bundle]).isUnclear)
    }

    @Test("what a file says plays no tricks on a terminal")
    func terminal() {
        let files = [
            file("n\u{1b}[2J.xml", .androidNSC, [entry("a\u{202e}.com", [pin(1)], .androidNSC)]),
            file("o.kt", .okHttp, [entry("b.com", [pin(1)], .okHttp)]),
        ]
        #expect(!PinSync(files).text.unicodeScalars.contains { $0 != "\n" && !$0.isPrintable })
    }
}
