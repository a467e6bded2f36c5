import HeliumEssentials

// Bytes of a header section, compared and split without allocations.

/// Calls `body` with each element of a comma-separated list, without the white space around it, except for empty ones.
func forEachElement(of value: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    var start = 0
    while start < value.count {
        var end = start
        while end < value.count, value[end] != UInt8(ascii: ",") { end += 1 }
        let element = trimmed(UnsafeRawBufferPointer(rebasing: value[start..<end]))
        if !element.isEmpty { body(element) }
        start = end + 1
    }
}

/// The bytes without the white space and the line end around them.
func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var start = 0
    var end = bytes.count
    while start < end, isBlank(bytes[start]) { start += 1 }
    while end > start, isBlank(bytes[end - 1]) { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }

extension UnsafeRawBufferPointer {
    /// Whether the bytes equal `name`, ignoring letter case. `name` must be in lower case.
    func isEqual(to name: StaticString) -> Bool { count == name.utf8CodeUnitCount && begins(with: name) }

    /// Whether the bytes begin with `name`, ignoring letter case. `name` must be in lower case.
    func begins(with name: StaticString) -> Bool {
        guard count >= name.utf8CodeUnitCount else { return false }
        for index in 0..<name.utf8CodeUnitCount {
            let byte = self[index]
            if (byte &- 65 < 26 ? byte | 32 : byte) != name.utf8Start[index] { return false }
        }
        return true
    }

    /// Whether the bytes equal those of `text` from its byte `offset` on, as far as there are any.
    func agrees(with text: StaticString, from offset: Int = 0) -> Bool {
        for index in 0..<Swift.min(count, Swift.max(0, text.utf8CodeUnitCount - offset))
        where self[index] != text.utf8Start[offset + index] {
            return false
        }
        return true
    }
}
