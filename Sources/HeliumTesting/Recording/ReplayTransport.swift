internal import HTTPTypes
public import HeliumCore
internal import Synchronization

/// A transport without a network that returns the responses of a ``HAR``.
///
/// ```swift
/// let replay = try ReplayTransport(HAR(contentsOf: file))
/// let helium = try Helium(baseURL: api, environment: ClientEnvironment(transport: replay))
/// let todos = try await helium.get("/todos", returning: [Todo].self).value()
/// #expect(todos.map(\.id) == ["7"] && replay.unusedEntries.isEmpty)
/// ```
///
/// The response to a request comes from an entry with the same method, URL and body. Each entry is used once. Masked
/// text in the recording matches any text within the same path segment, parameter, JSON value or line. A request that no entry matches fails with kind `unmatchedRequest`. The
/// error names the nearest entry and the difference.
///
/// Recorded failures are thrown. A body is delivered in the form that the request asks for, complete or as a stream.
public final class ReplayTransport: HTTPTransport {
    private struct State {
        var table: ReplayTable
        var unmatched: [TransportRequest] = []
        var isShutDown = false
    }

    private let state: Guarded<State>

    /// The order in which entries are used.
    public enum Order: Hashable, Sendable {
        /// The first unused entry that matches.
        case any
        /// Only the next entry.
        case strict
    }

    /// The parts of a request that must equal the recording, besides its method and path.
    public struct Matching: Hashable, Sendable {
        /// Whether scheme, host and port are compared. Default: `true`.
        public var origin = true
        /// Whether the query is compared, as text. Default: `true`.
        public var query = true
        /// Whether the body is compared; JSON is compared as a value. Bodies that were cut in the recording, and
        /// streamed bodies, are not compared. Default: `true`.
        public var body = true
        /// Whether the masks of a recording (`***` in URLs and forms, `[redacted]` in all bodies) match any text. Turn
        /// it off for archives of other programs, in which such text is not a mask. Default: `true`.
        public var masks = true

        /// Creates the default value.
        public init() {}
    }

    /// Creates a transport that returns the responses of `har`.
    ///
    /// - Parameters:
    ///   - har: The recording.
    ///   - order: The order in which entries are used. Default: any matching entry.
    ///   - matching: The parts that must be the same. Default: everything except the header fields.
    ///   - reusesLast: Whether the last matching entry is used again after all matching entries were used. Default:
    ///     `false`.
    /// - Throws: ``HAR/Malformed`` if a value in the recording is invalid.
    public init(
        _ har: HAR,
        order: Order = .any,
        matching: Matching = Matching(),
        reusesLast: Bool = false
    ) throws(HAR.Malformed) {
        try har.validate()
        let table = try ReplayTable(har, order: order, matching: matching, reusesLast: reusesLast)
        state = Guarded(State(table: table))
    }

    /// Returns the response of the matching entry.
    public func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        if Task.isCancelled {
            throw TransportFailure(.cancelled, delivery: .notSent, message: "the call was cancelled")
        }
        let verdict = state.withLock { state -> ReplayTable.Verdict? in
            guard !state.isShutDown else { return nil }
            let verdict = state.table.match(request)
            if case .unmatched = verdict { state.unmatched.append(request) }
            return verdict
        }
        switch verdict {
        case nil:
            throw TransportFailure(.clientClosed, delivery: .notSent, message: "the client is closed")
        case .unmatched(let reason):
            let what = "the recording has no response to \(request.method.rawValue) \(request.url.redacted)"
            throw TransportFailure(.unmatchedRequest, delivery: .notSent, message: "\(what): \(reason)")
        case .matched(let entry):
            return try await entry.replayed().delivered(as: request.responseBody)
        }
    }

    /// Makes later requests fail with `clientClosed`.
    public func shutdown() async { state.withLock { $0.isShutDown = true } }

    /// The requests that no entry matched.
    public var unmatchedRequests: [TransportRequest] { state.withLock { $0.unmatched } }

    /// The entries that have not been used yet: method and URL as recorded.
    public var unusedEntries: [String] { state.withLock { $0.table.unused } }
}
