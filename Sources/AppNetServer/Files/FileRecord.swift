internal import GRDB
internal import HeliumCrypto
internal import HeliumJSON
internal import HeliumServerKit

/// A file in its stored form, without its contents (Docs/Protocols/AppNet.md §3.4).
struct FileRecord: Codable, Hashable, Sendable {
    @RowID var id: Int64
    /// The user's id.
    let owner: Int64
    /// The client id of the app that created the file.
    var clientID: String
    /// The kind: `image`, `other`, and in pnut also `audio` and `video`; `nil` if it is to be determined from the
    /// content.
    var kind: String?
    /// The type as a reversed domain name, such as `com.example.photo`.
    var type: String
    var name: String?
    var isComplete: Bool
    var isPublic: Bool
    /// The creation time in seconds since 1970.
    let createdAt: Int64
    /// The token for reading and writing the file.
    let writeToken: String
    /// The secret of its temporary URLs, from which the name in its permanent URL is derived.
    let contentKey: String
    /// The name in its permanent URL. Files that are not public have one too.
    let publicName: String
    /// The annotations, at most one of each type, in their stored form.
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
    /// The id, without tokens.
    var description: String { "file \(id)" }

    var customMirror: Mirror { Mirror(self, children: ["id": id, "type": type]) }
}

extension FileRecord {
    /// The maximum length of a name in characters (Docs/Protocols/AppNet.md §3.4).
    static let maximumNameLength = 255
    /// The maximum length of a type. The API does not specify one.
    static let maximumTypeLength = 128
}

/// The facts about the bytes of a content.
struct ContentFacts: Hashable, Sendable {
    let size: Int
    /// Digests in lower-case hexadecimal.
    let sha1: String
    let sha256: String
    /// The size in pixels; `nil` if the content is not an image.
    let width: Int?
    let height: Int?

    init(_ bytes: [UInt8]) {
        sha1 = SHA1.hex(of: bytes)
        sha256 = SHA256.hash(bytes).hex
        size = bytes.count
        let image = ImageHeader(bytes)
        width = image?.width
        height = image?.height
    }
}

/// A content of a file: the file's own, or that of a derived file.
struct FileContent: Codable, Hashable, Sendable {
    /// The key of a derived file; empty for the file's own content.
    let key: String
    var name: String?
    var mediaType: String
    var size: Int
    /// Digests in lower-case hexadecimal. Only pnut's responses contain the second.
    var sha1: String
    var sha256: String
    /// The size in pixels; `nil` if the content is not an image.
    var width: Int?
    var height: Int?

    /// Creates a description of a content.
    init(key: String, name: String?, mediaType: String, facts: ContentFacts) {
        self.key = key
        self.name = name
        self.mediaType = mediaType
        sha1 = facts.sha1
        sha256 = facts.sha256
        size = facts.size
        width = facts.width
        height = facts.height
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case key, name
        case mediaType = "media_type"
        case size, sha1, sha256, width, height
    }
}

extension FileContent: EncodableRecord, FetchableRecord, TableRecord {
    static let databaseTableName = "appnet_file_content"

    /// All columns except the bytes, which lists do not need.
    static var databaseSelection: [any SQLSelectable] { CodingKeys.allCases.map { Column($0) } }
}
