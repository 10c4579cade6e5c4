/// What came of reading a property list: hosts, and all that TrustKit raises at.
package struct AppleReading: Hashable, Sendable {
    package var file: PinFile
    /// In the order in which TrustKit would come to them; it stops at the first.
    package var faults: [PinFileFault] = []

    mutating func raise(_ line: Int, _ message: String) {
        faults.append(PinFileFault(line: line, "TrustKit raises an exception: \(message)", .failsClosed))
    }

    mutating func tell(_ id: PinNote.ID, _ line: Int, _ text: String) {
        file.notes.append(PinNote(id, line: line, text))
    }
}
