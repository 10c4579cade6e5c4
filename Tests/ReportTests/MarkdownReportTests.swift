import Testing
import Verdict

@testable import Report

@Suite struct MarkdownReportTests {
    @Test("a pass, byte for byte")
    func golden() {
        let expected = """
            ## ✅ pinproof: pass

            1 host proven pinned, 1 accepted as expected.

            Profile <code>release</code>, exit status 0, 12.3 s, pinproof 0.1.0.

            | | Host | Expected | Verdict | Why | Missing |
            |---|---|---|---|---|---|
            | ✅ | <code>pay.example.com</code> | refuse | **proven-pinned** (S2a) | it refused every forged chain, while cdn.example.com accepted the same CA in the same runs |  |
            | ✅ | <code>cdn.example.com</code> | accept | **accepted** | it carried data under the trusted CA |  |

            <details><summary><code>pay.example.com</code> – proven-pinned</summary>

            Cold starts with a delivered refusal: 3, so that acceptances are at most 63% of all starts (95% bound).

            | Attack | Connections | data | alert | silent | post | idle | early | negotiation | resumed | Alerts, bytes | Evidence lines |
            |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|---|
            | passthrough | 4 |  |  |  |  |  |  |  |  | 2048 bytes up, 40960 down | 3, 9, 15, 40 |
            | trusted-ca | 4 |  | 3 |  |  |  | 1 |  |  | certificate&#95;unknown 3 | 5, 11, 17-18 |
            | untrusted-ca | 1 |  | 1 |  |  |  |  |  |  | unknown&#95;ca 1 | 20 |
            | wrong-key | 1 |  |  |  |  |  | 1 |  |  |  | 22 |
            | expired | 2 |  |  |  | 2 |  |  |  |  |  | 24-25 |

            This build, in this journey, on this device and OS, sent no application byte to pay.example.com under any attack tried (trusted-ca, untrusted-ca, expired), while it trusted our CA (in the same runs a control host on the same TLS stack carried data under it: S2a) and talked to the genuine host. 3 cold starts, every one refused: with 95% confidence it accepts in at most 63% of cold starts.

            - It does not claim resistance to hooking or instrumentation, nor anything about other journeys, other builds, other versions of the OS, or QUIC.
            - What does not come through the proxy was not watched (--watch-network does).
            - S2a assumes that the build gives the host the same trust anchors as the control, and no other policy for it alone.
            - Not tried: wrong-key, smuggled-chain, cloned-identity, other-host, self-signed, not-yet-valid, silent-server, later-connection, resumed-session, leaf-as-ca, bad-signature, wrong-usage, weak-crypto, old-tls, cleartext-fallback, redirect.
            - Nor was the clock moved past a pin's expiration, or a fallback looked for once COMMAND had ended.
            - What the app keeps outside of PINPROOF&#95;STATE may have gone from start to start, and what a server, an account or the absence of a proxy decides is not seen.

            </details>

            <details><summary><code>cdn.example.com</code> – accepted</summary>

            | Attack | Connections | data | alert | silent | post | idle | early | negotiation | resumed | Alerts, bytes | Evidence lines |
            |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|---|
            | trusted-ca | 3 | 3 |  |  |  |  |  |  |  |  | 8, 14, 20 |

            </details>

            Attacks in this run: trusted-ca, untrusted-ca, wrong-key, smuggled-chain, other-host, expired.  
            Run folder: <code>runs/20260101T000000Z-release</code>  

            """
        #expect(MarkdownReport.text(Samples.input(Samples.passed)) == expected)
    }

    @Test("what is missing and what to do about it are told, and typed words are code")
    func advice() {
        let text = MarkdownReport.text(Samples.input(Samples.mixed))
        #expect(text.contains("- **trust-control** (<code>api.example.com</code>): Show that this build trusts"))
        #expect(text.contains("name under <code>controls:</code> a host"))
        #expect(text.contains("| trust-control, attack:other-host |"))
    }

    @Test("no text from outside adds a line, a cell, a tag, a link or a mention", arguments: Samples.texts.indices)
    func hostile(_ index: Int) {
        let lines = MarkdownReport.text(Samples.hostileInput(index)).split(
            separator: "\n", omittingEmptySubsequences: false)
        let plain = MarkdownReport.text(Samples.plainInput).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == plain.count)
        for (line, model) in zip(lines, plain) {
            for structure in "|`<>[]*_@~\\" {
                // Control characters are written with a backslash, and that as an entity: only ours are bare.
                #expect(line.count { $0 == structure } == model.count { $0 == structure }, "\(structure) in \(line)")
            }
            #expect(!line.contains("://") && !line.contains("www."))
        }
    }
}
