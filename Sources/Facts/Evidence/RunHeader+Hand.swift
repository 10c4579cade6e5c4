extension RunHeader {
    /// A person went through the phases, device in hand: there was no COMMAND.
    package var isByHand: Bool { options["command"] == nil && options["phase_seconds"] != nil }
}
