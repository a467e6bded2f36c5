/// Which requests a fault acts on.
public struct FaultScope: Hashable, Sendable {
    /// How many matching requests it acts on before it ends by itself; nil: until it is removed.
    public var requests: Int?
    /// The beginning of the paths it acts on, letter case ignored, without a query; nil: every path.
    public var path: String?

    /// Every request until the fault is removed.
    public static let untilRemoved = Self()

    /// The next `count` requests.
    public static func next(_ count: Int) -> Self { Self(requests: count) }

    /// Requests whose path starts with `path`: the next `count` of them, or all until the fault is removed.
    public static func path(_ path: String, next count: Int? = nil) -> Self { Self(requests: count, path: path) }
}
