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
    /// What stands for the post's id in links: `post_id`, and in pnut's dialect `object_id` (§6.3).
    private let template: String

    /// - Throws: ``AppNetFailure`` with 400.
    init(_ body: JSONValue, call: AppNetCall) throws {
        template = call.request.isPnut ? "object_id" : "post_id"
        isMachineOnly = body["machine_only"]?.lenientFlag ?? false
        annotations = try AnnotationRules(call: call, place: .post).created(body["annotations"])
        let sent = body["text"] == .null ? nil : body["text"]
        if isMachineOnly {
            guard sent == nil, !annotations.isEmpty else {
                throw AppNetFailure.badRequest("A machine only post has annotations and no text.")
            }
            mentions.mentions = try call.machineMentions(body["entities"])
            return
        }
        guard let sent = sent?.stringValue, !sent.isEmpty else {
            throw AppNetFailure.badRequest("You must supply text.")
        }
        let written = try WrittenText(text: sent, entities: body["entities"], isPnut: call.request.isPnut)
        text = try call.textProcessor.process(written, maximum: TextLimits.post)
    }

    /// What stands in the post: with the post's id in the place of templates.
    func expanded(_ id: Int64) -> (entities: AppNetEntities, annotations: [JSONValue]) {
        (
            text?.replacingTemplates(template, with: id).entities ?? mentions,
            annotations.map { AnnotationTemplates.replaced($0, template, id) }
        )
    }
}
