/// One run, as the driver describes it on the command line (the C client reads the same options).
public struct RunOptions: Sendable {
    /// The absolute URL that is requested (`--url`).
    public var url = ""
    /// The number of requests in flight at a time (`--concurrency`).
    public var concurrency = 1
    /// The number of measured requests, or of large bodies (`--requests`).
    public var requests = 1000
    /// The number of unmeasured requests before them (`--warm-up`).
    public var warmUp = 100
    /// The exact length that each body must have (`--body-bytes`).
    public var bodyBytes = 0
    /// Whether HTTP/2 is wanted, otherwise HTTP/1.1 (`--http2 1`).
    public var http2 = false
    /// The PEM file of the CA that signed the server's certificate (`--ca`).
    public var certificateAuthorityFile: String?
    /// The URL of responses that never end (`--idle-url`).
    public var idleURL = ""
    /// The number of such responses that are held open during the run (`--idle-streams`).
    public var idleStreams = 0

    /// Whether the tasks run on the client's own executor, for clients that have one (`--executor 1`).
    public var usesExecutor = false

    /// The direction in which large bodies are sent instead of requests (`--transfer`).
    public var transfer: Transfer?
    /// The URL of the small, unmeasured transfer that comes first (`--warm-up-url`).
    public var warmUpURL = ""
    /// The file that is sent (`--file`).
    public var file = ""
    /// The small file that is sent before it (`--warm-up-file`).
    public var warmUpFile = ""

    /// The direction of a large body.
    public enum Transfer: String, Sendable { case download, upload }

    /// Reads `--name value` pairs; throws ``UsageError`` for anything else.
    public init(arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw UsageError("\(name) needs a value") }
            switch name {
            case "--url": url = value
            case "--concurrency": concurrency = try Self.number(value, name, in: 1...1024)
            case "--requests": requests = try Self.number(value, name, in: 1...10_000_000)
            case "--warm-up": warmUp = try Self.number(value, name, in: 0...10_000_000)
            case "--body-bytes": bodyBytes = try Self.number(value, name, in: 0...1 << 40)
            case "--http2": http2 = try Self.number(value, name, in: 0...1) == 1
            case "--executor": usesExecutor = try Self.number(value, name, in: 0...1) == 1
            case "--ca": certificateAuthorityFile = value
            case "--idle-url": idleURL = value
            case "--transfer":
                guard let wanted = Transfer(rawValue: value) else { throw UsageError("no transfer '\(value)'") }
                transfer = wanted
            case "--warm-up-url": warmUpURL = value
            case "--file": file = value
            case "--warm-up-file": warmUpFile = value
            case "--idle-streams": idleStreams = try Self.number(value, name, in: 0...4096)
            default: throw UsageError("unknown option \(name)")
            }
        }
        if url.isEmpty { throw UsageError("--url is missing") }
    }

    private static func number(_ text: String, _ name: String, in range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw UsageError("\(name) takes a number in \(range), not '\(text)'")
        }
        return number
    }
}

/// A command line that cannot be understood.
public struct UsageError: Error, CustomStringConvertible {
    /// The description of the error.
    public let description: String

    /// An error that says `description`.
    public init(_ description: String) { self.description = description }
}
