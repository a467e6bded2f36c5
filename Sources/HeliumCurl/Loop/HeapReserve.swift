import HeliumEssentials

/// Free memory below the end of a thread's heap, so that allocations of many transfers do not move that end.
///
/// An allocator such as glibc's returns memory to the system when the end of a heap is free, and asks for it again a few
/// requests later. Each round takes two system calls and a page fault for every page. Memory that lies below an allocated
/// block is kept instead. The size of the reserve is address space: the system provides a page when it is first used.
struct HeapReserve: ~Copyable {
    /// The block at the end of the heap; `nil` if it could not be placed there.
    private let pin: UnsafeMutableRawPointer?

    /// The size of a block, for which glibc extends the heap instead of mapping memory apart from it.
    private static let blockBytes = 64 << 10

    /// Reserves memory in the heap of the calling thread, at most `bytes`.
    init(bytes: Int) {
        var blocks: [UnsafeMutableRawPointer] = []
        for _ in 0..<(bytes / HeapReserve.blockBytes) {
            guard let block = malloc(HeapReserve.blockBytes) else { break }
            blocks.append(block)
        }
        // Larger than what a list of small free blocks may have.
        let pin = malloc(4 << 10)
        for block in blocks { free(block) }
        if let pin, blocks.allSatisfy({ $0 < pin }) {
            self.pin = pin
        } else {
            free(pin)
            self.pin = nil
        }
    }

    deinit { free(pin) }

    /// Gives the reserve up.
    consuming func release() {}
}
