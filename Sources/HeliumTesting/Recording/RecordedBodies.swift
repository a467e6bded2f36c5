import Foundation
import HeliumCore

/// The stream of a response, recorded as it is read.
final class RecordedBody: BodyStreamSource {
    private let stream: BodyStream
    private let recording: RecordingTransport
    private let id: Int

    init(_ stream: BodyStream, recording: RecordingTransport, id: Int) {
        self.stream = stream
        self.recording = recording
        self.id = id
    }

    func next() async throws(TransportFailure) -> Data? {
        do {
            // Each iterator continues where the previous one stopped.
            var iterator = stream.makeAsyncIterator()
            let chunk = try await iterator.next()
            recording.change(id) { record in
                if let chunk { record.responseBody.append(chunk) } else { record.isStreamOpen = false }
            }
            return chunk
        } catch let failure as TransportFailure {
            recording.change(id) { $0.failure = failure }
            throw failure
        } catch {
            let isCancelled = error is CancellationError
            throw TransportFailure(
                isCancelled ? .cancelled : .transportFailed,
                delivery: .answered,
                message: isCancelled ? "the stream was cancelled" : "the stream failed"
            )
        }
    }

    func cancel() { stream.cancel() }
}

/// The streamed body of a request, recorded as it is sent.
final class RecordedUpload: UploadSource {
    private let source: any UploadSource
    private let recording: RecordingTransport
    private let id: Int

    init(_ source: any UploadSource, recording: RecordingTransport, id: Int) {
        self.source = source
        self.recording = recording
        self.id = id
    }

    func next() async throws -> Data? {
        let chunk = try await source.next()
        if let chunk { recording.change(id) { $0.requestBody.append(chunk) } }
        return chunk
    }

    func cancel() { source.cancel() }
}
