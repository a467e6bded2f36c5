import Foundation
import TestSupport

/// The bytes of the bodies. Each call has its own, and each byte depends on its position, so that one that is lost,
/// repeated, moved, or another call's, shows.
enum WireContent {
    /// A prime, so that blocks of usual sizes differ.
    private static let period = 65_521
    private static let block: [UInt8] = {
        var random = SeededRandom(seed: 11)
        let bytes = (0..<period).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        return bytes + bytes
    }()

    /// The kinds of body of a call.
    enum Kind: Int { case request = 0, response = 4_093 }

    /// Returns a part of a body.
    static func bytes(_ kind: Kind, of call: Int, _ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        pieces(kind, call, range) { piece in
            bytes.append(contentsOf: piece)
            return true
        }
        return bytes
    }

    /// Returns whether `bytes` are those of a body from a position on.
    static func match(_ bytes: some Collection<UInt8>, _ kind: Kind, of call: Int, at position: Int) -> Bool {
        let isEqual = bytes.withContiguousStorageIfAvailable { bytes in
            var done = 0
            return pieces(kind, call, position..<position + bytes.count) { piece in
                guard let start = piece.baseAddress, let base = bytes.baseAddress else { return true }
                defer { done += piece.count }
                return memcmp(start, base + done, piece.count) == 0
            }
        }
        return isEqual ?? Array(bytes).elementsEqual(Self.bytes(kind, of: call, position..<position + bytes.count))
    }

    /// Calls `body` with each piece until it returns `false`. Returns whether it always returned `true`.
    @discardableResult
    private static func pieces(
        _ kind: Kind,
        _ call: Int,
        _ range: Range<Int>,
        _ body: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        block.withUnsafeBufferPointer { block in
            var done = 0
            while done < range.count {
                let start = (call * 7_919 + kind.rawValue + range.lowerBound + done) % period
                let count = min(range.count - done, period)
                guard body(UnsafeBufferPointer(rebasing: block[start..<start + count])) else { return false }
                done += count
            }
            return true
        }
    }
}
