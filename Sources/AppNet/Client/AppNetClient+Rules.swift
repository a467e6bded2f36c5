// Checks against the known rules of the service. Violations are found before anything is sent.
extension AppNetClient {
    /// Checks a message that is to be sent.
    ///
    /// - Throws: ``AppNetError`` of kind `invalidRequest`.
    func check(_ message: Message, channelType: AppNetChannel.Kind? = nil) throws(AppNetError) {
        try Self.check(message.isMachineOnly, message.annotations)
        var message = message
        message.text = Self.measurable(message.text, message.entities)
        let (limits, measured) = (settings.limits, message)
        // The channel's type is not known here, so content that only broadcast channels allow is left to the service to
        // check.
        try Self.anyOf(
            { () throws(RuleViolation) in try limits.validate(measured, channelType: channelType) },
            { () throws(RuleViolation) in try limits.validate(measured, channelType: channelType ?? .broadcast) }
        )
    }

    /// Checks a post that is to be sent.
    ///
    /// - Throws: ``AppNetError`` of kind `invalidRequest`.
    func check(_ post: Post) throws(AppNetError) {
        try Self.check(post.isMachineOnly, post.annotations)
        var post = post
        post.text = Self.measurable(post.text, post.entities)
        let measured = post
        try Self.following { () throws(RuleViolation) in try settings.limits.validate(measured) }
    }

    /// Checks a channel that is to be created.
    ///
    /// - Throws: ``AppNetError`` of kind `invalidRequest`.
    func checkNew(_ channel: AppNetChannel) throws(AppNetError) {
        try Self.following { () throws(RuleViolation) in
            try channel.validateForCreation(maximumAnnotationBytes: settings.limits.channel.bytes)
        }
    }

    /// Checks the changes of a channel.
    ///
    /// - Throws: ``AppNetError`` of kind `invalidRequest`.
    func check(changes: AppNetChannel) throws(AppNetError) {
        let limit = settings.limits.channel.bytes
        var broadcast = changes
        broadcast.type = changes.type ?? .broadcast
        try Self.anyOf(
            { () throws(RuleViolation) in try changes.validate(maximumAnnotationBytes: limit) },
            { () throws(RuleViolation) in try broadcast.validate(maximumAnnotationBytes: limit) }
        )
    }

    /// Checks the annotations of a file or user.
    ///
    /// - Throws: ``AppNetError`` of kind `invalidRequest`.
    func check(_ annotations: [Annotation]?, on holder: AnnotationRules.Holder) throws(AppNetError) {
        let limits = holder == .file ? settings.limits.file : settings.limits.user
        try Self.following { () throws(RuleViolation) in
            try AnnotationRules.validate(annotations ?? [], on: holder, maximumBytes: limits.bytes)
        }
    }

    /// Returns the part of a text that can be measured.
    ///
    /// Links in Markdown shorten the final text (Docs/Protocols/AppNet.md §3.6), and only the service knows by how
    /// much.
    private static func measurable(_ text: String?, _ entities: Entities?) -> String? {
        entities?.parsesMarkdownLinks == true ? text.map { String($0.prefix(1)) } : text
    }

    /// Checks that a machine-only object has annotations (Docs/Protocols/AppNet.md §2.2).
    private static func check(_ isMachineOnly: Bool?, _ annotations: [Annotation]?) throws(AppNetError) {
        if isMachineOnly == true, annotations?.isEmpty ?? true {
            throw AppNetError(RuleViolation(member: "annotations", problem: .missing))
        }
    }

    private static func following(_ rule: () throws(RuleViolation) -> Void) throws(AppNetError) {
        do throws(RuleViolation) {
            try rule()
        } catch {
            throw AppNetError(error)
        }
    }

    /// Checks that at least one of two rules is followed. If neither is, the error is that of the first rule.
    private static func anyOf(
        _ rule: () throws(RuleViolation) -> Void,
        _ other: () throws(RuleViolation) -> Void
    ) throws(AppNetError) {
        do throws(RuleViolation) {
            try rule()
        } catch {
            if (try? other()) == nil { throw AppNetError(error) }
        }
    }
}

extension ServiceConfiguration.Limits? {
    /// The maximum size of annotations, in bytes.
    fileprivate var bytes: Int { self?.annotationBytes ?? AnnotationRules.maximumBytes }
}
