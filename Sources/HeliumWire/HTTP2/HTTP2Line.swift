import HeliumEssentials

/// Writes the fields of a response as the lines that ``HeadParser`` takes. The memory is reused.
struct HTTP2Line: ~Copyable {
    private var memory: UnsafeMutableRawPointer
    private var capacity = 512

    init() { memory = .allocate(byteCount: capacity, alignment: 1) }

    deinit { memory.deallocate() }

    /// Passes a status line to `body`.
    mutating func withStatus<Result>(
        _ status: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        reserve(status.count + 16)
        let start = copy("HTTP/2 ", to: 0)
        let end = copy(" \r\n", to: copy(status, to: start))
        return body(UnsafeRawBufferPointer(start: memory, count: end))
    }

    /// Passes a field line to `body`.
    mutating func withField<Result>(
        _ name: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        reserve(name.count + value.count + 4)
        let middle = copy(": ", to: copy(name, to: 0))
        let end = copy("\r\n", to: copy(value, to: middle))
        return body(UnsafeRawBufferPointer(start: memory, count: end))
    }

    /// Passes the empty line after a header section to `body`.
    mutating func withEnd<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: memory, count: copy("\r\n", to: 0)))
    }

    private mutating func reserve(_ count: Int) {
        guard count > capacity else { return }
        memory.deallocate()
        capacity = count * 2
        memory = .allocate(byteCount: capacity, alignment: 1)
    }

    private func copy(_ bytes: UnsafeRawBufferPointer, to place: Int) -> Int {
        if let start = bytes.baseAddress { memcpy(memory + place, start, bytes.count) }
        return place + bytes.count
    }

    private func copy(_ text: StaticString, to place: Int) -> Int {
        memcpy(memory + place, text.utf8Start, text.utf8CodeUnitCount)
        return place + text.utf8CodeUnitCount
    }
}
