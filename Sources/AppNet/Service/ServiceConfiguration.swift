public import HeliumJSON

/// The service's limits (Docs/Protocols/AppNet.md §2.6, §3.5). Store them, and fetch them at most once a day.
public struct ServiceConfiguration: Hashable, Sendable {
    /// The rules for measuring text.
    public var text: TextRules?

    /// The limits of users: the annotations and the description.
    public var user: Limits?

    /// The limits of posts.
    public var post: Limits?

    /// The limits of messages.
    public var message: Limits?

    /// The limits of files.
    public var file: Limits?

    /// The limits of channels.
    public var channel: Limits?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a configuration with these members.
    public init(
        text: TextRules? = nil,
        user: Limits? = nil,
        post: Limits? = nil,
        message: Limits? = nil,
        file: Limits? = nil,
        channel: Limits? = nil,
        extra: JSONObject = [:]
    ) {
        self.text = text
        self.user = user
        self.post = post
        self.message = message
        self.file = file
        self.channel = channel
        self.extra = extra
    }
}

extension ServiceConfiguration: AppNetRecord {
    package init() { self.init(text: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.value("text", &text)
        try visitor.value("user", &user)
        try visitor.value("post", &post)
        try visitor.value("message", &message)
        try visitor.value("file", &file)
        try visitor.value("channel", &channel)
    }

    package static var pnutDifferences: [PnutStep] {
        [.limits]
    }
}

extension ServiceConfiguration: Codable, JSONReadable {}

extension ServiceConfiguration {
    /// The rules for measuring text.
    public struct TextRules: Hashable, Sendable {
        /// The lengths of URL templates in code points, by name (`uri_template_length`), such as 9 for `post_id`.
        public var templateLengths: [String: Int]?

        /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
        /// properties.
        public var extra = JSONObject()

        /// Creates rules.
        public init(
            templateLengths: [String: Int]? = nil,
            extra: JSONObject = [:]
        ) {
            self.templateLengths = templateLengths
            self.extra = extra
        }
    }
}

extension ServiceConfiguration.TextRules: AppNetRecord {
    package init() { self.init(templateLengths: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.map("uri_template_length", &templateLengths)
    }
}

extension ServiceConfiguration.TextRules: Codable, JSONReadable {}

extension ServiceConfiguration {
    /// The limits of one kind of object.
    public struct Limits: Hashable, Sendable {
        /// The maximum size of all annotations, in bytes (`annotation_max_bytes`).
        public var annotationBytes: Int?

        /// The maximum length of the text, in code points (`text_max_length`).
        public var textLength: Int?

        /// The maximum size of a file, in bytes (pnut.io only).
        public var fileBytes: Int?

        /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
        /// properties.
        public var extra = JSONObject()

        /// Creates limits.
        public init(
            annotationBytes: Int? = nil,
            textLength: Int? = nil,
            fileBytes: Int? = nil,
            extra: JSONObject = [:]
        ) {
            self.annotationBytes = annotationBytes
            self.textLength = textLength
            self.fileBytes = fileBytes
            self.extra = extra
        }
    }
}

extension ServiceConfiguration.Limits: AppNetRecord {
    package init() { self.init(annotationBytes: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("annotation_max_bytes", &annotationBytes)
        try visitor.member("text_max_length", &textLength)
        try visitor.member("max_size_bytes", &fileBytes)
    }
}

extension ServiceConfiguration.Limits: Codable, JSONReadable {}
