public import HeliumEssentials

/// A request body that is read while it is sent, instead of standing in memory.
///
/// Each attempt reads it from its beginning: ``isReplayable`` says whether that can be done more than once.
public struct UploadBody: Sendable {
    /// The body's size in bytes, sent as `Content-Length`; `nil` if it is not known before the end: then it goes out in
    /// chunks (HTTP/1.1) or frames (HTTP/2). A body of another size than announced fails the transfer with kind
    /// ``FailureKind/requestBodyFailed``.
    public let length: Int64?

    /// Whether ``open()`` may be called again: what decides if a request can be repeated once some of it was sent.
    public let isReplayable: Bool

    private let makeSource: @Sendable () async throws -> any UploadSource
    private var observe: (@Sendable (any UploadSource) -> any UploadSource)?

    /// A body whose chunks come from the sources that `makeSource` makes, one for each attempt.
    public init(
        length: Int64?,
        isReplayable: Bool,
        makeSource: @escaping @Sendable () async throws -> any UploadSource
    ) {
        self.length = length
        self.isReplayable = isReplayable
        self.makeSource = makeSource
    }

    /// A source at the body's beginning.
    public func open() async throws -> any UploadSource {
        let source = try await makeSource()
        return observe.map { $0(source) } ?? source
    }

    /// A source at the body's beginning whose reading is nobody's progress: to hash a body before it is sent.
    package func openUnobserved() async throws -> any UploadSource { try await makeSource() }

    /// The same body with each source for sending wrapped.
    func observed(_ observe: @escaping @Sendable (any UploadSource) -> any UploadSource) -> UploadBody {
        var copy = self
        copy.observe = observe
        return copy
    }
}

/// Gives the chunks of a request body, one after the other, to one reader.
public protocol UploadSource: AnyObject, Sendable {
    /// The next chunk, waiting for it if need be; `nil` after the last. Asked for only when there is room for it, and
    /// never again before the call before has returned. Its task is cancelled when nobody wants the chunk any more.
    func next() async throws -> Data?

    /// Nobody reads any further: gives back what the source holds. Safe to call at any time, more than once.
    func cancel()
}

/// Why a request's body could not be read, in words that hold nothing secret.
package struct UploadFailure: Error, Sendable, CustomStringConvertible {
    /// One sentence for people.
    package let description: String

    package init(_ description: String) { self.description = description }
}
