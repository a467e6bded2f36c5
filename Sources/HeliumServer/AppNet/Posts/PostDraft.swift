/// What a client wants to post.
struct PostDraft {
    var text: ProcessedText?
    var mentions = AppNetEntities()
    var annotations: [JSONTree] = []
    var isMachineOnly = false
    var hasTemplates = false

    init(_ body: JSONTree, call: AppNetCall) throws {
        isMachineOnly = body["machine_only"]?.lenientFlag ?? false
        text = body["text"]?.stringValue.map { ProcessedText(text: $0) }
        annotations = body["annotations"]?.arrayValue ?? []
    }

    func expanded(_ id: Int64) -> (AppNetEntities, [JSONTree]) { (text?.entities ?? mentions, annotations) }
}
