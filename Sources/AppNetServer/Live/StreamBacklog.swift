internal import HeliumConcurrency
internal import Synchronization

/// The publications that are not complete, in the order of their writes.
///
/// A publication stays here until all streams have got its events, so that an empty backlog means that those of the next
/// write can be published at once.
final class StreamBacklog: Sendable {
    private struct State {
        var waiting: ArraySlice<StreamPublication> = []
        var cost = 0
        /// Whether a task processes the publications.
        var isProcessing = false
    }

    /// The maximum cost of all publications (``StreamPublication/cost``): some 20 MB.
    static let maximumCost = 100_000

    private let maximum: Int
    private let state = Guarded(State())

    init(maximumCost: Int = StreamBacklog.maximumCost) { maximum = maximumCost }

    var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

    /// The result of ``append(_:)``, by which the caller goes on.
    enum Outcome: Hashable, Sendable {
        /// Process the publications.
        case process
        /// Nothing: a task processes them.
        case wait
        /// There were too many. All were removed, with the new one.
        case overflow
    }

    func append(_ publication: StreamPublication) -> Outcome {
        state.withLock { state in
            guard state.waiting.isEmpty || state.cost + publication.cost <= maximum else {
                state.waiting = []
                state.cost = 0
                return .overflow
            }
            state.waiting.append(publication)
            state.cost += publication.cost
            if state.isProcessing { return .wait }
            state.isProcessing = true
            return .process
        }
    }

    /// Returns the first publication, which stays in the backlog; `nil` if there is none, after which ``append(_:)`` asks
    /// for another task.
    func first() -> StreamPublication? {
        state.withLock { state in
            if state.waiting.isEmpty { state.isProcessing = false }
            return state.waiting.first
        }
    }

    func removeAll() {
        state.withLock { state in
            state.waiting = []
            state.cost = 0
        }
    }

    /// Stores how far the first publication has come, or removes it.
    ///
    /// - Returns: `false` if it was removed meanwhile, because there were too many.
    @discardableResult
    func update(_ publication: StreamPublication, isComplete: Bool) -> Bool {
        state.withLock { state in
            guard state.waiting.first?.number == publication.number else { return false }
            if isComplete {
                state.waiting.removeFirst()
                state.cost -= publication.cost
            } else {
                state.waiting[state.waiting.startIndex] = publication
            }
            return true
        }
    }
}
