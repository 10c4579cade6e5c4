import CFiles

/// A text that is part of the program.
package struct EmbeddedFile: Sendable {
    package let name: String
    package let bytes: [UInt8]

    /// - Parameter file: one with a name.
    private init(_ file: pp_file) {
        unsafe name = String(cString: file.name)
        unsafe bytes = Array(String(cString: file.text).utf8)
    }

    /// Every file of the page, in the order of their names.
    package static var page: [EmbeddedFile] {
        var found: [EmbeddedFile] = []
        guard var next = unsafe pp_page_files() else { return found }
        while unsafe next.pointee.name != nil {
            unsafe found.append(EmbeddedFile(next.pointee))
            unsafe next += 1
        }
        return found
    }

    /// SwiftPM's Package.resolved, as JSON: the Swift packages that the program was built with. Empty where it was built without.
    package static var resolvedPackages: [UInt8] {
        unsafe pp_resolved_packages().map { unsafe EmbeddedFile($0.pointee).bytes } ?? []
    }
}
