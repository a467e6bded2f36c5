/// What a follower knows of a resource, and the updates that follow from it. A value without I/O.
///
/// While the state is read again, pushes are held; then what was read counts, and of the pushes only what is newer. Until the
/// first push that is newer, older ones are dropped: they were under way when the state was read, or a clock was set back,
/// which only another reading can tell (``isDoubtful``). After it pushes are in order, and nothing but repetitions is
/// dropped.
struct LiveProgress<Value: LiveValue> {
    /// The newest state that was told, or read to compare with.
    private(set) var known: Value?
    /// The known state was not told, so that nothing is old compared with it.
    private var isBaseline = false
    /// Pushes may be older than what is known.
    private var isCatchingUp = false
    /// A push was dropped for its older instant, and nothing newer came since: it may be the present state.
    private(set) var isDoubtful = false
    /// Updates may be missing before the next.
    private var hasGap = false
    /// Pushes that came since each moment from which the state has to be read; empty while it has not.
    ///
    /// A connection may be lost while the state is read because of the one before: what was pushed in between comes before
    /// the second gap, and what is pushed later after it.
    private var held: [[Value]] = []

    /// The most pushes that are held.
    private let holdLimit: Int
    /// The most gaps that are kept apart.
    private static var gapLimit: Int { 64 }

    init(holdLimit: Int) { self.holdLimit = max(1, holdLimit) }
}

// MARK: What comes

extension LiveProgress {
    /// A push came.
    mutating func push(_ value: Value) -> LiveUpdate<Value>? {
        guard isReading else { return judged(value) }
        held[held.count - 1].append(value)
        if held.reduce(0, { $0 + $1.count }) > holdLimit, let oldest = held.firstIndex(where: { !$0.isEmpty }) {
            held[oldest].removeFirst()
            hasGap = true
        }
        return nil
    }

    /// Whether the state has to be read.
    var isReading: Bool { !held.isEmpty }

    /// The state has to be read from now on; pushes are held until it is.
    mutating func beginReading() {
        if held.count < Self.gapLimit { held.append([]) } else { hasGap = true }
    }

    /// A datapoint of the time that was missed.
    mutating func history(_ point: Datapoint, of datastream: String) -> LiveUpdate<Value>? {
        guard var value = known, let at = point.at, value.moments[datastream]?.at.map({ at > $0 }) ?? true else {
            return nil
        }
        value.take(point, of: datastream)
        guard value != known else { return nil }
        return tell(value, .history)
    }

    /// The state was read, which fills the first gap.
    ///
    /// - Parameters:
    ///   - value: The state.
    ///   - origin: Why it was read; `nil` if only to compare with later.
    ///   - isComplete: Whether nothing in between is missing as far as was asked for.
    mutating func read(_ value: Value, origin: LiveUpdate<Value>.Origin?, isComplete: Bool) -> [LiveUpdate<Value>] {
        let pushes = held.isEmpty ? [] : held.removeFirst()
        if !isComplete { hasGap = true }
        guard let origin else {
            if known == nil {
                known = value
                isBaseline = true
            }
            return pushes.compactMap { judged($0) }
        }
        var updates: [LiveUpdate<Value>] = []
        // An older instant too: what is read now is never behind what was told before, but clocks can be.
        let isOther = order(value) != .same
        if isDoubtful, isOther { hasGap = true }
        isDoubtful = false
        if isBaselineOnly(origin) || isOther { updates.append(tell(value, origin)) }
        isCatchingUp = true
        updates += pushes.compactMap { judged($0) }
        return updates
    }

    /// The state could not be read: goes on with what is pushed.
    mutating func readingFailed() -> [LiveUpdate<Value>] {
        let pushes = held.flatMap(\.self)
        held = []
        hasGap = true
        // The gap says it: what can't be read is not tried again for a doubt.
        defer { isDoubtful = false }
        return pushes.compactMap { judged($0) }
    }

    private func isBaselineOnly(_ origin: LiveUpdate<Value>.Origin) -> Bool { isBaseline && origin == .initial }
}

// MARK: Judging

extension LiveProgress {
    private enum Order { case newer, same, older }

    private mutating func judged(_ value: Value) -> LiveUpdate<Value>? {
        guard known != nil, !isBaseline else { return tell(value, .push) }
        switch order(value) {
        case .same: return nil
        case .older where isCatchingUp:
            isDoubtful = true
            return nil
        case .newer, .older:
            isCatchingUp = false
            isDoubtful = false
            return tell(value, .push)
        }
    }

    private mutating func tell(_ value: Value, _ origin: LiveUpdate<Value>.Origin) -> LiveUpdate<Value> {
        let before = isBaseline && origin == .push ? [:] : known?.moments ?? [:]
        let after = value.moments
        let changed = Set(after.keys.filter { before[$0] != after[$0] }).union(before.keys.filter { after[$0] == nil })
        let update = LiveUpdate(value: value, origin: origin, followsGap: hasGap, changedDatastreams: changed)
        known = value
        isBaseline = false
        hasGap = false
        return update
    }

    /// How a state stands to the known one.
    private func order(_ value: Value) -> Order {
        guard let known else { return .newer }
        let (before, after) = (known.moments, value.moments)
        var isNewer = false
        var isOlder = false
        for (id, moment) in after {
            guard let old = before[id] else {
                isNewer = true
                continue
            }
            switch (moment.at, old.at) {
            case (let new?, let old?) where new < old: isOlder = true
            case (let new?, let old?) where new > old: isNewer = true
            default: if moment.value != old.value { isNewer = true }
            }
        }
        if let new = value.changedAt, let old = known.changedAt, new != old {
            return new > old || isNewer && !isOlder ? .newer : .older
        }
        if isNewer { return .newer }
        if isOlder { return .older }
        return value.essence == known.essence ? .same : .newer
    }
}
