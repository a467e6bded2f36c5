import HeliumEssentials

// Bytes of a header section, compared and split without allocations.

/// Calls `body` with each element of a comma-separated list, without the white space around it. Elements may be empty.
func forEachElement(of value: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    var start = 0
    while start <= value.count {
        var end = start
        while end < value.count, value[end] != UInt8(ascii: ",") { end += 1 }
        body(trimmed(UnsafeRawBufferPointer(rebasing: value[start..<end])))
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
        let length = name.utf8CodeUnitCount
        guard count >= length, let start = baseAddress else { return false }
        let other = UnsafeRawPointer(name.utf8Start)
        guard length >= 8 else {
            for index in 0..<length {
                let byte = self[index]
                if (byte &- 65 < 26 ? byte | 32 : byte) != name.utf8Start[index] { return false }
            }
            return true
        }
        // The last word overlaps with the one before.
        var index = 0
        while true {
            if ByteWord(start, index).lowercased != ByteWord(other, index).word { return false }
            if index == length &- 8 { return true }
            index = Swift.min(index &+ 8, length &- 8)
        }
    }

    /// Whether the bytes equal those of `text` from its byte `offset` on, as far as there are any.
    func agrees(with text: StaticString, from offset: Int = 0) -> Bool {
        let common = Swift.min(count, text.utf8CodeUnitCount - offset)
        guard common > 0, let start = baseAddress else { return true }
        return memcmp(start, text.utf8Start + offset, common) == 0
    }
}
