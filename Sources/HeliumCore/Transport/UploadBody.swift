public import HeliumEssentials

/// A request body that is read while it is sent, instead of being held in memory.
///
/// Each attempt reads it from its beginning. ``isReplayable`` indicates whether that is possible more than once.
public struct UploadBody: Sendable {
    /// The body's size in bytes, sent as `Content-Length`; `nil` if it is unknown. A body of unknown size is sent in
    /// chunks (HTTP/1.1) or frames (HTTP/2). If the actual size differs, the transfer fails with
    /// ``FailureKind/requestBodyFailed``.
    public let length: Int64?

    /// Whether ``open()`` may be called more than once. If not, a request can't be repeated once a part of it was sent.
    public let isReplayable: Bool

    private let makeSource: @Sendable () async throws -> any UploadSource
    /// Creates the source without waiting for anything; `nil` if that is not possible.
    private var makeSourceNow: (@Sendable () throws(UploadFailure) -> any UploadSource)?
    private var observe: (@Sendable (any UploadSource) -> any UploadSource)?

    /// Creates a body. `makeSource` creates the source of its chunks, once for each attempt. A negative length counts as
    /// 0.
    public init(
        length: Int64?,
        isReplayable: Bool,
        makeSource: @escaping @Sendable () async throws -> any UploadSource
    ) {
        self.length = length.map { max(0, $0) }
        self.isReplayable = isReplayable
        self.makeSource = makeSource
    }

    /// Creates a body that can be read again, and whose source is there at once.
    init(length: Int64, openingNow makeSource: @escaping @Sendable () throws(UploadFailure) -> any UploadSource) {
        self.init(length: length, isReplayable: true) { try makeSource() }
        makeSourceNow = makeSource
    }

    /// Returns a source at the body's beginning, or `nil` if ``open()`` has to be called, which may wait.
    package func openNow() throws(UploadFailure) -> (any UploadSource)? {
        guard let source = try makeSourceNow?() else { return nil }
        return observe.map { $0(source) } ?? source
    }

    /// Returns a source at the body's beginning.
    public func open() async throws -> any UploadSource {
        let source = try await makeSource()
        return observe.map { $0(source) } ?? source
    }

    /// Returns a source at the body's beginning whose reading is not reported as progress. It is used to hash a body
    /// before it is sent.
    package func openUnobserved() async throws -> any UploadSource { try await makeSource() }

    /// Returns the same body, with each source for sending wrapped.
    func observed(_ observe: @escaping @Sendable (any UploadSource) -> any UploadSource) -> UploadBody {
        var copy = self
        copy.observe = observe
        return copy
    }
}

/// A source of the chunks of a request body, for one reader.
public protocol UploadSource: AnyObject, Sendable {
    /// Returns the next chunk, after waiting for it if necessary, or `nil` after the last. It is called only when there
    /// is room for a chunk, and never before the previous call has returned. Its task is cancelled when the chunk is no
    /// longer needed.
    func next() async throws -> Data?

    /// Ends reading and releases the source's resources. Safe to call at any time, more than once.
    func cancel()
}

/// The error of reading a request body. Its text contains no secrets.
package struct UploadFailure: Error, Sendable, CustomStringConvertible {
    /// One sentence that describes the failure.
    package let description: String

    package init(_ description: String) { self.description = description }
}
