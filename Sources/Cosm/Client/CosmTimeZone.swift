/// A zone for the stamps of an answer (§2.2): an offset from UTC, or a name that the server knows.
public struct CosmTimeZone: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The zone as it is sent: `+3.5`, `Adelaide`.
    public let rawValue: String

    /// A zone as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The zone as it is sent.
    public var description: String { rawValue }

    /// Universal time, the default.
    public static let utc = Self(rawValue: "UTC")

    /// A zone that is hours ahead of UTC, or behind it: `3.5` is `+3.5`.
    public static func offset(hours: Double) -> Self {
        let isWhole = hours == hours.rounded() && abs(hours) < 100
        let number = isWhole ? Int(hours).description : hours.description
        return Self(rawValue: hours < 0 ? number : "+\(number)")
    }

    /// A zone by the name of a city.
    public static func city(_ name: String) -> Self { Self(rawValue: name) }
}
