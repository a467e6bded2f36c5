public import Foundation
public import HeliumJSON

extension File {
    /// A file derived from another (Docs/Protocols/AppNet.md §3.4).
    public struct Derived: Hashable, Sendable {
        /// The file's name.
        public var name: String?

        /// The media type of the content.
        public var mimeType: String?

        /// The content's SHA-1 in hex.
        public var sha1: String?

        /// The content's SHA-256 in hex (pnut.io only).
        public var sha256: String?

        /// The size in bytes.
        public var size: Int?

        /// The URL of the content, valid until `urlExpires`.
        public var url: WebAddress?

        /// The expiration date of `url`.
        public var urlExpires: Date?

        /// The image's size.
        public var imageInfo: ImageInfo?

        /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
        /// properties.
        public var extra = JSONObject()

        /// Creates a derived file with these members.
        package init(
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

extension File.Derived: Codable, JSONReadable {}

extension File {
    /// Facts about audio or a video; pnut.io only (Docs/Protocols/AppNet.md §6.3).
    public struct MediaInfo: Hashable, Sendable {
        /// The duration in seconds.
        public var duration: Double?

        /// The duration as text, such as `03:02`.
        public var durationText: String?

        /// The bit rate, in bits per second.
        public var bitrate: Int?

        /// The width of a video in pixels.
        public var width: Int?

        /// The height of a video in pixels.
        public var height: Int?

        /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
        /// properties.
        public var extra = JSONObject()

        /// Creates a value with these members.
        package init(
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

extension File.MediaInfo: Codable, JSONReadable {}

extension File {
    /// The request that uploads the content of an incomplete file; pnut.io only (Docs/Protocols/AppNet.md §6.2).
    public struct UploadParameters: Hashable, Sendable {
        /// The HTTP method.
        public var method: String?

        /// The URL.
        public var url: WebAddress?

        /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
        /// properties.
        public var extra = JSONObject()

        /// Creates upload parameters with these members.
        package init(
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

extension File.UploadParameters: Codable, JSONReadable {}

extension File {
    /// The kind of a file (Docs/Protocols/AppNet.md §3.4).
    public struct Kind: Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a value from its name in the API.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An image.
        public static let image = Self(rawValue: "image")

        /// A file of any other kind.
        public static let other = Self(rawValue: "other")

        /// Audio (pnut.io only).
        public static let audio = Self(rawValue: "audio")

        /// A video (pnut.io only).
        public static let video = Self(rawValue: "video")
    }
}

extension File.Kind: OpenName, Codable, JSONReadable, ExpressibleByStringLiteral {}
