internal import HeliumEssentials

/// A stack of plain values in growing memory. The creator must free it.
struct RawStack<Element: BitwiseCopyable> {
    private(set) var base: UnsafeMutablePointer<Element>
    var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        base = Self.memory(nil, capacity)
    }

    func deallocate() { free(base) }

    @inline(__always)
    subscript(index: Int) -> Element {
        get { base[index] }
        nonmutating set { base[index] = newValue }
    }

    /// Ensures that there is room for `more` further elements.
    @inline(__always)
    mutating func reserve(_ more: Int) {
        if capacity &- count < more { grow(more) }
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        reserve(1)
        base[count] = element
        count &+= 1
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        base = Self.memory(base, capacity)
    }

    /// Releases unused memory.
    mutating func fit() {
        capacity = max(1, count)
        base = Self.memory(base, capacity)
    }

    private static func memory(_ old: UnsafeMutablePointer<Element>?, _ count: Int) -> UnsafeMutablePointer<Element> {
        // Allocated with `malloc`, so that `Data` can take ownership of the memory.
        guard let memory = realloc(old, count * MemoryLayout<Element>.stride) else { fatalError("out of memory") }
        return memory.assumingMemoryBound(to: Element.self)
    }
}
