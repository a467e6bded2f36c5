internal import HTTPTypes

/// A call of pnut.io's API, and the equivalent call of App.net (Docs/Protocols/AppNet.md §6.2).
struct PnutRoute: TableRoute {
    let methods: [HTTPRequest.Method]
    let pattern: AppNetPattern
    /// The method of App.net's call; `nil` if it is the same.
    let method: HTTPRequest.Method?
    /// The area and path of App.net's call. The names in braces are the same.
    let area: AppNetArea
    let path: String
    let input: PnutInput
    let output: PnutObject
    /// The status of a successful response.
    let status: HTTPResponse.Status

    /// Creates a call that has another path, method or name in App.net.
    ///
    /// - Parameters:
    ///   - methods: The methods of pnut's call.
    ///   - pattern: The path of pnut's call below `/v1`.
    ///   - path: App.net's path; `nil` if it is the same.
    ///   - method: App.net's method; `nil` if it is the same.
    init(
        _ methods: HTTPRequest.Method...,
        at pattern: String,
        is path: String? = nil,
        by method: HTTPRequest.Method? = nil,
        in area: AppNetArea = .api,
        takes input: PnutInput = .plain,
        gives output: PnutObject = .plain,
        status: HTTPResponse.Status = .ok
    ) {
        self.methods = methods
        self.pattern = AppNetPattern(pattern)
        self.method = method
        self.area = area
        self.path = path ?? pattern
        self.input = input
        self.output = output
        self.status = status
    }

    /// Returns the segments of App.net's path with the values of pnut's path.
    func segments(_ values: [String: String]) -> [String] {
        AppNetPattern(path).parts.map { part in
            switch part {
            case .literal(let text): text
            case .parameter(let name): values[name] ?? ""
            }
        }
    }
}
