import Facts

/// What a run is of, as reports in JSON have it.
enum RunFacts {
    /// `"labels": {…}, "artefacts": […]`.
    static func write(_ input: ReportInput, to json: inout JSONWriter) {
        json.key("labels")
        json.beginObject(inline: true)
        for (name, value) in input.sortedLabels { json.field(name, value) }
        json.endObject()
        json.key("artefacts")
        json.beginArray()
        for artefact in input.artefacts {
            json.beginObject(inline: true)
            json.field("file", artefact.file)
            json.field("sha256", artefact.sha256)
            json.field("bytes", artefact.bytes)
            json.endObject()
        }
        json.endArray()
    }
}
