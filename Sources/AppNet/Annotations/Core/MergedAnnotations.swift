// Annotations whose value has the members of an object of the service. The service merges replacement values
// (Docs/Protocols/AppNet.md §4.2).

/// The place where the author is. ``Annotation/checkin(at:)`` creates one.
///
/// The annotation type is `net.app.core.checkin` (Docs/Protocols/AppNet.md §4.3).
public struct Checkin: AnnotationValue, Hashable {
    /// The place.
    public var place: Place

    /// Creates a check-in.
    package init(place: Place) { self.place = place }

    /// `net.app.core.checkin`.
    public static let annotationType = "net.app.core.checkin"

    /// Decodes the members of the place from the value itself.
    public init(from decoder: any Decoder) throws { place = try Place(from: decoder) }

    /// Encodes the members of the place into the value itself.
    public func encode(to encoder: any Encoder) throws { try place.encode(to: encoder) }
}

/// The icon of a broadcast channel, which is square and at least 200×200.
///
/// The annotation type is `net.app.core.broadcast.icon` (Docs/Protocols/AppNet.md §4.3).
public struct BroadcastIcon: AnnotationValue, Hashable {
    /// The image.
    public var file: AttachedFile

    /// Creates an icon.
    package init(file: AttachedFile) { self.file = file }

    /// `net.app.core.broadcast.icon`.
    public static let annotationType = "net.app.core.broadcast.icon"

    /// Decodes the members of the file from the value itself.
    public init(from decoder: any Decoder) throws { file = try AttachedFile(from: decoder) }

    /// Encodes the members of the file into the value itself.
    public func encode(to encoder: any Encoder) throws { try file.encode(to: encoder) }
}

/// The cover image of a broadcast channel, which is 680×340.
///
/// The annotation type is `net.app.core.broadcast.cover` (Docs/Protocols/AppNet.md §4.3).
public struct BroadcastCover: AnnotationValue, Hashable {
    /// The image.
    public var file: AttachedFile

    /// Creates a cover image.
    package init(file: AttachedFile) { self.file = file }

    /// `net.app.core.broadcast.cover`.
    public static let annotationType = "net.app.core.broadcast.cover"

    /// Decodes the members of the file from the value itself.
    public init(from decoder: any Decoder) throws { file = try AttachedFile(from: decoder) }

    /// Encodes the members of the file into the value itself.
    public func encode(to encoder: any Encoder) throws { try file.encode(to: encoder) }
}
