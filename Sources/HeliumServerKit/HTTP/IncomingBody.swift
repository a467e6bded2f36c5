/// The body of a request as it arrives at the server.
package protocol IncomingBody {
    associatedtype Chunks: AsyncSequence where Chunks.Element: Collection, Chunks.Element.Element == UInt8

    /// The chunks of the body, in their order. They can be read only once.
    var chunks: Chunks { get }

    /// Runs `read`, and closes the connection when the time is used up. Reading then throws.
    ///
    /// - Parameters:
    ///   - limit: The time at the beginning, and at most at any time.
    ///   - read: Reads the body. It calls its parameter with the time that the bytes of a chunk add to the remaining one.
    func limited<Value>(
        to limit: Duration,
        _ read: (_ extend: (Duration) -> Void) async throws -> Value
    ) async throws -> Value
}

/// A request body that is in memory. Reading it takes no time.
package struct BufferedBody: IncomingBody {
    package let chunks: Chunks

    package init(_ bytes: [UInt8]) { chunks = Chunks(bytes: bytes) }

    package func limited<Value>(
        to limit: Duration,
        _ read: (_ extend: (Duration) -> Void) async throws -> Value
    ) async throws -> Value { try await read { _ in } }

    /// One chunk, or no chunk for an empty body.
    package struct Chunks: AsyncSequence, AsyncIteratorProtocol {
        private var bytes: [UInt8]?

        fileprivate init(bytes: [UInt8]) { self.bytes = bytes.isEmpty ? nil : bytes }

        package func makeAsyncIterator() -> Self { self }

        package mutating func next() async -> [UInt8]? {
            defer { bytes = nil }
            return bytes
        }
    }
}
