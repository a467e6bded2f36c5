/// The ends of a doubly linked list whose links are in a ``PoolLinks``.
struct PoolList: Sendable {
    /// The index of no element.
    static let none: Int32 = -1

    fileprivate(set) var first = Self.none
    fileprivate(set) var last = Self.none
    fileprivate(set) var count = 0

    var isEmpty: Bool { first < 0 }
}

/// The links of the elements of lists. An element is in at most one of the lists.
struct PoolLinks: Sendable {
    private struct Link {
        var previous: Int32
        var next: Int32
    }

    /// The previous element of one that is in no list.
    private static let absent: Int32 = -2

    private var links: ContiguousArray<Link> = []

    func contains(_ element: Int32) -> Bool { links[Int(element)].previous != Self.absent }

    func next(_ element: Int32) -> Int32 { links[Int(element)].next }

    /// Adds room for one more element.
    mutating func grow() { links.append(Link(previous: Self.absent, next: PoolList.none)) }

    mutating func append(_ element: Int32, to list: inout PoolList) { insert(element, after: list.last, in: &list) }

    mutating func prepend(_ element: Int32, to list: inout PoolList) {
        insert(element, after: PoolList.none, in: &list)
    }

    /// - Parameter previous: ``PoolList/none`` to insert at the front.
    mutating func insert(_ element: Int32, after previous: Int32, in list: inout PoolList) {
        let next = previous < 0 ? list.first : links[Int(previous)].next
        links[Int(element)] = Link(previous: previous, next: next)
        if previous < 0 { list.first = element } else { links[Int(previous)].next = element }
        if next < 0 { list.last = element } else { links[Int(next)].previous = element }
        list.count += 1
    }

    mutating func remove(_ element: Int32, from list: inout PoolList) {
        let link = links[Int(element)]
        if link.previous < 0 { list.first = link.next } else { links[Int(link.previous)].next = link.next }
        if link.next < 0 { list.last = link.previous } else { links[Int(link.next)].previous = link.previous }
        links[Int(element)] = Link(previous: Self.absent, next: PoolList.none)
        list.count -= 1
    }
}
