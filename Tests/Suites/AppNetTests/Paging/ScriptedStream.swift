import AppNet
import HeliumKit
import HeliumTesting
import Synchronization

/// A list as the service keeps it (Docs/Protocols/AppNet.md §1.6), to which items are added while it is read.
///
/// Positions are not the ids of the items, so a client that pages by ids fails.
final class ScriptedStream: Sendable {
    private struct State {
        /// The oldest first, by position.
        var items: [Int]
        var next: Int
        var requests = 0
    }

    private let state: Mutex<State>
    private let arrivals: @Sendable (Int) -> Int
    private let lastRead: Int?

    /// - Parameters:
    ///   - count: How many items there are at the start: positions 1 to that.
    ///   - lastRead: Where the marker is.
    ///   - arrivals: How many items arrive after a request, by its number.
    init(_ count: Int, lastRead: Int? = nil, arrivals: @escaping @Sendable (Int) -> Int = { _ in 0 }) {
        state = Mutex(State(items: Array(1..<(count + 1)), next: count + 1))
        self.arrivals = arrivals
        self.lastRead = lastRead
    }

    /// Returns the id of the item at a position. Ids are in the opposite order.
    static func id(_ position: Int) -> Message.ID { Message.ID(1_000_000 - position) }

    var requestCount: Int { state.withLock { $0.requests } }
    var newest: Int { state.withLock { $0.next - 1 } }

    var transport: MockTransport {
        MockTransport { request in
            let query = Dictionary(request.queryItems.map { ($0.name, $0.value) }) { $1 }
            let page = self.page(query)
            return .json(#"{"meta":{"code":200,\#(page.meta)},"data":[\#(page.data)]}"#)
        }
    }

    private func bound(_ text: String?) -> (position: Int, isInclusive: Bool)? {
        switch text {
        case nil: nil
        case "last_read", "marker": lastRead.map { ($0, false) }
        case "last_read_inclusive", "marker_inclusive": lastRead.map { ($0, true) }
        case .some(let text): Int(text).map { ($0, false) }
        }
    }

    private func page(_ query: [String: String]) -> (data: String, meta: String) {
        let count = query["count"].flatMap { Int($0) } ?? 20
        let (since, before) = (bound(query["since_id"]), bound(query["before_id"]))
        return state.withLock { state in
            let matching = state.items.filter { item in
                (since.map { $0.isInclusive ? item >= $0.position : item > $0.position } ?? true)
                    && (before.map { $0.isInclusive ? item <= $0.position : item < $0.position } ?? true)
            }
            let taken = count > 0 ? matching.suffix(count) : matching.prefix(-count)
            state.requests += 1
            for _ in 0..<arrivals(state.requests) {
                state.items.append(state.next)
                state.next += 1
            }
            let data = taken.reversed().map { #"{"id":"\#(Self.id($0).text)"}"# }.joined(separator: ",")
            let isMore = taken.count < matching.count
            guard let first = taken.first, let last = taken.last else { return (data, #""more":false"#) }
            return (data, #""more":\#(isMore),"min_id":"\#(first)","max_id":"\#(last)""#)
        }
    }
}
