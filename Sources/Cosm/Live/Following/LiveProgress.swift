/// The known state of a resource and the updates that follow from events. A value without I/O.
///
/// While the state is read, pushes are held. Then the state that was read is current, and of the held pushes only newer
/// ones count. Older pushes are dropped until the first newer one. Such a push was under way when the state was read,
/// or the server's clock was set back. Only another reading can tell the two apart (``isDoubtful``). After the first
/// newer push, pushes are in order, and only repetitions are dropped.
struct LiveProgress<Value: LiveValue> {
    /// The newest state that was delivered, or that was read for comparison.
    private(set) var known: Value?
    /// Whether the known state was only read for comparison, so that no push counts as older.
    private var isBaseline = false
    /// Whether pushes may be older than the known state.
    private var isCatchingUp = false
    /// Whether a push was dropped as older and no newer one has followed. It may be the current state.
    private(set) var isDoubtful = false
    /// Whether updates before the next one may be missing.
    private var hasGap = false
    /// The pushes since each gap for which the state has to be read; empty if there is no such gap.
    ///
    /// A connection can be lost while the state is read because of an earlier gap. The pushes between the two gaps come
    /// before the second reading, and later ones after it.
    private var held: [[Value]] = []

    /// The maximum number of held pushes.
    private let holdLimit: Int
    /// The maximum number of gaps that are kept apart.
    private static var gapLimit: Int { 64 }

    init(holdLimit: Int) { self.holdLimit = max(1, holdLimit) }
}

// MARK: Events

extension LiveProgress {
    /// Takes a push and returns the resulting update; `nil` if there is none.
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

    /// Notes a gap. The state has to be read, and pushes are held until then.
    mutating func beginReading() {
        if held.count < Self.gapLimit { held.append([]) } else { hasGap = true }
    }

    /// Takes a datapoint of an outage and returns the resulting update; `nil` if there is none.
    mutating func history(_ point: Datapoint, of datastream: String) -> LiveUpdate<Value>? {
        guard var value = known, let at = point.at, value.moments[datastream]?.at.map({ at > $0 }) ?? true else {
            return nil
        }
        value.take(point, of: datastream)
        guard value != known else { return nil }
        return makeUpdate(value, .history)
    }

    /// Takes the state that was read for the first gap and returns the resulting updates.
    ///
    /// - Parameters:
    ///   - value: The state.
    ///   - origin: The origin of the update; `nil` if the state is only kept for comparison.
    ///   - isComplete: Whether all requested datapoints of the gap were delivered.
    mutating func read(_ value: Value, origin: LiveOrigin?, isComplete: Bool) -> [LiveUpdate<Value>] {
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
        // A state with an older instant counts as well: it cannot precede delivered updates, but the server's clock can
        // be set back.
        let isOther = order(value) != .same
        if isDoubtful, isOther { hasGap = true }
        isDoubtful = false
        if isBaselineOnly(origin) || isOther { updates.append(makeUpdate(value, origin)) }
        isCatchingUp = true
        updates += pushes.compactMap { judged($0) }
        return updates
    }

    /// Continues with the held pushes, because the state could not be read.
    mutating func readingFailed() -> [LiveUpdate<Value>] {
        let pushes = held.flatMap(\.self)
        held = []
        hasGap = true
        // The gap already covers the uncertainty. A failed reading is not repeated for it.
        defer { isDoubtful = false }
        return pushes.compactMap { judged($0) }
    }

    private func isBaselineOnly(_ origin: LiveOrigin) -> Bool { isBaseline && origin == .initial }
}

// MARK: Comparing states

extension LiveProgress {
    private enum Order { case newer, same, older }

    private mutating func judged(_ value: Value) -> LiveUpdate<Value>? {
        guard known != nil, !isBaseline else { return makeUpdate(value, .push) }
        switch order(value) {
        case .same: return nil
        case .older where isCatchingUp:
            isDoubtful = true
            return nil
        case .newer, .older:
            isCatchingUp = false
            isDoubtful = false
            return makeUpdate(value, .push)
        }
    }

    private mutating func makeUpdate(_ value: Value, _ origin: LiveOrigin) -> LiveUpdate<Value> {
        let before = isBaseline && origin == .push ? [:] : known?.moments ?? [:]
        let after = value.moments
        let changed = Set(after.keys.filter { before[$0] != after[$0] }).union(before.keys.filter { after[$0] == nil })
        let update = LiveUpdate(value: value, origin: origin, followsGap: hasGap, changedDatastreams: changed)
        known = value
        isBaseline = false
        hasGap = false
        return update
    }

    /// Compares a state with the known one.
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
