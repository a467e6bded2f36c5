internal import HeliumJSON
internal import HeliumServerKit

/// The validated content of a new post or message (Docs/Protocols/AppNet.md §2.2, §2.7, §3.6).
struct ContentDraft: TextContent {
    private(set) var text: String?
    var entities: AppNetEntities
    var annotations: [JSONValue]
    let isMachineOnly: Bool

    /// - Parameter place: ``AnnotationRules/Place/post``, or the place of messages.
    /// - Throws: ``AppNetFailure`` with 400 if the body is invalid.
    init(_ body: JSONValue, in place: AnnotationRules.Place, context: AppNetContext) throws {
        isMachineOnly = body["machine_only"]?.lenientFlag ?? false
        annotations = try AnnotationRules(context: context, place: place).created(body["annotations"])
        let sent = body["text"] == .null ? nil : body["text"]
        let mentions = MentionResolver(context)
        if isMachineOnly {
            let isPrivate = place == .message(channelType: AppNetChannel.privateMessages)
            try require(!isPrivate, "Private messages cannot be machine only.")
            let kind = place == .post ? "post" : "message"
            try require(sent == nil && !annotations.isEmpty, "A machine only \(kind) has annotations and no text.")
            entities = AppNetEntities(mentions: try mentions.machineMentions(body["entities"]))
            return
        }
        guard let sent = sent?.stringValue, !sent.isEmpty else {
            throw AppNetFailure.badRequest("You must supply text.")
        }
        let written = try WrittenText(text: sent, entities: body["entities"], rules: context.request.dialect.text)
        let maximum = place == .post ? TextLimits.post : TextLimits.message
        let processed = try mentions.textProcessor.process(written, maximum: maximum)
        (text, entities) = (processed.text, processed.entities)
    }
}
