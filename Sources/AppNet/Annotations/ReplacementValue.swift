public import HeliumCore
public import HeliumJSON

/// A reference that the service replaces when it stores an annotation (Docs/Protocols/AppNet.md §4.2).
///
/// The reference to a file contains the file's write token. The service replaces it with a read token, so responses
/// never contain the write token.
public enum ReplacementValue: Hashable, Sendable {
    /// A file.
    case file(FileReference, format: FileFormat)
    /// Several files with the same format.
    case files([FileReference], format: FileFormat)
    /// A place in the database.
    case place(Place.ID)
    /// A user.
    case user(AppNetUser.ID, format: UserFormat)

    /// The members that replace the reference to a file.
    public enum FileFormat: String, Hashable, Sendable {
        /// The URL of the file.
        case url
        /// The members of the file.
        case metadata
        /// The members of embedded content. Only valid in `net.app.core.oembed`.
        case oembed
    }

    /// The members that replace the reference to a user.
    public enum UserFormat: String, Hashable, Sendable {
        /// The id, the names and the avatar.
        case basic
        /// All members of the user.
        case full
    }

    /// The name of the member that contains the reference.
    var key: String {
        switch self {
        case .file: "+net.app.core.file"
        case .files: "+net.app.core.file_list"
        case .place: "+net.app.core.place"
        case .user: "+net.app.core.user"
        }
    }

    /// The reference as JSON.
    var json: JSONValue {
        switch self {
        case .file(let file, let format): file.json(format)
        case .files(let files, let format): .array(files.map { $0.json(format) })
        case .place(let id): ["factual_id": .string(id.text)]
        case .user(let id, let format): ["user_id": .string(id.text), "format": .string(format.rawValue)]
        }
    }
}

/// A reference to a file, with its write token (Docs/Protocols/AppNet.md §2.4).
public struct FileReference: Hashable, Sendable {
    /// The id of the file.
    public var id: File.ID

    /// The write token.
    public var token: Secret

    /// Creates a reference.
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
    /// A reference to the file; `nil` if the file has no id or no write token, which only its owner gets.
    public var reference: FileReference? {
        guard let id, let fileToken else { return nil }
        return FileReference(id: id, token: fileToken)
    }
}

extension Annotation {
    /// Creates an annotation with references that the service replaces.
    public init(type: String, value: JSONObject = [:], replacing references: [ReplacementValue]) {
        var value = value
        for reference in references { value[reference.key] = reference.json }
        self.init(type: type, value: .object(value))
    }

    /// Returns an annotation that attaches files to a text (`net.app.core.attachments`).
    public static func attachments(_ files: [FileReference]) -> Self {
        Self(type: Attachments.annotationType, replacing: [.files(files, format: .metadata)])
    }

    /// Returns an annotation with the place where the author is (`net.app.core.checkin`).
    public static func checkin(at place: Place.ID) -> Self {
        Self(type: Checkin.annotationType, replacing: [.place(place)])
    }

    /// Returns an annotation that tags a user in a photo (`net.app.core.phototag`).
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - x: The distance from the left, in percent from 0 to 100.
    ///   - y: The distance from the top, in percent from 0 to 100.
    public static func photoTag(_ user: AppNetUser.ID, x: Double, y: Double) -> Self {
        var value = JSONObject()
        value["x"] = JSONNumber(x).map(JSONValue.number)
        value["y"] = JSONNumber(y).map(JSONValue.number)
        return Self(type: PhotoTag.annotationType, value: value, replacing: [.user(user, format: .basic)])
    }

    /// Returns an annotation with a photo or video that is shown with a text (`net.app.core.oembed`). Its members are
    /// derived from the file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - overrides: The members that the author may set: `providerName`, `providerURL` and `embeddableURL`.
    public static func oembed(_ file: FileReference, overrides: OEmbed = OEmbed(type: nil)) -> Self {
        var value = JSONObject()
        value["provider_name"] = overrides.providerName.map(JSONValue.string)
        value["provider_url"] = overrides.providerURL.map { .string($0.text) }
        value["embeddable_url"] = overrides.embeddableURL.map { .string($0.text) }
        return Self(type: OEmbed.annotationType, value: value, replacing: [.file(file, format: .oembed)])
    }

    /// Returns an annotation with the icon of a broadcast channel, which is square and at least 200×200
    /// (`net.app.core.broadcast.icon`).
    public static func broadcastIcon(_ file: FileReference) -> Self {
        Self(type: BroadcastIcon.annotationType, replacing: [.file(file, format: .metadata)])
    }

    /// Returns an annotation with the cover image of a broadcast channel, which is 680×340
    /// (`net.app.core.broadcast.cover`).
    public static func broadcastCover(_ file: FileReference) -> Self {
        Self(type: BroadcastCover.annotationType, replacing: [.file(file, format: .metadata)])
    }
}
