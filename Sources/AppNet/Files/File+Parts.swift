public import Foundation
public import HeliumJSON

extension File {
    /// A file made of another (§3.4).
    public struct Derived: Hashable, Sendable {
        /// The file's name.
        public var name: String?

        /// The content's type.
        public var mimeType: String?

        /// The content's SHA-1 in hex.
        public var sha1: String?

        /// The content's SHA-256 in hex (pnut).
        public var sha256: String?

        /// The size in bytes.
        public var size: Int?

        /// Where it is, until `urlExpires`.
        public var url: WebAddress?

        /// When `url` ends.
        public var urlExpires: Date?

        /// The image's size.
        public var imageInfo: ImageInfo?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// A derived file of these members.
        public init(
            name: String? = nil,
            mimeType: String? = nil,
            sha1: String? = nil,
            sha256: String? = nil,
            size: Int? = nil,
            url: WebAddress? = nil,
            urlExpires: Date? = nil,
            imageInfo: ImageInfo? = nil,
            extra: JSONObject = [:]
        ) {
            self.name = name
            self.mimeType = mimeType
            self.sha1 = sha1
            self.sha256 = sha256
            self.size = size
            self.url = url
            self.urlExpires = urlExpires
            self.imageInfo = imageInfo
            self.extra = extra
        }
    }
}

extension File.Derived: AppNetRecord {
    package init() { self.init(name: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("name", &name)
        try visitor.member("mime_type", &mimeType)
        try visitor.member("sha1", &sha1)
        try visitor.member("sha256", &sha256)
        try visitor.member("size", &size)
        try visitor.member("url", &url)
        try visitor.member("url_expires", &urlExpires, pnut: .named("url_expires_at"))
        try visitor.value("image_info", &imageInfo)
    }
}

extension File.Derived: Codable, JSONReadable {
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

extension File {
    /// What is known of audio or a video (§6.3, pnut).
    public struct MediaInfo: Hashable, Sendable {
        /// The length in seconds.
        public var duration: Double?

        /// The length to show: `03:02`.
        public var durationText: String?

        /// Bits in a second.
        public var bitrate: Int?

        /// The width of a video in pixels.
        public var width: Int?

        /// The height of a video in pixels.
        public var height: Int?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// What is known.
        public init(
            duration: Double? = nil,
            durationText: String? = nil,
            bitrate: Int? = nil,
            width: Int? = nil,
            height: Int? = nil,
            extra: JSONObject = [:]
        ) {
            self.duration = duration
            self.durationText = durationText
            self.bitrate = bitrate
            self.width = width
            self.height = height
            self.extra = extra
        }
    }
}

extension File.MediaInfo: AppNetRecord {
    package init() { self.init(duration: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("duration", &duration)
        try visitor.member("duration_string", &durationText)
        try visitor.member("bitrate", &bitrate)
        try visitor.member("width", &width)
        try visitor.member("height", &height)
    }
}

extension File.MediaInfo: Codable, JSONReadable {
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

extension File {
    /// How to send the content of an incomplete file (§6.2, pnut).
    public struct UploadParameters: Hashable, Sendable {
        /// The HTTP method.
        public var method: String?

        /// The address.
        public var url: WebAddress?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// A way to send.
        public init(
            method: String? = nil,
            url: WebAddress? = nil,
            extra: JSONObject = [:]
        ) {
            self.method = method
            self.url = url
            self.extra = extra
        }
    }
}

extension File.UploadParameters: AppNetRecord {
    package init() { self.init(method: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("method", &method)
        try visitor.member("url", &url)
    }
}

extension File.UploadParameters: Codable, JSONReadable {
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

extension File {
    /// What kind of file it is (§3.4).
    public struct Kind: Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// The name as the service has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An image.
        public static let image = Self(rawValue: "image")

        /// Anything else.
        public static let other = Self(rawValue: "other")

        /// Audio (pnut).
        public static let audio = Self(rawValue: "audio")

        /// A video (pnut).
        public static let video = Self(rawValue: "video")
    }
}

extension File.Kind: OpenName, Codable, JSONReadable, ExpressibleByStringLiteral {
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
