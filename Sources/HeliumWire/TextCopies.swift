import HTTPTypes
import HeliumEssentials

// Texts of requests, copied to where they are sent from. The closures capture no more than an address, so that the
// writers can keep their own state in registers.

/// Copies bytes like `memcpy`. Texts of up to 15 bytes were just stored in two halves, and no load here spans both of
/// them: the processor would have to wait until they are in its cache.
@inline(__always)
func copyBytes(_ source: UnsafeRawPointer, to place: UnsafeMutableRawPointer, _ count: Int) {
    if count >= 16 {
        memcpy(place, source, count)
        return
    }
    var offset = 0
    if count & 8 != 0 { copyPart(UInt64.self, source, place, &offset) }
    if count & 4 != 0 { copyPart(UInt32.self, source, place, &offset) }
    if count & 2 != 0 { copyPart(UInt16.self, source, place, &offset) }
    if count & 1 != 0 { copyPart(UInt8.self, source, place, &offset) }
}

@inline(__always)
private func copyPart<Part: BitwiseCopyable>(
    _ type: Part.Type,
    _ source: UnsafeRawPointer,
    _ place: UnsafeMutableRawPointer,
    _ offset: inout Int
) {
    let part = source.loadUnaligned(fromByteOffset: offset, as: Part.self)
    (place + offset).storeBytes(of: part, as: Part.self)
    offset &+= MemoryLayout<Part>.size
}

extension String {
    /// Passes the UTF-8 of the text to `body`.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // Texts of Swift are contiguous. So this copies nothing, and counts no reference.
        let result = utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
        if let result { return result }
        var text = self
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    /// Copies the UTF-8 of the text, for which there must be room.
    @inline(__always)
    func copy(to place: UnsafeMutableRawPointer) {
        withBytes { bytes in
            if let start = bytes.baseAddress { copyBytes(start, to: place, bytes.count) }
        }
    }
}

/// Copies the value of a field, if it has at most `room` bytes. Returns the number of its bytes.
@inline(__always)
func copyValue(_ value: UnsafeBufferPointer<UInt8>, to place: UnsafeMutableRawPointer, upTo room: Int) -> Int {
    if value.count <= room, let start = value.baseAddress { copyBytes(start, to: place, value.count) }
    return value.count
}
