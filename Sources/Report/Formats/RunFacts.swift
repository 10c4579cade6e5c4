import Facts

/// What a run is of, as reports in JSON have it.
enum RunFacts {
    /// `"labels": {…}, "artefacts": […]`, and of the first of them that is an app `"artefact": {…}`.
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
        guard let artefact = input.artefacts.first(where: { $0.app != nil }), let app = artefact.app else { return }
        json.key("artefact")
        json.beginObject(inline: true)
        json.field("path", artefact.file)
        json.field("sha256", artefact.sha256)
        json.field("id", orNull: app.id)
        json.field("version", orNull: app.version)
        json.field("debuggable", app.debuggable)
        json.endObject()
    }
}
