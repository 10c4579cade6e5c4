import Facts

/// The files of an `.ipa`, by whoever can unpack one.
package struct IPAMembers {
    /// As they stand in the archive: `Payload/App.app/Info.plist`.
    package var names: [String]
    /// Unpacked; at most so many bytes, and a fault for one that has more or is broken.
    package var content: (_ name: String, _ limit: Int) throws(PinFileFault) -> [UInt8]

    package init(names: [String], content: @escaping (_ name: String, _ limit: Int) throws(PinFileFault) -> [UInt8]) {
        self.names = names
        self.content = content
    }
}
