import HeliumBytes
import TestSupport
import Testing

@Suite("Queue of bytes")
struct ByteQueueTests {
    private struct Refused: Error {}

    @Test("bytes leave a queue in the order in which they were appended", arguments: 0..<10)
    func order(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = ByteQueue(keeping: seed % 2 == 0 ? 0 : 100)
        var expected: [UInt8] = []
        for _ in 0..<2_000 {
            let piece = (0..<Int.random(in: 0...90, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: queue.append(piece)
            case 1: piece.withUnsafeBytes { queue.append($0.bytes) }
            case 2: queue.append(upTo: piece.count + 40) { piece.copyBytes(to: $0) }
            case 3: for byte in piece { queue.append(byte) }
            default:
                let count = Int.random(in: 0...queue.count, using: &random)
                queue.consume(count)
                expected.removeFirst(count)
                continue
            }
            expected += piece
            #expect(queue.count == expected.count && queue.isEmpty == expected.isEmpty)
        }
        #expect(queue.bytes == expected)
        queue.removeAll()
        #expect(queue.isEmpty && queue.bytes == [])
    }

    @Test("a queue takes the UTF-8 of a text")
    func text() {
        var queue = ByteQueue()
        queue.append("aß€😀")
        queue.append("")
        #expect(queue.bytes == Array("aß€😀".utf8))
    }

    @Test("a queue appends as many bytes as were written, and none if writing fails")
    func written() {
        var queue = ByteQueue()
        let count = queue.append(upTo: 1_000) { room in
            room[0] = 7
            return room.count == 1_000 ? 1 : 0
        }
        #expect(count == 1)
        #expect(throws: Refused.self) {
            try queue.append(upTo: 10) { _ throws(Refused) in throw Refused() }
        }
        #expect(queue.append(upTo: 0) { $0.count } == 0)
        #expect(queue.bytes == [7])
    }

    @Test("an empty queue keeps its memory up to a limit", arguments: [(100, true), (1_000, true), (1_001, false)])
    func kept(count: Int, isKept: Bool) {
        var queue = ByteQueue(keeping: 1_000)
        #expect(queue.capacity == 0)
        queue.append([UInt8](repeating: 1, count: count))
        let capacity = queue.capacity
        queue.consume(count - 1)
        #expect(queue.capacity == capacity)
        queue.consume(1)
        #expect(queue.capacity == (isKept ? capacity : 0))
        queue.append(2)
        #expect(queue.bytes == [2])
    }

    @Test("a queue of which bytes are consumed as others are appended does not grow")
    func bounded() {
        var queue = ByteQueue()
        queue.append([UInt8](repeating: 0, count: 1_000))
        for number in 0..<100_000 {
            queue.append([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 10))
            queue.consume(10)
        }
        #expect(queue.count == 1_000 && queue.capacity <= 4_000)
    }

    @Test("a queue that grows byte by byte, or piece by piece, allocates rarely")
    func growth() {
        var queue = ByteQueue()
        var capacities: Set<Int> = []
        for _ in 0..<100_000 {
            queue.reserve(1)
            queue.append(0)
            capacities.insert(queue.capacity)
        }
        #expect(capacities.count <= 12 && queue.capacity < 300_000)
    }

    @Test("reserved memory is used without another allocation")
    func reserve() {
        var queue = ByteQueue()
        queue.reserve(5_000)
        let capacity = queue.capacity
        for _ in 0..<50 { queue.append([UInt8](repeating: 3, count: 100)) }
        #expect(capacity == 5_000 && queue.capacity == capacity)
    }
}

extension [UInt8] {
    /// Copies the bytes to the beginning of `target`, and returns their number.
    fileprivate func copyBytes(to target: UnsafeMutableRawBufferPointer) -> Int {
        target.copyBytes(from: self)
        return count
    }
}
