/// A client under measurement: what it does for one request, and how it holds a response open.
public protocol BenchmarkClient: Sendable {
    /// Makes the client, ready to send, for the run that the command line describes.
    init(options: RunOptions) throws

    /// Sends one request to ``RunOptions/url`` with the benchmark's headers and reads the whole body.
    func send() async throws -> Answer

    /// Opens a response and waits for its body's next bytes until the task is cancelled.
    ///
    /// Calls `opened` once, when the response's head has come. Throws `CancellationError` or the client's
    /// own error for it when cancelled.
    func hold(_ url: String, opened: @Sendable () -> Void) async throws

    /// Gets `url` and reads the body as it comes, keeping nothing of it.
    func download(_ url: String) async throws -> Answer

    /// Sends a file to `url`, reading it meanwhile.
    func upload(_ file: String, to url: String) async throws -> Answer

    /// The executor on which calls to the client cost least; `nil` if it makes no difference.
    var executor: (any TaskExecutor)? { get }

    /// Ends everything that the client started.
    func close() async throws
}

extension BenchmarkClient {
    /// None.
    public var executor: (any TaskExecutor)? { nil }

    /// Not measured with this client.
    public func download(_ url: String) async throws -> Answer { throw UsageError("no large bodies here") }

    /// Not measured with this client.
    public func upload(_ file: String, to url: String) async throws -> Answer {
        throw UsageError("no large bodies here")
    }
}

/// The properties of a response that every client reads, so that all do the same work.
public struct Answer: Sendable {
    /// The status code.
    public var status: Int
    /// The body's length in bytes, as read.
    public var bodyBytes: Int
    /// The value of ``BenchmarkRequest/lookedUpHeader``.
    public var header: String?

    /// An answer's facts.
    public init(status: Int, bodyBytes: Int, header: String?) {
        self.status = status
        self.bodyBytes = bodyBytes
        self.header = header
    }
}

/// The request that all clients send: three headers, one of them a bearer token of 64 characters.
public enum BenchmarkRequest {
    /// Name and value of each header.
    public static let headers: [(name: String, value: String)] = [
        ("authorization", "Bearer 0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqr"),
        ("accept", "application/json"),
        ("user-agent", "benchmark/1"),
    ]

    /// The response header that every client looks up after each request: the server says in it which protocol it
    /// spoke, so that none is measured over another than intended.
    public static let lookedUpHeader = "x-protocol"

    /// No body here is larger; clients that ask for a ceiling get this one.
    public static let bodyCeiling = 1 << 20
}
