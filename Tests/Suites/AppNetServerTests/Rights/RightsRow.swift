import HTTPTypes

@testable import AppNetServer

/// A call of the table of rights.
struct RightsRow: Sendable {
    /// The method and the pattern of the route, as `"GET channels/{channel}"`.
    let call: String
    let area: AppNetArea
    /// The path and query, with words for the ids of ``RightsWorld``.
    let target: String
    let body: String?
    /// The status for readers who have the right; `nil` if the table does not say.
    let status: Int?
    /// The statuses for readers whose kind of token suffices for the route, but who do not have the right.
    let refused: [RightsReader: Int]

    var method: String { String(call.prefix { $0 != " " }) }

    /// The key of a route in the table.
    static func key(_ area: AppNetArea, _ method: HTTPRequest.Method, _ pattern: String) -> String {
        "\(area) \(method.rawValue) \(pattern)"
    }

    var key: String { "\(area) \(call)" }

    /// The target without its query.
    var path: Substring { target.prefix { $0 != "?" } }

    /// The parameters that ask for as much as possible.
    private static let everything = [
        "annotations", "recent_message", "marker", "deleted", "machine", "muted", "inactive", "starred_by", "reposters",
        "limited_users", "read", "html",
    ].map { "include_\($0)=1" }.joined(separator: "&")

    private static let roots: [AppNetArea: String] = [
        .api: "/stream/0/", .pnut: "/v1/", .oauth: "/oauth/", .content: "/appnet-content/",
    ]

    /// Returns the whole target of a request. It asks for as much as possible.
    ///
    /// - Parameters:
    ///   - root: The path's prefix; `nil` for that of the area.
    ///   - path: Another path, for a call of pnut.io.
    func target(below root: String? = nil, path: String? = nil) -> String {
        let query = target.dropFirst(self.path.count)
        let whole = (root ?? Self.roots[area] ?? "/") + (path ?? String(self.path)) + query
        return whole + (query.isEmpty ? "?" : "&") + Self.everything
    }

    func expected(_ reader: RightsReader, _ route: AppNetRoute) -> Int? {
        reader.refusal(by: route) ?? refused[reader] ?? status
    }
}

/// The readers without a right, with the statuses of the refusals.
enum RightsRefusals {
    /// The readers who do not see the room.
    static let room: [RightsReader: Int] = [
        .removed: 404, .other: 404, .blocked: 404, .muted: 404, .narrow: 403, .otherApp: 404, .anonymous: 404,
    ]

    /// The readers who do not see the letters.
    static let letters: [RightsReader: Int] = [
        .writer: 404, .removed: 404, .other: 404, .muted: 404, .narrow: 403, .otherApp: 404, .anonymous: 404,
    ]

    /// The readers who do not see the file.
    static let paper: [RightsReader: Int] = [
        .writer: 404, .removed: 404, .other: 404, .blocked: 404, .muted: 404, .narrow: 403, .bare: 403, .app: 404,
        .otherApp: 404, .anonymous: 404,
    ]

    /// All users except the owner, with one status.
    static func users(_ status: Int) -> [RightsReader: Int] {
        [.writer: status, .removed: status, .other: status, .blocked: status, .muted: status]
    }
}

extension [RightsReader: Int] {
    /// Returns the refusals with some changed.
    func and(_ others: Self) -> Self { merging(others) { $1 } }

    /// Returns the refusals without those of some readers.
    func except(_ readers: RightsReader...) -> Self { filter { !readers.contains($0.key) } }
}
