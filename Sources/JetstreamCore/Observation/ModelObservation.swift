/// An observation that can be ended.
///
/// One with an owner lasts until the owner is gone or ``cancel()`` is called; the token may be thrown away. One without an
/// owner lasts as long as its token.
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

    /// Ends the observation. From then on its closure is not called.
    public func cancel() {
        end?()
        end = nil
    }
}

/// The turns of code that runs on no actor: coalesced observers are called when the caller says that a turn is over.
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

    /// A turn in which nothing happened yet.
    public init() {}

    /// Whether nothing waits for the turn's end.
    public var isEmpty: Bool { jobs.isEmpty }

    func add(_ job: @escaping () -> Void) { jobs.append(job) }

    /// Ends the turn: calls the observers of what changed, once each. What they change belongs to the next turn.
    public func flush() {
        let ended = jobs
        jobs = []
        for job in ended { job() }
    }
}

/// A report that is due once a turn, however many changes cause it.
final class CoalescedReport {
    private(set) var isDue = false
    private var action: (() -> Void)?
    var schedule: (() -> Void)?

    init(_ action: @escaping () -> Void) { self.action = action }

    /// Makes the report due at the end of the turn.
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
