// Annotations whose value is an object of the service with members around it: replacement values are merged (§4.2).

/// Where the writer is. ``Annotation/checkin(at:)`` makes one.
///
/// Its type is `net.app.core.checkin` (§4).
public struct Checkin: AnnotationValue, Hashable {
    /// The place.
    public var place: Place

    /// The place.
    public init(place: Place) { self.place = place }

    /// `net.app.core.checkin`.
    public static let annotationType = "net.app.core.checkin"

    /// Reads the members, which stand in the value itself.
    public init(from decoder: any Decoder) throws { place = try Place(from: decoder) }

    /// Writes them there.
    public func encode(to encoder: any Encoder) throws { try place.encode(to: encoder) }
}

/// A broadcast channel's icon: square, at least 200×200.
///
/// Its type is `net.app.core.broadcast.icon` (§4).
public struct BroadcastIcon: AnnotationValue, Hashable {
    /// The image.
    public var file: AttachedFile

    /// The image.
    public init(file: AttachedFile) { self.file = file }

    /// `net.app.core.broadcast.icon`.
    public static let annotationType = "net.app.core.broadcast.icon"

    /// Reads the members, which stand in the value itself.
    public init(from decoder: any Decoder) throws { file = try AttachedFile(from: decoder) }

    /// Writes them there.
    public func encode(to encoder: any Encoder) throws { try file.encode(to: encoder) }
}

/// A broadcast channel's cover: 680×340.
///
/// Its type is `net.app.core.broadcast.cover` (§4).
public struct BroadcastCover: AnnotationValue, Hashable {
    /// The image.
    public var file: AttachedFile

    /// The image.
    public init(file: AttachedFile) { self.file = file }

    /// `net.app.core.broadcast.cover`.
    public static let annotationType = "net.app.core.broadcast.cover"

    /// Reads the members, which stand in the value itself.
    public init(from decoder: any Decoder) throws { file = try AttachedFile(from: decoder) }

    /// Writes them there.
    public func encode(to encoder: any Encoder) throws { try file.encode(to: encoder) }
}
