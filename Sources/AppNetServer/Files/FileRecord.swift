internal import HeliumCrypto
internal import HeliumJSON

/// A file as it is kept (§3.4), its contents apart.
struct FileRecord: Hashable, Sendable {
    let id: Int64
    /// The user's id.
    let owner: Int64
    /// The app that created it.
    var clientID: String
    /// `image`, `other`, and for pnut also `audio` and `video`; nil: to be guessed from the content.
    var kind: String?
    /// In reversed domain order, as `com.example.photo`.
    var type: String
    var name: String?
    var isComplete: Bool
    var isPublic: Bool
    /// Seconds since 1970.
    let createdAt: Int64
    /// Opens the file to whoever has it, for reading and writing.
    let writeToken: String
    /// The secret of its temporary URLs, and the name in its permanent one.
    let contentKey: String
    /// One of each type, in their stored form.
    var annotations: [JSONValue]
}

extension FileRecord: CustomStringConvertible, CustomReflectable {
    /// The id; never a token.
    var description: String { "file \(id)" }

    var customMirror: Mirror { Mirror(self, children: ["id": id, "type": type]) }
}

extension FileRecord {
    /// The longest name (§3.4), in characters.
    static let maximumNameLength = 255
    /// The longest type; the page names no limit.
    static let maximumTypeLength = 128
}

/// What one content of a file is: the file's own, or a derived file's.
struct FileContent: Hashable, Sendable {
    /// The key of a derived file; empty for the file's own content.
    let key: String
    var name: String?
    var mediaType: String
    var size: Int
    /// Digests in lower-case hexadecimal; only pnut tells the second.
    var sha1: String
    var sha256: String
    /// In pixels; nil for what is no image.
    var width: Int?
    var height: Int?

    /// Describes `bytes`, whose size, digests and pixels are read from themselves.
    init(key: String, name: String?, mediaType: String, bytes: [UInt8]) {
        self.key = key
        self.name = name
        self.mediaType = mediaType
        sha1 = SHA1.hex(of: bytes)
        sha256 = SHA256.hash(bytes).hex
        size = bytes.count
        let image = ImageHeader(bytes)
        width = image?.width
        height = image?.height
    }

    init(
        key: String,
        name: String?,
        mediaType: String,
        size: Int,
        sha1: String,
        sha256: String,
        width: Int?,
        height: Int?
    ) {
        self.key = key
        self.name = name
        self.mediaType = mediaType
        self.size = size
        self.sha1 = sha1
        self.sha256 = sha256
        self.width = width
        self.height = height
    }
}
