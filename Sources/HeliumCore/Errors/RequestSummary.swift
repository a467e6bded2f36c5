public import HTTPTypes

/// The request of a failure, without secrets.
public struct RequestSummary: Hashable, Sendable, CustomStringConvertible {
    /// The method.
    public let method: HTTPRequest.Method

    /// The URL with query values masked, or the path template if the URL could not be built.
    public let url: String

    package init(method: HTTPRequest.Method, url: String) {
        self.method = method
        self.url = url
    }

    /// A description such as `GET https://api.example.com/todo?limit=***`.
    public var description: String { "\(method.rawValue) \(url)" }
}
