public import HeliumJSON

extension OEmbed {
    /// A video in some format.
    public struct Source: Hashable, Sendable {
        /// The content's type: `video/mp4`.
        public var type: String?

        /// Where it is.
        public var url: WebAddress?

        /// The derived file that it is, in the meta data of a file.
        public var urlKey: String?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// A source.
        public init(
            type: String? = nil,
            url: WebAddress? = nil,
            urlKey: String? = nil,
            extra: JSONObject = [:]
        ) {
            self.type = type
            self.url = url
            self.urlKey = urlKey
            self.extra = extra
        }
    }
}

extension OEmbed.Source: AppNetRecord {
    package init() { self.init(type: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("type", &type)
        try visitor.member("url", &url)
        try visitor.member("url_key", &urlKey)
    }
}

extension OEmbed.Source: Codable, JSONReadable {
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

extension OEmbed {
    /// What embedded content is.
    public struct Kind: Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// The name as the service has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A photo.
        public static let photo = Self(rawValue: "photo")

        /// A video, by its HTML.
        public static let video = Self(rawValue: "video")

        /// A video, by its sources.
        public static let html5Video = Self(rawValue: "html5video")

        /// Anything that HTML can show.
        public static let rich = Self(rawValue: "rich")
    }
}

extension OEmbed.Kind: OpenName, Codable, JSONReadable, ExpressibleByStringLiteral {
    /// The name.
    public var description: String { rawValue }

    /// The name as the service has it.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// Reads a text.
    public init(from decoder: any Decoder) throws { self = try Self(wireFrom: decoder) }

    /// Reads a text.
    public init(json: borrowing JSONReader) throws { self = try Self(wireJSON: json) }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws { try encode(wireTo: encoder) }
}
