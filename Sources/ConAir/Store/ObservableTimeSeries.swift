internal import HeliumConcurrency
public import Observation
internal import Synchronization

/// The points and the state of a store for user interfaces, as properties on the main actor that Observation tracks.
///
/// ```swift
/// let series = ObservableTimeSeries(store)
/// let text = series.latest.map { "\($0.value) °C at \($0.time)" }
/// ```
///
/// The properties follow the store until this object is released. The object retains the store.
@MainActor
@Observable
public final class ObservableTimeSeries {
    /// The points.
    public private(set) var points: SeriesPoints

    /// The newest point; `nil` if there is none.
    public private(set) var latest: SeriesPoint?

    /// The current activity of the store and the outcome of its last attempts.
    public private(set) var state: TimeSeriesState

    /// The store.
    @ObservationIgnored public let store: TimeSeriesStore

    @ObservationIgnored private let tasks = TaskBag()

    /// Creates an object that follows a store.
    public init(_ store: TimeSeriesStore) {
        self.store = store
        points = store.points
        latest = store.points.last
        state = store.state
        let (updates, states) = (store.updates, store.states)
        // If several batches arrive together, only the result matters.
        tasks.add(Task { [weak self] in for await _ in updates { self?.takePoints() } })
        tasks.add(Task { [weak self] in for await state in states { self?.state = state } })
    }

    private func takePoints() {
        points = store.points
        if latest != points.last { latest = points.last }
    }
}

/// Tasks that are cancelled when this is released.
private final class TaskBag: Sendable {
    private let tasks = Guarded<[Task<Void, Never>]>([])

    func add(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }

    deinit { for task in tasks.withLock({ $0 }) { task.cancel() } }
}
