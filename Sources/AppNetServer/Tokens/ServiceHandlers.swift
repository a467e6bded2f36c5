internal import HeliumJSON
internal import HeliumServerKit

/// The calls that read the service's configuration and process texts (Docs/Protocols/AppNet.md §2.6).
struct ServiceHandlers: RequestScoped {
    let context: AppNetContext

    /// Handles `GET config`.
    func readConfiguration() -> AppNetResponse {
        func limits(text: Int?) -> JSONValue {
            var json: JSONValue = ["annotation_max_bytes": .count(TextLimits.annotationBytes)]
            if let text { json["text_max_length"] = .count(text) }
            return json
        }
        return .data([
            "text": [
                "uri_template_length": [
                    "post_id": .count(TextLimits.postID), "message_id": .count(TextLimits.messageID),
                ]
            ],
            "user": limits(text: TextLimits.user), "file": limits(text: nil), "post": limits(text: TextLimits.post),
            "message": limits(text: TextLimits.message), "channel": limits(text: nil),
        ])
    }

    /// Handles `POST text/process`.
    func processText() throws -> AppNetResponse {
        let body = try context.body()
        guard let text = body["text"]?.stringValue else { throw AppNetFailure.badRequest("You must supply text.") }
        let written = try WrittenText(text: text, entities: body["entities"], rules: context.request.dialect.text)
        let processed = try MentionResolver(context).textProcessor.process(written, maximum: TextLimits.message)
        return .data(.object(processed.members(html: true)))
    }
}
