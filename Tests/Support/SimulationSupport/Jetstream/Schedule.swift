/// Events by the time at which they are due. Of several at one time, the first that was added comes first.
struct Schedule {
    private var events: [(time: Duration, action: () -> Void)] = []

    /// The time of the next event.
    var next: Duration? { events.last?.time }

    mutating func add(at time: Duration, _ action: @escaping () -> Void) {
        // The next event is the last element. What was added before at the same time stays behind this one.
        var (low, high) = (0, events.count)
        while low < high {
            let middle = (low + high) / 2
            if events[middle].time > time { low = middle + 1 } else { high = middle }
        }
        events.insert((time, action), at: low)
    }

    mutating func removeNext() -> (() -> Void)? { events.popLast()?.action }
}
