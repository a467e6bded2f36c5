public import HeliumJSON

extension Entities {
    /// A mention of a user in a text.
    public struct Mention: Hashable, Sendable {
        /// The user name, without `@`.
        public var name: String?

        /// The user's id.
        public var id: AppNetUser.ID?

        /// The start, in code points (`pos`); `nil` for machine-only content.
        public var position: Int?

        /// The length, in code points (`len`).
        public var length: Int?

        /// Whether only white space and other leading mentions precede it; `nil` if not.
        public var isLeading: Bool?

        /// Whether the user is mentioned without being addressed (pnut.io only).
        public var isCopy: Bool?

        /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
        /// properties.
        public var extra = JSONObject()

        /// Creates a mention with these members.
        public init(
            name: String? = nil,
            id: AppNetUser.ID? = nil,
            position: Int? = nil,
            length: Int? = nil,
            isLeading: Bool? = nil,
            isCopy: Bool? = nil,
            extra: JSONObject = [:]
        ) {
            self.name = name
            self.id = id
            self.position = position
            self.length = length
            self.isLeading = isLeading
            self.isCopy = isCopy
            self.extra = extra
        }
    }
}

extension Entities.Mention: AppNetRecord {
    package init() { self.init(name: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("name", &name, pnut: .named("text"))
        try visitor.member("id", &id)
        try visitor.member("pos", &position)
        try visitor.member("len", &length)
        try visitor.member("is_leading", &isLeading)
        try visitor.member("is_copy", &isCopy)
    }
}

extension Entities.Mention: Codable, JSONReadable {}

extension Entities {
    /// A hashtag in a text.
    public struct Hashtag: Hashable, Sendable {
        /// The word in lower case, without `#`.
        public var name: String?

        /// The start, in code points (`pos`).
        public var position: Int?

        /// The length, in code points (`len`).
        public var length: Int?

        /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
        /// properties.
        public var extra = JSONObject()

        /// Creates a hashtag with these members.
        public init(
            name: String? = nil,
            position: Int? = nil,
            length: Int? = nil,
            extra: JSONObject = [:]
        ) {
            self.name = name
            self.position = position
            self.length = length
            self.extra = extra
        }
    }
}

extension Entities.Hashtag: AppNetRecord {
    package init() { self.init(name: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("name", &name, pnut: .named("text"))
        try visitor.member("pos", &position)
        try visitor.member("len", &length)
    }
}

extension Entities.Hashtag: Codable, JSONReadable {}

extension Entities {
    /// A link in a text.
    public struct Link: Hashable, Sendable {
        /// The anchor: the linked text.
        public var text: String?

        /// The URL.
        public var url: WebAddress?

        /// The start, in code points (`pos`).
        public var position: Int?

        /// The length, in code points (`len`).
        public var length: Int?

        /// The length including the ` [host]` that the server appended, in code points.
        public var amendedLength: Int?

        /// The title of the page (pnut.io only).
        public var title: String?

        /// Whether the service replaces templates such as `{post_id}` in the URL. `nil` means `true`.
        public var processesTemplate: Bool?

        /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
        /// properties.
        public var extra = JSONObject()

        /// Creates a link with these members.
        public init(
            text: String? = nil,
            url: WebAddress? = nil,
            position: Int? = nil,
            length: Int? = nil,
            amendedLength: Int? = nil,
            title: String? = nil,
            processesTemplate: Bool? = nil,
            extra: JSONObject = [:]
        ) {
            self.text = text
            self.url = url
            self.position = position
            self.length = length
            self.amendedLength = amendedLength
            self.title = title
            self.processesTemplate = processesTemplate
            self.extra = extra
        }
    }
}

extension Entities.Link: AppNetRecord {
    package init() { self.init(text: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("text", &text)
        try visitor.member("url", &url)
        try visitor.member("pos", &position)
        try visitor.member("len", &length)
        try visitor.member("amended_len", &amendedLength)
        try visitor.member("title", &title)
        try visitor.member("process_template", &processesTemplate)
    }
}

extension Entities.Link: Codable, JSONReadable {}
