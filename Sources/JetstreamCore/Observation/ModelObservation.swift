/// An observation that can be cancelled.
///
/// An observation with an owner lasts until the owner is released or ``cancel()`` is called; its token may be
/// discarded. An observation without an owner lasts as long as its token.
public final class ModelObservation {
    private let isOwned: Bool
    private var end: (() -> Void)?

    init(isOwned: Bool, _ end: @escaping () -> Void) {
        self.isOwned = isOwned
        self.end = end
    }

    deinit {
        if !isOwned { end?() }
    }

    /// Ends the observation. Its closure is not called afterwards.
    public func cancel() {
        end?()
        end = nil
    }
}

/// The turns of code without an actor. Coalesced observers are called when the caller ends a turn.
///
/// ```swift
/// let turn = Turn()
/// let observation = shape.observeChange(nil, on: turn) { redraw() }
/// shape.x = 1
/// shape.y = 2
/// turn.flush()  // redraws once
/// ```
public final class Turn {
    private var jobs: [() -> Void] = []

    /// Creates a turn without changes.
    public init() {}

    /// Whether no observer waits for the end of the turn.
    public var isEmpty: Bool { jobs.isEmpty }

    func add(_ job: @escaping () -> Void) { jobs.append(job) }

    /// Ends the turn: calls the observers of changed objects once each. Their changes belong to the next turn.
    public func flush() {
        let ended = jobs
        jobs = []
        for job in ended { job() }
    }
}

/// A report that is made at most once per turn, regardless of the number of changes.
final class CoalescedReport {
    private(set) var isDue = false
    private var action: (() -> Void)?
    var schedule: (() -> Void)?

    init(_ action: @escaping () -> Void) { self.action = action }

    /// Schedules the report for the end of the turn.
    func note() {
        if isDue { return }
        isDue = true
        schedule?()
    }

    func deliver() {
        isDue = false
        action?()
    }

    func cancel() {
        action = nil
        schedule = nil
    }
}
