public import HeliumJSON

extension Entities {
    /// A user named in a text.
    public struct Mention: Hashable, Sendable {
        /// The user's name, without `@`.
        public var name: String?

        /// The user.
        public var id: AppNetUser.ID?

        /// Where it begins, in code points (`pos`). `nil` in what is machine only.
        public var position: Int?

        /// How many code points it has (`len`).
        public var length: Int?

        /// Whether only blanks and other mentions are before it: only there when it is so.
        public var isLeading: Bool?

        /// Whether the user is mentioned without being addressed (pnut).
        public var isCopy: Bool?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// A mention.
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

extension Entities.Mention: Codable, JSONReadable {
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

extension Entities {
    /// A word marked with `#`.
    public struct Hashtag: Hashable, Sendable {
        /// The word in lower case, without `#`.
        public var name: String?

        /// Where it begins, in code points (`pos`).
        public var position: Int?

        /// How many code points it has (`len`).
        public var length: Int?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// A hashtag.
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

extension Entities.Hashtag: Codable, JSONReadable {
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

extension Entities {
    /// A link in a text.
    public struct Link: Hashable, Sendable {
        /// The anchor: the text that is linked.
        public var text: String?

        /// Where it leads.
        public var url: WebAddress?

        /// Where it begins, in code points (`pos`).
        public var position: Int?

        /// How many code points it has (`len`).
        public var length: Int?

        /// How many it has with the ` [host]` that the server put behind it.
        public var amendedLength: Int?

        /// The title of the page (pnut).
        public var title: String?

        /// Whether `{post_id}` in the URL is replaced. `nil` is yes.
        public var processesTemplate: Bool?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// A link.
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

extension Entities.Link: Codable, JSONReadable {
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
