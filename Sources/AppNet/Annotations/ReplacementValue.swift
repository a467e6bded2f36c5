public import HeliumCore
public import HeliumJSON

/// Something that the service puts in place of a reference when it stores an annotation (§4.2).
///
/// A file's write token is sent with the reference, and becomes a read token; it is never in an answer.
public enum ReplacementValue: Hashable, Sendable {
    /// A file.
    case file(FileReference, format: FileFormat)
    /// Files, each in one format.
    case files([FileReference], format: FileFormat)
    /// A place of the database.
    case place(Place.ID)
    /// A user.
    case user(AppNetUser.ID, format: UserFormat)

    /// What a file becomes.
    public enum FileFormat: String, Hashable, Sendable {
        /// Its address.
        case url
        /// Its members.
        case metadata
        /// Embedded content: only in `net.app.core.oembed`.
        case oembed
    }

    /// What a user becomes.
    public enum UserFormat: String, Hashable, Sendable {
        /// Id, names and portrait.
        case basic
        /// The whole user.
        case full
    }

    /// The member that stands for it.
    public var key: String {
        switch self {
        case .file: "+net.app.core.file"
        case .files: "+net.app.core.file_list"
        case .place: "+net.app.core.place"
        case .user: "+net.app.core.user"
        }
    }

    /// The reference.
    var json: JSONValue {
        switch self {
        case .file(let file, let format): file.json(format)
        case .files(let files, let format): .array(files.map { $0.json(format) })
        case .place(let id): ["factual_id": .string(id.text)]
        case .user(let id, let format): ["user_id": .string(id.text), "format": .string(format.rawValue)]
        }
    }
}

/// A file to refer to, with the right to it (§2.4).
public struct FileReference: Hashable, Sendable {
    /// The file.
    public var id: File.ID

    /// Its write token.
    public var token: Secret

    /// A reference.
    public init(id: File.ID, token: Secret) {
        self.id = id
        self.token = token
    }

    fileprivate func json(_ format: ReplacementValue.FileFormat) -> JSONValue {
        [
            "file_id": .string(id.text), "file_token": .string(token.value), "format": .string(format.rawValue),
        ]
    }
}

extension File {
    /// A reference to the file; `nil` without its id and write token, as in what others see of it.
    public var reference: FileReference? {
        guard let id, let fileToken else { return nil }
        return FileReference(id: id, token: fileToken)
    }
}

extension Annotation {
    /// An annotation with references that the service replaces.
    public init(type: String, value: JSONObject = [:], replacing references: [ReplacementValue]) {
        var value = value
        for reference in references { value[reference.key] = reference.json }
        self.init(type: type, value: .object(value))
    }

    /// Files to attach to a text (`net.app.core.attachments`).
    public static func attachments(_ files: [FileReference]) -> Self {
        Self(type: Attachments.annotationType, replacing: [.files(files, format: .metadata)])
    }

    /// Where the writer is (`net.app.core.checkin`).
    public static func checkin(at place: Place.ID) -> Self {
        Self(type: Checkin.annotationType, replacing: [.place(place)])
    }

    /// Who is in a photo (`net.app.core.phototag`).
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - x: Percent from the left, 0 to 100.
    ///   - y: Percent from the top, 0 to 100.
    public static func photoTag(_ user: AppNetUser.ID, x: Double, y: Double) -> Self {
        var value = JSONObject()
        value["x"] = JSONNumber(x).map(JSONValue.number)
        value["y"] = JSONNumber(y).map(JSONValue.number)
        return Self(type: PhotoTag.annotationType, value: value, replacing: [.user(user, format: .basic)])
    }

    /// A photo or video to show with a text (`net.app.core.oembed`): what is embedded follows from the file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - overrides: What the writer may say himself: `providerName`, `providerURL` and `embeddableURL`.
    public static func oembed(_ file: FileReference, overrides: OEmbed = OEmbed(type: nil)) -> Self {
        var value = JSONObject()
        value["provider_name"] = overrides.providerName.map(JSONValue.string)
        value["provider_url"] = overrides.providerURL.map { .string($0.text) }
        value["embeddable_url"] = overrides.embeddableURL.map { .string($0.text) }
        return Self(type: OEmbed.annotationType, value: value, replacing: [.file(file, format: .oembed)])
    }

    /// A broadcast channel's icon, square and at least 200×200 (`net.app.core.broadcast.icon`).
    public static func broadcastIcon(_ file: FileReference) -> Self {
        Self(type: BroadcastIcon.annotationType, replacing: [.file(file, format: .metadata)])
    }

    /// A broadcast channel's cover, 680×340 (`net.app.core.broadcast.cover`).
    public static func broadcastCover(_ file: FileReference) -> Self {
        Self(type: BroadcastCover.annotationType, replacing: [.file(file, format: .metadata)])
    }
}
