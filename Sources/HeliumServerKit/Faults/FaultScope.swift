/// The requests that a fault acts on.
public struct FaultScope: Hashable, Sendable {
    /// The number of matching requests after which the fault ends by itself; `nil`: it acts until it is removed.
    public var requests: Int?
    /// The beginning of the paths, letter case ignored, without a query; `nil`: every path.
    public var path: String?
    /// The method, such as `POST`, letter case ignored; `nil`: every method.
    public var method: String?

    /// Every request until the fault is removed.
    public static let untilRemoved = Self()

    /// The next `count` requests.
    public static func next(_ count: Int) -> Self { Self(requests: count) }

    /// Requests whose path starts with `path`: the next `count` of them, or all until the fault is removed.
    ///
    /// - Parameter method: The method of these requests. Default: any.
    public static func path(_ path: String, method: String? = nil, next count: Int? = nil) -> Self {
        Self(requests: count, path: path, method: method)
    }

    /// Whether a request with this method and path, both in lower case, belongs to the scope.
    func includes(_ method: String, _ path: String) -> Bool {
        path.hasPrefix(self.path?.lowercased() ?? "") && self.method?.lowercased() ?? method == method
    }
}
