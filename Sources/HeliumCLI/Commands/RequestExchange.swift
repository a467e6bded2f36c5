import Foundation
import HeliumKit

/// One call, and where its answer's body goes.
struct RequestExchange: Sendable {
    let call: RequestBuilder<Data>
    /// The file for the answer's body; `nil` keeps it in memory.
    let target: String?
    let isResuming: Bool
    /// Whether the request's body is worth a progress bar.
    let sendsMuch: Bool
    let display: ProgressDisplay

    /// Sends the request. SIGINT and SIGTERM cancel it, so that no half of a file is left behind.
    func answerUnlessInterrupted() async throws -> Answer {
        try await TerminationSignals.cancelling { try await answer() }
    }

    private func answer() async throws -> Answer {
        defer { display.finish() }
        var call = call
        if sendsMuch, let handler = display.handler(.sent) { call = call.uploadProgress(handler) }
        guard let target else { return Answer(try await call.response()) }
        var options = DownloadOptions()
        options.resume = isResuming ? .ifPossible : .never
        options.progress = display.handler(.received)
        return Answer(try await call.download(toPath: target, options: options), at: target)
    }
}

/// An answer, its body in memory or in a file.
struct Answer: Sendable {
    enum Body: Sendable {
        case data(Data)
        case file(path: String, bytes: Int64, isResumed: Bool)
    }

    let head: ResponseHead
    let timings: TransferTimings
    let attempts: [AttemptRecord]
    let body: Body

    init(_ response: HeliumResponse<Data>) {
        head = response.head
        timings = response.timings
        attempts = response.attempts
        body = .data(response.value)
    }

    init(_ download: HeliumDownload, at path: String) {
        head = download.head
        timings = download.timings
        attempts = download.attempts
        body = .file(path: path, bytes: download.bytes, isResumed: download.isResumed)
    }
}
