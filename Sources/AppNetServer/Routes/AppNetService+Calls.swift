internal import HTTPTypes

extension AppNetService {
    /// The calls of App.net and of pnut.io. Each path parameter is replaced by `1`.
    package static let calls: [(method: String, path: String)] =
        AppNetRoutes.all.filter { $0.area == .api }.flatMap { calls($0.methods, "/stream/0", $0.pattern) }
        + PnutRoutes.all.flatMap { calls($0.methods, "/v1", $0.pattern) }

    private static func calls(
        _ methods: [HTTPRequest.Method],
        _ root: String,
        _ pattern: AppNetPattern
    ) -> [(method: String, path: String)] {
        let path = pattern.parts.map { part in
            if case .literal(let text) = part { "/\(text)" } else { "/1" }
        }
        return methods.map { ($0.rawValue, root + path.joined()) }
    }
}
