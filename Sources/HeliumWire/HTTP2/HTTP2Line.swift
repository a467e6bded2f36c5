import HeliumEssentials

/// Writes the status and the end of a header section as the lines that ``HeadParser`` takes. A line is valid until the next one is written.
///
/// A class, so that writing a line is no exclusive access to a variable of the session.
final class HTTP2Line {
    private var memory: UnsafeMutableRawPointer
    private var capacity = 512

    init() { memory = .allocate(byteCount: capacity, alignment: 1) }

    deinit { memory.deallocate() }

    /// A status line.
    func status(_ status: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        reserve(status.count + 16)
        let start = copy("HTTP/2 ", to: 0)
        let end = copy(" \r\n", to: copy(status, to: start))
        return UnsafeRawBufferPointer(start: memory, count: end)
    }

    /// The empty line after a header section.
    func end() -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory, count: copy("\r\n", to: 0))
    }

    private func reserve(_ count: Int) {
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
