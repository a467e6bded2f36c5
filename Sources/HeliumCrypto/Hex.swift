/// Hexadecimal text in lower case, computed without a table or formatter.
package enum Hex {
    /// Returns two lower-case characters for each byte.
    package static func string(_ bytes: UnsafeRawBufferPointer) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { out in
            write(bytes, to: UnsafeMutableRawBufferPointer(out))
            return bytes.count * 2
        }
    }

    /// Writes two lower-case characters for each byte to the start of `out`, which must be large enough.
    package static func write(_ bytes: UnsafeRawBufferPointer, to out: UnsafeMutableRawBufferPointer) {
        precondition(out.count >= bytes.count * 2)
        for index in 0..<bytes.count {
            let high = bytes[index] &>> 4
            let low = bytes[index] & 15
            out[2 &* index] = high &+ 48 &+ (high > 9 ? 39 : 0)
            out[2 &* index &+ 1] = low &+ 48 &+ (low > 9 ? 39 : 0)
        }
    }
}
