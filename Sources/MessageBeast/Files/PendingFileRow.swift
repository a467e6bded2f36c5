internal import AppNet
internal import GRDB
internal import HeliumJSON

/// A row of the table of pending files.
///
/// A claim (``claimed``) without an owner belongs to a request whose outcome is unknown. Any engine may resolve it.
struct PendingFileRow: Sendable, Hashable {
    let id: String
    /// The name of its staged bytes.
    let stagedName: String
    let type: String
    let name: String
    let mimeType: String
    let kind: String?
    let isPublic: Bool
    let byteCount: Int64
    let sha256: String
    let token: String
    let state: PendingFile.State
    /// The time of the first request whose outcome is unknown; `nil` if there is none.
    let claimed: Milliseconds?
    let owner: String?
    let attempts: Int
    let nextAttempt: Milliseconds
    let failure: ParkedReason?
    /// The file as the service returned it, with its write token.
    let fileJSON: String?
    /// Whether a sent message refers to it.
    let isReferred: Bool

    static let columns = """
        f.id, f.staged_path, f.type, f.name, f.mime, f.kind, f.is_public, f.byte_count, f.sha256, f.token, f.state, \
        f.claimed_ms, f.owner, f.attempts, f.next_attempt_ms, f.last_error, f.file_json, f.is_referred
        """

    init(_ row: Row) {
        id = row[0]
        stagedName = row[1]
        type = row[2]
        name = row[3]
        mimeType = row[4]
        kind = row[5]
        isPublic = row[6]
        byteCount = row[7]
        sha256 = row[8]
        token = row[9]
        state = PendingFile.State(rawValue: row[10]) ?? .parked
        claimed = (row[11] as Int64?).map { Milliseconds($0) }
        owner = row[12]
        attempts = row[13]
        nextAttempt = Milliseconds(row[14] as Int64)
        failure = (row[15] as String?).map(ParkedReason.init(stored:))
        fileJSON = row[16]
        isReferred = row[17]
    }

    /// The file on the service; `nil` before it was created.
    var file: File? { fileJSON.flatMap { try? HeliumJSONDecoder().decode(File.self, from: $0) } }

    /// Returns whether another engine is processing the file.
    func isHeld(_ owners: any ClaimOwners) -> Bool {
        guard claimed != nil, let owner, owner != owners.own else { return false }
        return owners.isAlive(owner)
    }

    /// The file to create, without content.
    var creation: File {
        let value = JSONValue.object(["token": .string(token)])
        return File(
            type: type,
            kind: kind.map { File.Kind(rawValue: $0) },
            isPublic: isPublic,
            name: name,
            mimeType: mimeType,
            annotations: [Annotation(type: MessageBeastNames.token, value: value)]
        )
    }

    static func json(of file: File) throws -> String { try HeliumJSONEncoder.bodies.encodeToString(file) }
}
