internal import HTTPTypes

/// One call of pnut.io's API and the call of App.net that does it (§6.2).
struct PnutRoute: TableRoute {
    let methods: [HTTPRequest.Method]
    let pattern: AppNetPattern
    /// The method of App.net's call; nil: the same.
    let method: HTTPRequest.Method?
    /// The area and path of App.net's call, with the same names in braces.
    let area: AppNetArea
    let path: String
    let input: PnutInput
    let output: PnutObject
    /// The status of a success.
    let status: HTTPResponse.Status

    /// A call that App.net has under another path, method or name.
    ///
    /// - Parameters:
    ///   - methods: the methods of pnut's call
    ///   - pattern: its path below `/v1`
    ///   - path: App.net's path; nil: the same
    ///   - method: App.net's method; nil: the same
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

    /// The segments of App.net's path with what stood in pnut's.
    func segments(_ values: [String: String]) -> [String] {
        AppNetPattern(path).parts.map { part in
            switch part {
            case .literal(let text): text
            case .parameter(let name): values[name] ?? ""
            }
        }
    }
}
