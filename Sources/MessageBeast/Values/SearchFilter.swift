public import Foundation

/// Conditions that a search may have besides the words. All of them hold together.
public struct SearchFilter: Hashable, Sendable {
    /// The earliest display date, included. Default: any.
    public var from: Date?

    /// The display date before which the messages are. Default: any.
    public var to: Date?

    /// A hashtag, whatever its case and width. Default: any or none.
    public var hashtag: String?

    /// A registered type of annotations. Default: any or none.
    public var annotationType: String?

    /// A place, compared by its name and its coordinates. Default: any or none.
    public var location: DisplayLocation?

    /// The precision of ``location``.
    public var precision = LocationPrecision.hundredMeters

    /// A filter with these conditions.
    public init(
        from: Date? = nil,
        to: Date? = nil,
        hashtag: String? = nil,
        annotationType: String? = nil,
        location: DisplayLocation? = nil,
        precision: LocationPrecision = .hundredMeters
    ) {
        self.from = from
        self.to = to
        self.hashtag = hashtag
        self.annotationType = annotationType
        self.location = location
        self.precision = precision
    }
}
