internal import HeliumCore

/// The decoded values and metadata of an event.
struct SubscriptionEvent<Value: StreamValue>: Sendable {
    var values: [Value] = []
    var meta: ResponseMeta
}

/// The progress of a subscription, which decides the updates to deliver. It performs no I/O.
///
/// Events are held from the start of a connection until the list has been read. The items of the list are delivered
/// first, oldest first, followed by the held events that are new. As a result, nothing is missed and nothing is
/// delivered twice, even if connections are lost and events are repeated. The same happens from an event that leaves out
/// items, and from a frame that cannot be decoded.
struct SubscriptionProgress<Value: StreamValue> {
    private(set) var delivered: DeliveredItems<Value>
    /// The events that are held until the list has been read; `nil` if events are not held.
    private var held: [SubscriptionEvent<Value>]?
    /// The number of held events that arrived before the list began to be read, which therefore has what they leave out.
    private var coveredCount = 0
    /// The position in the list before which nothing can be missing.
    private(set) var position: ListPosition?
    /// The positions of the newest events. The order of events is not guaranteed, so an earlier one may still arrive.
    private var recent: [ListPosition] = []
    /// Whether something may have been missed while the list was read.
    private(set) var mayMiss = false
    /// The items of the pages read since the last mark that could not be decoded.
    private var unreadable = UnreadableItems()

    private let holdLimit: Int
    private let traits: StreamItemTraits<Value>

    /// The number of recent events from which reading restarts.
    static var overlap: Int { 20 }

    init(memory: Int, holdLimit: Int, traits: StreamItemTraits<Value>) {
        delivered = DeliveredItems(limit: memory, traits: traits)
        self.holdLimit = max(1, holdLimit)
        self.traits = traits
    }
}

extension SubscriptionProgress {
    /// Whether events are held.
    var isHolding: Bool { held != nil }

    /// Begins to hold events until the list has been read.
    mutating func beginReading() {
        held = held ?? []
        coveredCount = held?.count ?? 0
        mayMiss = false
    }

    /// Drops the held events.
    mutating func dropHeld() {
        held = []
        coveredCount = 0
    }

    /// Handles an event.
    mutating func receive(_ event: SubscriptionEvent<Value>) -> [StreamUpdate<Value>] {
        if held == nil, event.meta.more == true || mayMiss {
            // The items that are missing come first, so the list is read from the position before them.
            held = []
            coveredCount = 0
            mayMiss = true
        }
        guard held != nil else { return judged(event) }
        held?.append(event)
        if held?.count ?? 0 > holdLimit {
            // The dropped events will be found by reading the list again.
            dropHeld()
            mayMiss = true
        }
        return []
    }

    /// Handles a frame that could not be decoded, or a gap in the events.
    mutating func missed() { mayMiss = true }

    /// Handles the first page of the list, with which the subscription begins.
    mutating func begin(with page: Page<Value>) {
        delivered.begin(with: page.elements)
        advance(to: page)
    }

    /// Handles a page of missed items.
    mutating func read(_ page: Page<Value>) -> [StreamUpdate<Value>] {
        unreadable.add(page.unreadable)
        let changes = page.elements.reversed().compactMap { delivered.take($0) }
        advance(to: page)
        return changes.map { StreamUpdate(change: $0, origin: .catchUp, meta: page.meta) }
    }

    /// Handles the end of reading the list, and returns the updates of the held events.
    ///
    /// - Parameter isResumed: Whether the stream was resumed; `nil` if there was nothing to resume.
    mutating func endReading(isResumed: Bool?) -> [StreamUpdate<Value>] {
        let events = held ?? []
        held = nil
        let mark = isResumed.map { isResumed in
            StreamUpdate<Value>(change: .caughtUp(isResumed: isResumed), origin: .catchUp, unreadable: unreadable)
        }
        unreadable = UnreadableItems()
        var updates = [mark].compactMap(\.self)
        for (index, event) in events.enumerated() {
            if index >= coveredCount, event.meta.more == true {
                held = Array(events[index...])
                mayMiss = true
                break
            }
            updates += judged(event)
        }
        coveredCount = 0
        return updates
    }

    private mutating func advance(to page: Page<Value>) {
        guard let newest = page.meta.maxID else { return }
        position = ListPosition(newest)
        recent = []
    }

    private mutating func judged(_ event: SubscriptionEvent<Value>) -> [StreamUpdate<Value>] {
        if event.meta.isDeleted != true, let newest = event.meta.maxID {
            recent.append(ListPosition(newest))
            if recent.count > Self.overlap { position = recent.removeFirst() }
        }
        return changes(of: event).map { StreamUpdate(change: $0, origin: .event, meta: event.meta) }
    }

    private mutating func changes(of event: SubscriptionEvent<Value>) -> [StreamUpdate<Value>.Change] {
        guard event.meta.isDeleted == true else {
            return event.values.reversed().compactMap { delivered.take($0, revision: event.meta.revision) }
        }
        if let id = event.meta.deletedID ?? event.meta.id {
            let id = AppNetID<Value>(id)
            let change = delivered.delete(id, event.values.first { traits.id($0) == id })
            return change.map { [$0] } ?? []
        }
        return event.values.compactMap { value in traits.id(value).flatMap { delivered.delete($0, value) } }
    }
}
