#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Memory behind which nothing may be read: a byte beyond the end is a fault.
final class GuardedBytes {
    private let start: UnsafeMutableRawPointer
    private let size: Int
    private let usable: Int

    /// Room for `capacity` bytes at least.
    init?(capacity: Int) {
        let page = Int(getpagesize())
        usable = max(1, (capacity + page - 1) / page) * page
        size = usable + page
        guard let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | Self.anonymous, -1, 0),
            start != MAP_FAILED
        else { return nil }
        self.start = start
        guard mprotect(start + usable, page, PROT_NONE) == 0 else { return nil }
    }

    deinit { munmap(start, size) }

    /// Puts `bytes` right before the fence.
    func with<Result>(_ bytes: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
        -> Result
    {
        let place = UnsafeMutableRawBufferPointer(start: start + (usable - bytes.count), count: bytes.count)
        place.copyBytes(from: bytes)
        return try body(UnsafeRawBufferPointer(place))
    }

    #if canImport(Darwin)
        private static let anonymous = MAP_ANON
    #else
        private static let anonymous = MAP_ANONYMOUS
    #endif
}
