internal import HeliumJSON

extension ServiceConfiguration {
    /// The documented limits (Docs/Protocols/AppNet.md §3.5). Use them until the service's own limits are known.
    public static let documented = ServiceConfiguration(
        text: TextRules(templateLengths: ["post_id": 9, "message_id": 12]),
        user: Limits(annotationBytes: 8192, textLength: 256),
        post: Limits(annotationBytes: 8192, textLength: 256),
        message: Limits(annotationBytes: 8192, textLength: 2048),
        file: Limits(annotationBytes: 8192),
        channel: Limits(annotationBytes: 8192)
    )

    /// Returns the length of a text as the service counts it, in code points.
    ///
    /// A template in the text, such as `{post_id}`, counts with a length of its own.
    public func length(of text: String) -> Int {
        var length = text.unicodeScalars.count
        guard text.utf8.contains(UInt8(ascii: "{")) else { return length }
        for (name, counted) in self.text?.templateLengths ?? [:] {
            let template = "{\(name)}"
            // The server's length is limited, so that the sum cannot overflow.
            let rest = text.replacingBytes(of: template, with: "")
            let count = (text.utf8.count - rest.utf8.count) / template.utf8.count
            length += count * (min(max(counted, 0), 4096) - template.unicodeScalars.count)
        }
        return length
    }

    /// Checks the text, entities and annotations of a message before it is sent.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - channelType: The type of its channel; `nil` if it is unknown.
    /// - Throws: ``RuleViolation`` for the first rule of the service that the value breaks.
    public func validate(_ message: Message, channelType: AppNetChannel.Kind? = nil) throws(RuleViolation) {
        if channelType == .privateMessages, message.isMachineOnly == true {
            throw RuleViolation(member: "machine_only", problem: .notAllowed("private messages need a text"))
        }
        try validate(message.text, message.isMachineOnly, message.entities, self.message ?? Self.documented.message)
        try AnnotationRules.validate(
            message.annotations ?? [],
            on: .message(channelType: channelType),
            maximumBytes: self.message?.annotationBytes ?? AnnotationRules.maximumBytes
        )
    }

    /// Checks the text, entities and annotations of a post before it is sent.
    ///
    /// - Throws: ``RuleViolation`` for the first rule of the service that the value breaks.
    public func validate(_ post: Post) throws(RuleViolation) {
        try validate(post.text, post.isMachineOnly, post.entities, self.post ?? Self.documented.post)
        try AnnotationRules.validate(
            post.annotations ?? [],
            on: .post,
            maximumBytes: self.post?.annotationBytes ?? AnnotationRules.maximumBytes
        )
    }

    private func validate(
        _ text: String?,
        _ isMachineOnly: Bool?,
        _ entities: Entities?,
        _ limits: Limits?
    ) throws(RuleViolation) {
        guard let text, !text.isEmpty else {
            if isMachineOnly == true { return try validateMachineOnly(entities) }
            throw RuleViolation(member: "text", problem: .missing)
        }
        if isMachineOnly == true {
            throw RuleViolation(member: "text", problem: .notAllowed("it must be absent if machine_only is set"))
        }
        if let maximum = limits?.textLength, case let length = length(of: text), length > maximum {
            throw RuleViolation(member: "text", problem: .tooLong(length, maximum: maximum, unit: "code points"))
        }
        if entities?.parsesMarkdownLinks == true { return }
        for (index, link) in (entities?.links ?? []).enumerated() where link.range(in: text) == nil {
            let reason = "it is outside the text"
            throw RuleViolation(member: "entities.links[\(index)]", problem: .invalid(reason))
        }
    }

    private func validateMachineOnly(_ entities: Entities?) throws(RuleViolation) {
        let count = entities?.mentions?.count ?? 0
        if count > 10 {
            throw RuleViolation(member: "entities.mentions", problem: .tooLong(count, maximum: 10, unit: "mentions"))
        }
    }
}
