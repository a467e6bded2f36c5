public import Foundation

extension HAR {
    /// A request's body.
    public struct PostData: Hashable, Sendable, Codable {
        /// The media type.
        public var mimeType: String
        /// The body: text, or Base64 if ``encoding`` is `base64`. `nil` if only parameters were kept.
        public var text: String?
        /// `base64`, or `nil` for text. HAR does not define an encoding for request bodies; this member is an extension
        /// of Helium.
        public var encoding: String?
        /// Whether the body was longer than the recording's limit. This member is an extension of Helium.
        public var isTruncated: Bool?
        /// The text that replaces secrets; `nil` for `[redacted]`. A recording chooses another text if the body itself
        /// has `[redacted]`. This member is an extension of Helium.
        public var mask: String?

        private enum CodingKeys: String, CodingKey {
            case mimeType, text
            case encoding = "_encoding"
            case isTruncated = "_truncated"
            case mask = "_mask"
        }

        /// Creates a body from bytes. Bytes that are text are stored as text.
        public init(_ data: Data, mimeType: String, isTruncated: Bool = false, mask: String? = nil) {
            self.mask = mask
            self.mimeType = mimeType
            (text, encoding) = HAR.text(of: data)
            self.isTruncated = isTruncated ? true : nil
        }

        /// The body's bytes; `nil` if they are not valid Base64, or were not kept.
        public var data: Data? { text.flatMap { HAR.data(of: $0, encoding) } }
    }

    /// The body of a response.
    public struct Content: Hashable, Sendable, Codable {
        /// The size of the complete body in bytes, decompressed.
        public var size: Int
        /// The media type.
        public var mimeType: String
        /// The body: text, or Base64 if ``encoding`` is `base64`.
        public var text: String?
        /// `base64`, or `nil` for text.
        public var encoding: String?
        /// Whether only a part of the body was kept. This member is an extension of Helium.
        public var isTruncated: Bool?

        private enum CodingKeys: String, CodingKey {
            case size, mimeType, text, encoding
            case isTruncated = "_truncated"
        }

        /// Creates a body from bytes. Bytes that are text are stored as text.
        public init(_ data: Data = Data(), mimeType: String = "", size: Int? = nil, isTruncated: Bool = false) {
            self.size = size ?? data.count
            self.mimeType = mimeType
            (text, encoding) = HAR.text(of: data)
            self.isTruncated = isTruncated ? true : nil
        }

        /// The body's bytes; `nil` if they are not valid Base64.
        public var data: Data? { text.map { HAR.data(of: $0, encoding) } ?? Data() }
    }

    private static func text(of data: Data) -> (text: String, encoding: String?) {
        if let text = String(validating: data, as: UTF8.self), !text.utf8.contains(0) { return (text, nil) }
        return (data.base64EncodedString(), "base64")
    }

    private static func data(of text: String, _ encoding: String?) -> Data? {
        switch encoding?.lowercased() {
        case nil, "": Data(text.utf8)
        case "base64": Data(base64Encoded: text)
        default: nil
        }
    }
}
