internal import Foundation
internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

extension UploadBody {
    /// Creates the Base64 form of another body, on one line (RFC 4648 §4).
    init(base64 body: UploadBody) {
        let length = body.length.flatMap { length -> Int64? in
            let groups = length / 3 + (length % 3 == 0 ? 0 : 1)
            let (long, isOver) = groups.multipliedReportingOverflow(by: 4)
            return isOver ? nil : long
        }
        self.init(length: length, isReplayable: body.isReplayable) { Base64Source(try await body.open()) }
    }
}

/// A source that encodes chunks. It keeps the rest of an incomplete group of three bytes for the next chunk.
private final class Base64Source: UploadSource {
    private struct State {
        var rest = Data()
        var isOver = false
    }

    private let source: any UploadSource
    private let state = Guarded(State())

    init(_ source: any UploadSource) { self.source = source }

    func next() async throws -> Data? {
        while !state.withLock({ $0.isOver }) {
            let chunk = try await source.next()
            let text = state.withLock { state -> Data in
                state.isOver = chunk == nil
                var bytes = state.rest
                if let chunk { bytes.append(chunk) }
                let count = chunk == nil ? bytes.count : bytes.count - bytes.count % 3
                state.rest = Data(bytes.dropFirst(count))
                return Data(bytes.prefix(count)).base64EncodedData()
            }
            if !text.isEmpty { return text }
        }
        return nil
    }

    func cancel() { source.cancel() }
}
