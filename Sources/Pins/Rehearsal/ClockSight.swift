import Facts

/// What an app whose clock was set to a day to come made of a key that no pin names.
///
/// Pins may end on a day (Android's `expiration`, TrustKit's `kTSKExpirationDate`): from then on the platform does not look at
/// them. The certificate that was shown begins the day before, so that only a client with that clock takes it for valid.
package struct ClockSight: Hashable, Sendable {
    package var day: CalendarDate
    package var sight: RehearsalSight
    /// What it made of the same certificate with its own clock.
    package var withoutClock: RehearsalSight
    /// A host without pins where the certificate was taken with the clock set, and was not without.
    package var control: String?

    package init(day: CalendarDate, sight: RehearsalSight, withoutClock: RehearsalSight, control: String?) {
        self.day = day
        self.sight = sight
        self.withoutClock = withoutClock
        self.control = control
    }

    package var name: String { "clock-\(day)" }
}

extension RehearsalJudge {
    /// Whether the app works on a day to come with the chain that the server has now, and whether its pins hold then.
    package func judge(_ clock: ClockSight) -> Rehearsed {
        let day = clock.day
        guard evidence.worked else {
            let why = evidence.fault ?? "untouched, the app and this host did not talk in this run"
            return Rehearsed(clock.name, .unclear, .none, why)
        }
        if evidence.isUnpinned {
            let why = "seen: the app takes any certificate that its platform trusts, today as well"
            return Rehearsed(clock.name, .works, .seen, why, isProtected: false)
        }
        switch clock.sight {
        case .accepted:
            let why =
                "seen: with its clock at \(day) the app takes a key that no pin names: its pins are off by then, so nobody is locked "
                + "out, and nobody is protected"
            return Rehearsed(clock.name, .works, .seen, why, isProtected: false)
        case .refused(let refusal):
            guard let witness = witness(clock, refusal) else {
                let why =
                    "nothing shows that the app took the clock: it refused a certificate of \(day), and no control took one; set the "
                    + "client's clock by PINPROOF_CLOCK, and give the profile a control"
                return Rehearsed(clock.name, .unclear, .none, why)
            }
            let why =
                "seen: with its clock at \(day) the app still refuses a key that no pin names (\(witness)): its pins hold then"
            let keeps = evidence.genuine.map { rules.prediction($0) == true } ?? false
            return keeps
                ? Rehearsed(clock.name, .works, .pins, why + ", and it works with the keys of today", isProtected: true)
                : Rehearsed(
                    clock.name, .unclear, .none, why + "; whether it works then is not clear", isProtected: true)
        case .mixed, .unusable:
            let why = "with its clock at \(day) the app came to different ends, or could not use the key: run it again"
            return Rehearsed(clock.name, .unclear, .none, why)
        case .nothing(let reason):
            let why = "with its clock at \(day) the app did not come to this host" + (reason.map { ": \($0)" } ?? "")
            return Rehearsed(clock.name, .unclear, .none, why)
        }
    }

    /// What shows that the clock was taken; nil where nothing does.
    private func witness(_ clock: ClockSight, _ refusal: RehearsalSight.Refusal) -> String? {
        // What is not said of an unknown key today is said of the dates.
        guard let usual = evidence.unknownKey.refusal, refusal == usual else { return nil }
        if let control = clock.control { return "\(control) took a certificate of that day, and does not today" }
        // It got past the dates with the clock, up to the pins, and not without.
        guard let today = clock.withoutClock.refusal,
            today != usual
        else { return nil }
        return "as it does today, and not as it refuses a certificate that has not begun"
    }
}
