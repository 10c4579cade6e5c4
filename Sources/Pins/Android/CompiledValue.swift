/// An attribute's value as Android's resource compiler leaves it (AOSP: Res_value).
package struct CompiledValue: Hashable, Sendable {
    /// `Res_value::dataType`, as far as anybody here asks for it.
    package enum Kind {
        static let null: UInt8 = 0x00
        static let reference: UInt8 = 0x01
        static let attribute: UInt8 = 0x02
        static let string: UInt8 = 0x03
        static let float: UInt8 = 0x04
        /// Into a library that gets its number when it is loaded.
        static let dynamicReference: UInt8 = 0x07
        static let decimal: UInt8 = 0x10
        static let hexadecimal: UInt8 = 0x11
        static let boolean: UInt8 = 0x12
        /// From `TYPE_FIRST_INT` to `TYPE_LAST_INT`: numbers, booleans, colours.
        static let integers: ClosedRange<UInt8> = 0x10...0x1f
    }

    /// Of the attribute itself, `0xPPTTEEEE`; 0 where it has none. The platform goes by this, not by the name.
    package var resource: UInt32
    package var type: UInt8
    package var data: UInt32

    package init(resource: UInt32 = 0, type: UInt8, data: UInt32) {
        self.resource = resource
        self.type = type
        self.data = data
    }

    /// As `getAttributeBooleanValue` reads it (AOSP, XmlBlock.java): of strings and references it takes the default.
    package var boolean: Bool? { Kind.integers.contains(type) ? data != 0 : nil }
    package var integer: Int? { Kind.integers.contains(type) ? Int(Int32(bitPattern: data)) : nil }
    /// The resource that it names, `0xPPTTEEEE`; 0 where only the name is known.
    package var reference: UInt32? { type == Kind.reference || type == Kind.dynamicReference ? data : nil }
}
