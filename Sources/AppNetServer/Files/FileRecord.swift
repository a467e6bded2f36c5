internal import GRDB
internal import HeliumCrypto
internal import HeliumJSON
internal import HeliumServerKit

/// A file as it is kept (§3.4), its contents apart.
struct FileRecord: Codable, Hashable, Sendable {
    @RowID var id: Int64
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
    /// The name in its permanent URL, which it has whether it is public or not.
    let publicName: String
    /// One of each type, in their stored form.
    @JSONText var annotations: [JSONValue]

    enum CodingKeys: String, CodingKey {
        case id, owner
        case clientID = "client"
        case kind, type, name
        case isComplete = "is_complete"
        case isPublic = "is_public"
        case createdAt = "created"
        case writeToken = "write_token"
        case contentKey = "content_key"
        case publicName = "public_name"
        case annotations
    }
}

extension FileRecord: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "appnet_file"

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
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
struct FileContent: Codable, Hashable, Sendable {
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

    enum CodingKeys: String, CodingKey, CaseIterable {
        case key, name
        case mediaType = "media_type"
        case size, sha1, sha256, width, height
    }
}

extension FileContent: EncodableRecord, FetchableRecord, TableRecord {
    static let databaseTableName = "appnet_file_content"

    /// Without the bytes, which lists never ask for.
    static var databaseSelection: [any SQLSelectable] { CodingKeys.allCases.map { Column($0) } }
}
