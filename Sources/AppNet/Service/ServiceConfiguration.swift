public import HeliumJSON

/// The service's limits (§2.6, §3.5). Keep a copy, and refresh it once a day at most.
public struct ServiceConfiguration: Hashable, Sendable {
    /// How texts are counted.
    public var text: TextRules?

    /// Limits of users: annotations and description.
    public var user: Limits?

    /// Limits of posts.
    public var post: Limits?

    /// Limits of messages.
    public var message: Limits?

    /// Limits of files.
    public var file: Limits?

    /// Limits of channels.
    public var channel: Limits?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A configuration of these members.
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

extension ServiceConfiguration: Codable, JSONReadable {
    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}

extension ServiceConfiguration {
    /// How texts are counted.
    public struct TextRules: Hashable, Sendable {
        /// How many code points a template of a URL counts, by its name (`uri_template_length`): `post_id` 9.
        public var templateLengths: [String: Int]?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// Rules.
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

extension ServiceConfiguration.TextRules: Codable, JSONReadable {
    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}

extension ServiceConfiguration {
    /// What an object of a kind may have.
    public struct Limits: Hashable, Sendable {
        /// Bytes of all annotations (`annotation_max_bytes`).
        public var annotationBytes: Int?

        /// Code points of the text (`text_max_length`).
        public var textLength: Int?

        /// Bytes of a file (pnut).
        public var fileBytes: Int?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// Limits.
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

extension ServiceConfiguration.Limits: Codable, JSONReadable {
    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}
