import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumJSON
import HeliumKit
import HeliumTesting
import Synchronization
import TestSupport

@testable import Cosm

/// A service with one feed in memory, from Docs/Protocols/Cosm.md §3 to §5, that handles each request at a random moment
/// and responds at another one. Its pushes wait until a test delivers them.
final class SimulatedFeedService: Sendable {
    /// A fault of the service itself, which a simulation must notice.
    enum Fault: CaseIterable, Sendable {
        /// A read returns the feed as it was before the last write.
        case readsLate
        /// A write is confirmed and not stored.
        case losesWrites
        /// Some changes are not pushed.
        case losesPushes
    }

    private struct State {
        var random: SeededRandom
        var feed: Feed
        var previous: Feed
        var pushes: [Feed] = []
        var isSubscribed = false
        var lastValue: Int64 = 0

        /// Notes that the feed has changed, and pushes it.
        mutating func wrote(_ fault: Fault?) {
            lastValue += 1
            feed.updated = Timestamp(microseconds: lastValue)
            if isSubscribed, fault != .losesPushes || random.oneIn(2) { pushes.append(feed) }
        }
    }

    private let fault: Fault?
    private let state: Guarded<State>

    init(seed: UInt64, fault: Fault? = nil) {
        let feed = Feed(
            id: 504,
            title: "t0",
            description: "0",
            updated: Timestamp(microseconds: 0),
            datastreams: [Datastream(id: "theirs", currentValue: "0", at: Timestamp(microseconds: 0))]
        )
        self.fault = fault
        state = Guarded(State(random: SeededRandom(seed: seed), feed: feed, previous: feed))
    }

    var feed: Feed { state.withLock { $0.feed } }

    func makeAPI() throws -> CosmClient {
        let transport = MockTransport(cosm: { [self] request async throws(TransportFailure) in
            await wait()
            let response = try state.withLock { state throws(TransportFailure) in try respond(to: request, &state) }
            await wait()
            return response
        })
        return try CosmTests.makeAPI(transport)
    }

    private func wait() async {
        let count = state.withLock { $0.random.oneIn(2) ? 0 : $0.random.below(40) }
        for _ in 0..<count { await Task.yield() }
    }
}

// MARK: What happens

extension SimulatedFeedService {
    func subscribe() { state.withLock { $0.isSubscribed = true } }

    func unsubscribe() { state.withLock { ($0.isSubscribed, $0.pushes) = (false, []) } }

    /// Another client writes the members that are its own.
    func writeTheirs() {
        state.withLock { state in
            let number = state.lastValue + 1
            state.feed.description = number.description
            if let index = state.feed.datastreams?.firstIndex(where: { $0.id == "theirs" }) {
                state.feed.datastreams?[index].currentValue = DatapointValue(Int(number))
                state.feed.datastreams?[index].at = Timestamp(microseconds: number)
            }
            state.wrote(fault)
        }
    }

    /// Returns the next push to deliver.
    func takePush() -> Feed? { state.withLock { $0.pushes.isEmpty ? nil : $0.pushes.removeFirst() } }
}

// MARK: Serving

extension SimulatedFeedService {
    private func respond(to request: TransportRequest, _ state: inout State) throws(TransportFailure)
        -> TransportResponse
    {
        let parts = request.decodedPath.split(separator: "/").map(String.init)
        let stream = parts.count > 4 ? parts[4] : nil
        if request.method == .get {
            var document = fault == .readsLate ? state.previous : state.feed
            if request.queryItems.contains(where: { $0.name == "show_user" }) { document.user = User(login: "ann") }
            return try .json(encoding: document)
        }
        let index = state.feed.datastreams?.firstIndex { $0.id == stream }
        if stream != nil, index == nil { return .json(#"{"title":"Not found"}"#, status: 404) }
        if fault == .losesWrites, state.random.oneIn(3) { return .data(Data(" ".utf8)) }
        state.previous = state.feed
        if request.method == .delete, let index {
            state.feed.datastreams?.remove(at: index)
        } else if let index, let body = try? request.bodyJSON(as: Datastream.self) {
            state.feed.datastreams?[index].currentValue = body.currentValue
        } else if let body = try? request.bodyJSON(as: Feed.self) {
            state.feed.title = body.title ?? state.feed.title
            for stream in body.datastreams ?? [] {
                // Creating a datastream that exists updates it (Docs/Protocols/Cosm.md §5).
                if let index = state.feed.datastreams?.firstIndex(where: { $0.id == stream.id }) {
                    state.feed.datastreams?[index].currentValue = stream.currentValue
                } else {
                    state.feed.datastreams?.append(stream)
                }
            }
        }
        state.wrote(fault)
        return .data(Data(" ".utf8))
    }
}
