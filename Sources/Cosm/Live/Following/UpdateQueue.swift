/// Updates that wait for their consumer: a value. With too many the oldest is dropped, and the next one tells of the gap.
struct UpdateQueue<Value: Hashable & Sendable> {
    private var updates: [LiveUpdate<Value>] = []
    private var head = 0
    private let limit: Int

    init(limit: Int) { self.limit = max(1, limit) }

    var count: Int { updates.count - head }

    /// Whether somebody who can wait should.
    var isFull: Bool { count >= limit }

    mutating func append(_ update: LiveUpdate<Value>) {
        updates.append(update)
        guard count > limit else { return }
        _ = popFirst()
        updates[head].followsGap = true
    }

    mutating func popFirst() -> LiveUpdate<Value>? {
        guard head < updates.count else { return nil }
        let update = updates[head]
        head += 1
        // Moves what is left only when as many have gone.
        if head * 2 > updates.count {
            updates.removeFirst(head)
            head = 0
        }
        return update
    }
}
