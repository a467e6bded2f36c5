internal import HeliumCore

/// What an event of a subscription is.
struct SubscriptionEvent<Value: StreamValue>: Sendable {
    var values: [Value] = []
    var meta: ResponseMeta
}

/// What a subscription knows and what it tells: a value without I/O.
///
/// From the moment a connection is there until the list has been read, events are held. What was read is told first,
/// oldest first, and of the events only what is new after it: so nothing is missed, and nothing comes twice, wherever
/// connections are cut and whatever is sent again.
struct SubscriptionProgress<Value: StreamValue> {
    private(set) var told: ToldItems<Value>
    /// Events that wait for the list; `nil` while none have to.
    private var held: [SubscriptionEvent<Value>]?
    /// The place in the list that certainly nothing is missing before.
    private(set) var position: ListPosition?
    /// The places of the newest events: as their order is not guaranteed, one before them may still be under way.
    private var recent: [ListPosition] = []
    /// Something may have been missed while the list was read.
    private(set) var mayMiss = false

    private let holdLimit: Int

    /// So many events back reading begins.
    static var overlap: Int { 20 }

    init(memory: Int, holdLimit: Int) {
        told = ToldItems(limit: memory)
        self.holdLimit = max(1, holdLimit)
    }
}

extension SubscriptionProgress {
    /// Whether events are held.
    var isHolding: Bool { held != nil }

    /// From now on events are held until the list has been read.
    mutating func beginReading() {
        held = held ?? []
        mayMiss = false
    }

    /// An event came.
    mutating func receive(_ event: SubscriptionEvent<Value>) -> [StreamUpdate<Value>] {
        guard held != nil else { return judged(event) }
        held?.append(event)
        if held?.count ?? 0 > holdLimit {
            // Reading will find them.
            held = []
            mayMiss = true
        }
        return []
    }

    /// Something came that can't be read, or events are missing.
    mutating func missed() { mayMiss = true }

    /// The list's first page was read, with which everything begins.
    mutating func begin(with page: Page<Value>) {
        told.begin(with: page.elements)
        advance(to: page)
    }

    /// A page of what was missed was read.
    mutating func read(_ page: Page<Value>) -> [StreamUpdate<Value>] {
        let changes = page.elements.reversed().compactMap { told.take($0) }
        advance(to: page)
        return changes.map { StreamUpdate(change: $0, origin: .catchUp, meta: page.meta) }
    }

    /// All of the list was read: tells what was held.
    ///
    /// - Parameter isResumed: Whether the stream went on where it was; `nil` if there was nothing to go on with.
    mutating func endReading(isResumed: Bool?) -> [StreamUpdate<Value>] {
        let events = held ?? []
        held = nil
        let mark = isResumed.map { StreamUpdate<Value>(change: .caughtUp(isResumed: $0), origin: .catchUp) }
        return [mark].compactMap(\.self) + events.flatMap { judged($0) }
    }

    private mutating func advance(to page: Page<Value>) {
        guard let newest = page.meta.maxID else { return }
        position = ListPosition(newest)
        recent = []
    }

    private mutating func judged(_ event: SubscriptionEvent<Value>) -> [StreamUpdate<Value>] {
        // A batch that leaves something out.
        if event.meta.more == true { mayMiss = true }
        if event.meta.isDeleted != true, let newest = event.meta.maxID {
            recent.append(ListPosition(newest))
            if recent.count > Self.overlap { position = recent.removeFirst() }
        }
        return changes(of: event).map { StreamUpdate(change: $0, origin: .event, meta: event.meta) }
    }

    private mutating func changes(of event: SubscriptionEvent<Value>) -> [StreamUpdate<Value>.Change] {
        guard event.meta.isDeleted == true else { return event.values.reversed().compactMap { told.take($0) } }
        if let id = event.meta.deletedID ?? event.meta.id {
            let id = AppNetID<Value>(id)
            let change = told.delete(id, event.values.first { $0.streamID == id })
            return change.map { [$0] } ?? []
        }
        return event.values.compactMap { value in value.streamID.flatMap { told.delete($0, value) } }
    }
}
