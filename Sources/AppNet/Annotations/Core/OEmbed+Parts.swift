public import HeliumJSON

extension OEmbed {
    /// A source of a video in one format.
    public struct Source: Hashable, Sendable {
        /// The media type, such as `video/mp4`.
        public var type: String?

        /// The URL.
        public var url: WebAddress?

        /// The key of the derived file that contains it, in the metadata of a file.
        public var urlKey: String?

        /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
        /// properties.
        public var extra = JSONObject()

        /// Creates a source with these members.
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

extension OEmbed.Source: Codable, JSONReadable {}

extension OEmbed {
    /// The kind of embedded content.
    public struct Kind: Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a value from its name in the API.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A photo.
        public static let photo = Self(rawValue: "photo")

        /// A video that is shown with HTML.
        public static let video = Self(rawValue: "video")

        /// A video with several sources.
        public static let html5Video = Self(rawValue: "html5video")

        /// Other content that is shown with HTML.
        public static let rich = Self(rawValue: "rich")
    }
}

extension OEmbed.Kind: OpenName, Codable, JSONReadable, ExpressibleByStringLiteral {}
