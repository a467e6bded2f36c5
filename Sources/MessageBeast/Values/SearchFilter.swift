public import Foundation

/// Additional conditions of a search. All of them must hold.
public struct SearchFilter: Hashable, Sendable {
    /// The earliest display date, inclusive. Default: `nil`, no limit.
    public var from: Date?

    /// The display date before which the messages are. Default: `nil`, no limit.
    public var to: Date?

    /// A hashtag, compared without case and width. Default: `nil`, no condition.
    public var hashtag: String?

    /// A registered annotation type. Default: `nil`, no condition.
    public var annotationType: String?

    /// A place, compared by its name and its coordinates. Default: `nil`, no condition.
    public var location: DisplayLocation?

    /// The precision of ``location``.
    public var precision = LocationPrecision.hundredMeters

    /// Creates a filter with conditions.
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
