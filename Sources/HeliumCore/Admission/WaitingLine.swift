/// A queue whose elements can also be removed from the middle, by the ticket that each received when it was added.
///
/// Its memory is proportional to the number of waiting elements, in whatever order the others were removed.
struct WaitingLine<Element> {
    private struct Place {
        let ticket: UInt64
        /// The element; `nil` once it has been removed.
        var element: Element?
    }

    /// The places in order of their tickets.
    private var places: [Place] = []
    private var nextTicket: UInt64 = 0
    /// The index before which all places are empty.
    private var head = 0

    private(set) var count = 0
    var isEmpty: Bool { count == 0 }

    /// The number of places in memory, including empty ones.
    var placeCount: Int { places.count }

    /// Adds an element at the end and returns its ticket.
    mutating func append(_ element: Element) -> UInt64 {
        defer { nextTicket += 1 }
        places.append(Place(ticket: nextTicket, element: element))
        count += 1
        return nextTicket
    }

    /// Removes and returns the element that has waited longest.
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

    /// Removes and returns the element with this ticket, or returns `nil` if it is no longer in the queue.
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

    /// Removes and returns all elements in their order.
    mutating func removeAll() -> [Element] {
        defer {
            places = []
            head = 0
            count = 0
        }
        return places.compactMap(\.element)
    }

    /// Removes the empty places once they are more than half, so that the cost is proportional to the elements removed.
    private mutating func compact() {
        guard places.count >= 64, places.count > count * 2 else { return }
        places.removeAll { $0.element == nil }
        head = 0
    }
}
