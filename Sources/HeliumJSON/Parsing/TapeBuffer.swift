/// The tape while it is written: memory that grows, and that is freed unless it is taken.
struct TapeBuffer: ~Copyable {
    private(set) var words: UnsafeMutablePointer<UInt64>
    private(set) var count = 0
    private var capacity: Int
    private let maximumCount: Int

    /// Creates a buffer for a document of `bytes` bytes.
    ///
    /// - Parameter maximumCount: The maximum number of words.
    init(forBytes bytes: Int, maximumCount: Int) {
        self.maximumCount = min(maximumCount, TapeWord.maximumLength)
        capacity = max(0, min(bytes / 8 + 16, self.maximumCount))
        words = .allocate(capacity: capacity)
    }

    deinit { words.deallocate() }

    /// Adds a word. Returns `false` if there are too many.
    @inline(__always)
    mutating func append(_ word: TapeWord) -> Bool {
        if count == capacity, !grow() { return false }
        words[count] = word.bits
        count &+= 1
        return true
    }

    @inline(never)
    private mutating func grow() -> Bool {
        guard capacity < maximumCount else { return false }
        let larger = min(capacity * 2, maximumCount)
        let moved = UnsafeMutablePointer<UInt64>.allocate(capacity: larger)
        moved.moveInitialize(from: words, count: count)
        words.deallocate()
        words = moved
        capacity = larger
        return true
    }

    /// Returns the words, which the caller must free.
    consuming func take() -> (words: UnsafeMutablePointer<UInt64>, count: Int) {
        let taken = (words, count)
        discard self
        return taken
    }
}
