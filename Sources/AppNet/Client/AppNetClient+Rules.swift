// What the service is known to refuse is found before anything is sent.
extension AppNetClient {
    /// A message that may be sent.
    ///
    /// - Throws: ``AppNetError`` of kind `invalidRequest`.
    func check(_ message: Message, channelType: AppNetChannel.Kind? = nil) throws(AppNetError) {
        try Self.check(message.isMachineOnly, message.annotations)
        var message = message
        message.text = Self.measurable(message.text, message.entities)
        let (limits, measured) = (settings.limits, message)
        // Which type a channel has isn't known here: what broadcasts alone allow is left to the service.
        try Self.anyOf(
            { () throws(RuleViolation) in try limits.validate(measured, channelType: channelType) },
            { () throws(RuleViolation) in try limits.validate(measured, channelType: channelType ?? .broadcast) }
        )
    }

    /// A post that may be sent.
    ///
    /// - Throws: ``AppNetError`` of kind `invalidRequest`.
    func check(_ post: Post) throws(AppNetError) {
        try Self.check(post.isMachineOnly, post.annotations)
        var post = post
        post.text = Self.measurable(post.text, post.entities)
        let measured = post
        try Self.following { () throws(RuleViolation) in try settings.limits.validate(measured) }
    }

    /// A channel that may be created.
    ///
    /// - Throws: ``AppNetError`` of kind `invalidRequest`.
    func checkNew(_ channel: AppNetChannel) throws(AppNetError) {
        try Self.following { () throws(RuleViolation) in
            try channel.validateForCreation(maximumAnnotationBytes: settings.limits.channel.bytes)
        }
    }

    /// A channel's changes that may be sent.
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

    /// Annotations of a file or user that may be sent.
    ///
    /// - Throws: ``AppNetError`` of kind `invalidRequest`.
    func check(_ annotations: [Annotation]?, on holder: AnnotationRules.Holder) throws(AppNetError) {
        let limits = holder == .file ? settings.limits.file : settings.limits.user
        try Self.following { () throws(RuleViolation) in
            try AnnotationRules.validate(annotations ?? [], on: holder, maximumBytes: limits.bytes)
        }
    }

    /// The part of a text whose length is known: with links in Markdown (§3.6) it is shorter in the end, and only the
    /// service knows how much.
    private static func measurable(_ text: String?, _ entities: Entities?) -> String? {
        entities?.parsesMarkdownLinks == true ? text.map { String($0.prefix(1)) } : text
    }

    /// What only machines read is in annotations (§2.2).
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

    /// One of two rules has to be followed; the first tells what is wrong.
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
    /// The most bytes of annotations.
    fileprivate var bytes: Int { self?.annotationBytes ?? AnnotationRules.maximumBytes }
}
