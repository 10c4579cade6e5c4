/// What property lists in XML begin and end with.
enum PropertyListText {
    static func wrapped(_ body: String, _ notes: [String]) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        \(ExportComment.xml(notes + ["put what is below into the app's Info.plist"]))<plist version="1.0">
        <dict>
        \(body)</dict>
        </plist>

        """
    }
}
