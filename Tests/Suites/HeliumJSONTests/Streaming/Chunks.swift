import Foundation
import Synchronization

/// Values that were told of.
final class Tally<Value: Sendable>: Sendable {
    private let state = Mutex<[Value]>([])

    var values: [Value] { state.withLock { $0 } }
    var count: Int { values.count }

    func add(_ value: Value) { state.withLock { $0.append(value) } }
}

/// A document in chunks, which counts those taken.
struct Chunks: AsyncSequence, Sendable {
    let chunks: [Data]
    let taken = Tally<Int>()

    init(_ chunks: [String]) { self.chunks = chunks.map { Data($0.utf8) } }

    init(_ document: String, length: Int) {
        let bytes = Array(document.utf8)
        chunks = stride(from: 0, to: bytes.count, by: length).map {
            Data(bytes[$0..<Swift.min($0 + length, bytes.count)])
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: chunks[...], taken: taken) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Data>
        let taken: Tally<Int>

        mutating func next() async -> Data? {
            guard let chunk = rest.popFirst() else { return nil }
            taken.add(chunk.count)
            return chunk
        }
    }
}

extension AsyncSequence {
    /// All elements.
    func collected() async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self { elements.append(element) }
        return elements
    }
}
