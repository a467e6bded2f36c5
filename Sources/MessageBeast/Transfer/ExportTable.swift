/// A table covered by an export. Rows derived from messages are not exported, because an import derives them again.
enum ExportTable: String, CaseIterable, Sendable {
    case meta
    case channel
    case geolocation
    case place
    case message
    case actionSpec = "action_spec"
    case pendingFile = "pending_file"
    case pendingFileAttachment = "pending_file_attachment"
    case outbox
    case pendingMessageDeletion = "pending_message_deletion"
    case pendingFileDeletion = "pending_file_deletion"
    case retiredToken = "retired_token"
    case deletedID = "deleted_id"
    case formerID = "former_id"

    /// The columns that identify a row, in order.
    var key: [String] {
        switch self {
        case .meta: ["key"]
        case .channel, .pendingFile: ["id"]
        case .geolocation: ["lat_key", "lon_key"]
        case .place: ["key"]
        case .message, .outbox: ["local_id"]
        case .actionSpec: ["action_local_id"]
        case .pendingFileAttachment: ["local_id", "position"]
        case .pendingMessageDeletion: ["message_id"]
        case .pendingFileDeletion: ["file_id"]
        case .retiredToken: ["token"]
        case .deletedID, .formerID: ["id"]
        }
    }

    /// Whether SQLite assigns row ids.
    var hasRowID: Bool {
        switch self {
        case .meta, .geolocation, .pendingFileAttachment, .retiredToken, .formerID: false
        default: true
        }
    }

    /// The column with the row id while a damaged table is read.
    static let position = "position_in_table"

    /// Returns whether a column is left out.
    ///
    /// The owner of a claim does not exist in the store that imports the file, and the index text is computed from the
    /// message.
    func omits(_ column: String) -> Bool {
        column == "owner" || column == Self.position || (self == .message && column == "text")
    }

    /// Returns whether a column holds a JSON document.
    static func holdsJSON(_ column: String) -> Bool { column == "json" || column.hasSuffix("_json") }

    /// The metadata keys that are not exported. The account is in the first line of an export instead.
    static let ownFacts: Set<String> = Set(
        [MetaTable.Key.account, .service, .fingerprint, .rederivation, .indexUpgrade, .sendingPause].map(\.rawValue)
    )
}

/// The lines of an export that are not rows, and the limits of all lines.
///
/// An export consists of JSON documents, one per line. The first is `{"messagebeast":{…}}`. A row is an object whose
/// only member has the name of the table; the bytes of a staged file follow its row. The last is `{"end":{"lines":…}}`
/// with the number of preceding lines, so that an incomplete file is recognized.
enum ExportFormat {
    static let version = 1
    static let header = "messagebeast"
    static let stagedBytes = "staged_bytes"
    static let end = "end"

    /// The longest line that is read, in bytes. No row of the service comes near it.
    static let maximumLine = 64 << 20

    /// The number of bytes of a staged file in one line: a multiple of 3, so that only the last line has padding.
    static let stagedPiece = 192 << 10
}
