import Foundation
import HeliumBytes
import TestSupport

/// The bytes of a direction of a simulated connection. Each depends on its position only, so that a byte that is lost,
/// repeated or moved shows.
enum SimulatedBytes {
    /// A prime, so that blocks of usual sizes differ.
    private static let period = 65_521
    /// Three periods, so that two of them are in one piece from each position on.
    private static let block: [UInt8] = {
        var random = SeededRandom(seed: 7)
        let bytes = (0..<period).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        return bytes + bytes + bytes
    }()

    /// Stores the bytes from a position on in all of `memory`.
    static func copy(at position: Int, to memory: UnsafeMutableRawBufferPointer) {
        pieces(of: memory.count, at: position) { start, piece in
            UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + piece.count]).copyMemory(from: piece)
            return true
        }
    }

    /// Returns whether `bytes` are those from a position on.
    static func match(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
        guard let first = bytes.baseAddress else { return true }
        return pieces(of: bytes.count, at: position) { start, piece in
            piece.baseAddress.map { memcmp(first + start, $0, piece.count) == 0 } ?? false
        }
    }

    /// Appends bytes from a position on to a queue.
    static func append(_ count: Int, at position: Int, to queue: inout ByteQueue) {
        queue.append(upTo: count) { memory in
            copy(at: position, to: memory)
            return count
        }
    }

    /// Calls `body` with each piece and its offset, until it returns `false`.
    @discardableResult
    private static func pieces(of count: Int, at position: Int, _ body: (Int, UnsafeRawBufferPointer) -> Bool) -> Bool {
        block.withUnsafeBytes { block in
            var done = 0
            while done < count {
                let start = (position + done) % period
                let length = min(count - done, 2 * period)
                guard body(done, UnsafeRawBufferPointer(rebasing: block[start..<start + length])) else { return false }
                done += length
            }
            return true
        }
    }
}

/// The random numbers of one run.
final class SimulationDice {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    func below(_ bound: Int) -> Int { random.below(bound) }
    func oneIn(_ count: Int) -> Bool { random.oneIn(count) }

    /// A number of bytes: mostly small, and at times more than a channel moves in a turn.
    func size() -> Int {
        switch below(40) {
        case 0: 1 + below(600_000)
        case 1..<6: 1 + below(70_000)
        default: 1 + below(600)
        }
    }
}
