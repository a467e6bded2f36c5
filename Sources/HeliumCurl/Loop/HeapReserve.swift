import HeliumEssentials

/// Free memory below the end of a thread's heap, so that the allocations of many transfers do not move that end.
///
/// An allocator such as glibc's returns memory to the system when the end of a heap is free, and requests it again a few
/// transfers later. Each round takes two system calls, and a page fault for every page. Free memory that lies below an
/// allocated block is kept instead. The reserve is address space: the system provides a page when it is first used.
struct HeapReserve: ~Copyable {
    /// The block above the reserve; `nil` if out of memory.
    private let pin: UnsafeMutableRawPointer?

    /// The size of a block. Each makes one page of the reserve resident, so they are as large as they can be: glibc takes
    /// blocks of 128 KiB and more from the system instead of the heap.
    private static let blockBytes = 120 << 10

    /// Reserves `bytes` in the heap of the calling thread, in whole blocks.
    init(bytes: Int) {
        var blocks: [UnsafeMutableRawPointer] = []
        for _ in 0...(bytes / HeapReserve.blockBytes) {
            guard let block = malloc(HeapReserve.blockBytes) else { break }
            blocks.append(block)
        }
        pin = blocks.max()
        for block in blocks where block != pin { free(block) }
    }

    deinit { free(pin) }

    /// Gives the reserve up.
    consuming func release() {}
}
