/// A queue whose elements can also leave from the middle: by the ticket that each got when it came.
struct WaitingLine<Element> {
    private var elements: [Element?] = []
    private var firstTicket: UInt64 = 0
    private var head = 0

    private(set) var count = 0
    var isEmpty: Bool { count == 0 }

    /// Puts an element at the end; returns its ticket.
    mutating func append(_ element: Element) -> UInt64 {
        elements.append(element)
        count += 1
        return firstTicket + UInt64(elements.count - 1)
    }

    /// Takes the element that waited longest.
    mutating func popFirst() -> Element? {
        while head < elements.count {
            defer {
                elements[head] = nil
                head += 1
                compact()
            }
            if let element = elements[head] {
                count -= 1
                return element
            }
        }
        return nil
    }

    /// Takes the element with this ticket, if it is still here.
    mutating func remove(_ ticket: UInt64) -> Element? {
        guard ticket >= firstTicket, ticket - firstTicket < UInt64(elements.count) else { return nil }
        let index = Int(ticket - firstTicket)
        guard let element = elements[index] else { return nil }
        elements[index] = nil
        count -= 1
        return element
    }

    /// Takes all, in their order.
    mutating func removeAll() -> [Element] {
        defer {
            firstTicket += UInt64(elements.count)
            elements = []
            head = 0
            count = 0
        }
        return elements.compactMap { $0 }
    }

    private mutating func compact() {
        guard head >= 64, head * 2 >= elements.count else { return }
        elements.removeFirst(head)
        firstTicket += UInt64(head)
        head = 0
    }
}
