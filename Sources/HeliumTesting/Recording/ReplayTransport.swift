internal import HTTPTypes
public import HeliumCore
internal import Synchronization

/// A transport without a network that answers from a ``HAR``.
///
/// ```swift
/// let replay = try ReplayTransport(HAR(contentsOf: file))
/// let helium = try Helium(baseURL: api, environment: ClientEnvironment(transport: replay))
/// let todos = try await helium.get("/todos", returning: [Todo].self).value()
/// #expect(todos.map(\.id) == ["7"] && replay.unusedEntries.isEmpty)
/// ```
///
/// A request is answered by an entry with the same method, URL and body, each entry once. What was masked in the recording
/// fits anything. A request that no entry fits fails with kind `unmatchedRequest`, naming the nearest entry and what differs.
/// Recorded failures fail again; a body is delivered as it is asked for, whole or as a stream.
public final class ReplayTransport: HTTPTransport {
    private struct State {
        var table: ReplayTable
        var unmatched: [TransportRequest] = []
        var isShutDown = false
    }

    private let state: Guarded<State>

    /// Which entry may answer.
    public enum Order: Hashable, Sendable {
        /// The first unused one that fits.
        case any
        /// The next one, and no other.
        case strict
    }

    /// What of a request must be as it was recorded, besides its method and path.
    public struct Matching: Hashable, Sendable {
        /// Scheme, host and port. Default: yes.
        public var origin = true
        /// The query, as it stands. Default: yes.
        public var query = true
        /// The body; JSON is compared as a value. Bodies that were cut in the recording, and streamed ones, are not
        /// compared. Default: yes.
        public var body = true

        /// The defaults.
        public init() {}
    }

    /// Answers from `har`.
    ///
    /// - Parameters:
    ///   - har: The recording.
    ///   - order: Which entry may answer. Default: any that fits.
    ///   - matching: What must be the same. Default: everything but the fields.
    ///   - reusesLast: Whether the last entry that fits answers again when all that fit have been used. Default: no.
    /// - Throws: ``HAR/Malformed`` if a value in it can't be used.
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

    /// Answers from the entry that fits.
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
            let what = "the recording has no answer to \(request.method.rawValue) \(request.url.redacted)"
            throw TransportFailure(.unmatchedRequest, delivery: .notSent, message: "\(what): \(reason)")
        case .matched(let entry):
            return try await entry.replayed().delivered(as: request.responseBody)
        }
    }

    /// Later requests fail with `clientClosed`.
    public func shutdown() async { state.withLock { $0.isShutDown = true } }

    /// The requests that no entry fitted.
    public var unmatchedRequests: [TransportRequest] { state.withLock { $0.unmatched } }

    /// The entries that have not answered yet: method and URL as recorded.
    public var unusedEntries: [String] { state.withLock { $0.table.unused } }
}
