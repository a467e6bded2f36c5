/// The body of a request as it arrives at the server.
package protocol IncomingBody {
    associatedtype Chunks: AsyncSequence where Chunks.Element: Collection, Chunks.Element.Element == UInt8

    /// The chunks of the body, in their order. They can be read only once.
    var chunks: Chunks { get }

    /// Runs `read`, and closes the connection if it takes longer than `limit`. Reading then throws.
    func limited<Value>(to limit: Duration, _ read: () async throws -> Value) async throws -> Value
}

/// A request body that is in memory. Reading it takes no time.
package struct BufferedBody: IncomingBody {
    package let chunks: Chunks

    package init(_ bytes: [UInt8]) { chunks = Chunks(bytes: bytes) }

    package func limited<Value>(to limit: Duration, _ read: () async throws -> Value) async throws -> Value {
        try await read()
    }

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
