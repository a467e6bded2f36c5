/// The requests to which a fault applies.
public struct FaultScope: Hashable, Sendable {
    /// The number of matching requests after which the fault ends; `nil` if it applies until it is removed.
    public var requests: Int?
    /// The prefix of the paths, without a query and without regard to case; `nil` for every path.
    public var path: String?
    /// The method, such as `POST`, without regard to case; `nil` for every method.
    public var method: String?

    /// Every request until the fault is removed.
    public static let untilRemoved = Self()

    /// The next `count` requests.
    public static func next(_ count: Int) -> Self { Self(requests: count) }

    /// Requests whose path starts with `path`: the next `count` of them, or all until the fault is removed.
    ///
    /// - Parameters:
    ///   - path: The prefix of the paths, without a query and without regard to case.
    ///   - method: The method of these requests, without regard to case. Default: `nil`, any.
    ///   - count: The number of matching requests after which the fault ends. Default: `nil`, until it is removed.
    public static func path(_ path: String, method: String? = nil, next count: Int? = nil) -> Self {
        Self(requests: count, path: path, method: method)
    }

    /// Returns whether a request belongs to the scope. `method` and `path` must be in lower case.
    func includes(_ method: String, _ path: String) -> Bool {
        path.hasPrefix(self.path?.lowercased() ?? "") && self.method?.lowercased() ?? method == method
    }
}
