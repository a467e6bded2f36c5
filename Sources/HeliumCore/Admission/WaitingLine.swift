/// A queue whose elements can also leave from the middle: by the ticket that each got when it came.
///
/// Its memory is proportional to the elements that wait, whatever the order in which others have left.
struct WaitingLine<Element> {
    private struct Place {
        let ticket: UInt64
        /// `nil` once the element has left.
        var element: Element?
    }

    /// In the order of their tickets.
    private var places: [Place] = []
    private var nextTicket: UInt64 = 0
    /// All places before it are empty.
    private var head = 0

    private(set) var count = 0
    var isEmpty: Bool { count == 0 }

    /// The places in memory, empty ones included.
    var placeCount: Int { places.count }

    /// Puts an element at the end; returns its ticket.
    mutating func append(_ element: Element) -> UInt64 {
        defer { nextTicket += 1 }
        places.append(Place(ticket: nextTicket, element: element))
        count += 1
        return nextTicket
    }

    /// Takes the element that waited longest.
    mutating func popFirst() -> Element? {
        while head < places.count {
            defer {
                places[head].element = nil
                head += 1
                compact()
            }
            if let element = places[head].element {
                count -= 1
                return element
            }
        }
        return nil
    }

    /// Takes the element with this ticket, if it is still here.
    mutating func remove(_ ticket: UInt64) -> Element? {
        var (low, high) = (head, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].ticket < ticket { low = middle + 1 } else { high = middle }
        }
        guard low < places.count, places[low].ticket == ticket, let element = places[low].element else { return nil }
        places[low].element = nil
        count -= 1
        compact()
        return element
    }

    /// Takes all, in their order.
    mutating func removeAll() -> [Element] {
        defer {
            places = []
            head = 0
            count = 0
        }
        return places.compactMap(\.element)
    }

    /// Drops the empty places once they are more than half: each is paid for by the element that left it.
    private mutating func compact() {
        guard places.count >= 64, places.count > count * 2 else { return }
        places.removeAll { $0.element == nil }
        head = 0
    }
}
