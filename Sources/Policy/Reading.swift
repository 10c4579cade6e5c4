import Facts

/// How the judge reads what a client did under a form of an attack.
///
/// It stands beside the recipe, which says what the forge shows. A form says in its attack's file how it is read, and
/// `Verdict` asks that: it looks for no attack by its name but the two that every verdict rests on. The default is that of a
/// chain which a safe client refuses, and which each client meets.
package struct Reading: Hashable, Sendable {
    /// The ends of a connection which show that a client met it and did not fall for it.
    package enum End: Hashable, Sendable {
        /// A refusal that counts.
        case refusal
        /// The same, or an alert that says that such a certificate cannot be used at all.
        case unusable
        /// The same; or no handshake at all, where the client verifies no key of ours that is of this kind.
        case unusableOrUnverifiable
        /// Any end without data: that no TLS came about is what a safe client makes of it.
        case any
    }

    /// What application data under it is.
    package enum Data: Hashable, Sendable {
        /// It shows that the client does not refuse what has to be refused.
        case witness
        /// It shows that the client trusts the CA: a control by the operator's leave.
        case control
        /// There can be none. What tells is data without TLS, on a connection after it.
        case inTheClearOnly
    }

    /// What a client has to do before it meets the form at all.
    ///
    /// Without that the form is not in the way of a proof.
    package enum Occasion: Hashable, Sendable {
        /// To connect is enough.
        case none
        /// To open the connections that the conduct's onset names, or to try again after an outage.
        case furtherConnection
        /// To take up a session again.
        case resumption
        /// To follow a redirect.
        case redirect
        /// To have left something of an earlier start behind, and to ask for the host when it begins with that.
        case earlierStart
        /// To offer a version, a protocol or an algorithm that not every client has.
        case offer
        /// To come to TLS within a dialogue that begins in the clear (STARTTLS).
        case dialogue
    }

    /// What an answer to it shows beside whether it was refused.
    package enum Probe: Hashable, Sendable {
        /// A complaint about the handshake's signature alone: the genuine chain passed the certificate stage.
        case genuineChain
        /// The same complaint: another host's chain of the same CA passed it, so the name was not looked at.
        case anotherName
        /// How often a client tries before it gives up.
        case outages
    }

    /// Its part in comparing what one stack makes of two chains which differ in the CA alone.
    package enum Differential: Hashable, Sendable {
        case trusted, untrusted
        /// No trusted issuer either: who gets on with it gets on with `untrusted` by chance.
        case alsoUntrusted
    }

    /// When a form that does not belong to the standard set is tried there all the same.
    ///
    /// It is in reserve: it comes once all else was refused.
    package enum Reserve: Hashable, Sendable {
        /// Always; alone where another host's refusal was in the way.
        case always
        /// Where the client visits other hosts as well, untouched.
        case inCompany
        /// Where the client took the CA at a host that does not have to refuse.
        case besideForged
        /// Where the client took a genuine issuer for the one that is only named like it (`Recipe.namesGenuineIssuers`).
        case tookGenuineIssuer
    }

    package var end: End
    package var data: Data
    package var occasion: Occasion
    package var probe: Probe?
    package var differential: Differential?
    package var reserve: Reserve?

    package init(
        end: End = .refusal, data: Data = .witness, occasion: Occasion = .none, probe: Probe? = nil,
        differential: Differential? = nil, reserve: Reserve? = nil
    ) {
        self.end = end
        self.data = data
        self.occasion = occasion
        self.probe = probe
        self.differential = differential
        self.reserve = reserve
    }
}
