/// The checks of a monitor by the time at which they are due: a binary heap. Inserting and removing takes logarithmic
/// time.
struct CheckQueue {
    private var checks: [LinkMonitor.Check] = []

    var count: Int { checks.count }

    /// The check that is due first.
    var first: LinkMonitor.Check? { checks.first }

    mutating func insert(_ check: LinkMonitor.Check) {
        checks.append(check)
        var index = checks.count - 1
        while index > 0, case let parent = (index - 1) / 2, checks[index].due < checks[parent].due {
            checks.swapAt(index, parent)
            index = parent
        }
    }

    /// Removes the check that is due first. There is one.
    mutating func removeFirst() {
        checks.swapAt(0, checks.count - 1)
        checks.removeLast()
        sink(0)
    }

    /// Removes all checks that do not satisfy `condition`.
    mutating func keep(where condition: (LinkMonitor.Check) -> Bool) {
        checks.removeAll { !condition($0) }
        for index in stride(from: checks.count / 2 - 1, through: 0, by: -1) { sink(index) }
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < checks.count && checks[child].due < checks[least].due {
                least = child
            }
            guard least != index else { return }
            checks.swapAt(index, least)
            index = least
        }
    }
}
