extension RequestBuilder {
    /// Where the request goes, without its body being made; no I/O.
    ///
    /// - Throws: ``FailureKind/invalidRequest``, as sending it would.
    func destination() throws(HeliumError) -> (url: RequestURL, summary: RequestSummary) {
        var draft = draft
        draft.content = nil
        let prepared = try draft.prepared(for: pipeline, accept: nil, selection: reader.selection, isStream: false)
        return (prepared.request.url, prepared.summary)
    }
}
