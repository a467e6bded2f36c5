internal import HeliumJSON
internal import HeliumServerKit

/// What a client wants to post, checked (§2.7, §3.6).
struct PostDraft {
    /// Nil where it is machine only.
    var text: ProcessedText?
    /// The mentions of a machine only post, which have no place in a text.
    var mentions = AppNetEntities()
    var annotations: [JSONValue]
    var isMachineOnly: Bool
    /// The name that stands for the post's id in links.
    private let template: String

    /// - Throws: ``AppNetFailure`` with 400.
    init(_ body: JSONValue, context: AppNetContext) throws {
        template = context.request.dialect.postTemplate
        isMachineOnly = body["machine_only"]?.lenientFlag ?? false
        annotations = try AnnotationRules(context: context, place: .post).created(body["annotations"])
        let sent = body["text"] == .null ? nil : body["text"]
        if isMachineOnly {
            guard sent == nil, !annotations.isEmpty else {
                throw AppNetFailure.badRequest("A machine only post has annotations and no text.")
            }
            mentions.mentions = try MentionResolver(context).machineMentions(body["entities"])
            return
        }
        guard let sent = sent?.stringValue, !sent.isEmpty else {
            throw AppNetFailure.badRequest("You must supply text.")
        }
        let written = try WrittenText(text: sent, entities: body["entities"], rules: context.request.dialect.text)
        text = try MentionResolver(context).textProcessor.process(written, maximum: TextLimits.post)
    }

    /// What stands in the post: with the post's id in the place of templates.
    func expanded(_ id: Int64) -> (entities: AppNetEntities, annotations: [JSONValue]) {
        (
            text?.replacingTemplates(template, with: id).entities ?? mentions,
            annotations.map { AnnotationTemplates.replaced($0, template, id) }
        )
    }
}
