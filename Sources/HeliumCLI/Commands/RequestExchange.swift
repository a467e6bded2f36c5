import Foundation
import HeliumKit

/// One request, and the handling of its response body.
struct RequestExchange: Sendable {
    /// The destination of the response body.
    enum Destination: Sendable {
        /// Memory, until the body is complete.
        case memory
        /// Standard output, while the body arrives.
        case standardOutput
        /// A file. It appears when the body is complete, or continues an interrupted download.
        case file(path: String, isResuming: Bool)
    }

    /// The maximum size of a JSON body that is formatted for a terminal. Longer bodies are printed as they arrive.
    static let maximumPrettyBytes: Int64 = 1 << 20

    let call: RequestBuilder<Data>
    let destination: Destination
    /// The maximum number of bytes of a body; `nil` for no limit.
    let maximumBytes: Int64?
    /// The timeout of the whole call, including the transfer of the body.
    let limit: Duration?
    /// Whether the request body is large enough for a progress bar.
    let sendsMuch: Bool
    let display: ProgressDisplay
    let report: ResponseReport
    /// Whether the body of an error response is also written to standard output.
    let showsFailedBody: Bool

    /// Sends the request. Signals and the timeout cancel it, so that no incomplete file remains.
    func answerUnlessInterrupted() async throws -> Answer {
        try await TimeLimit.cancelling(after: limit) { try await answer() }
    }

    private func answer() async throws -> Answer {
        defer { display.finish() }
        var call = call
        if sendsMuch, let handler = display.handler(.sent) { call = call.uploadProgress(handler) }
        do {
            switch destination {
            case .memory:
                let answer = Answer(try await call.bodyLimit(memoryLimit).response())
                report.showHead(answer.head)
                return answer
            case .standardOutput:
                return try await printed(call)
            case .file(let path, let isResuming):
                if let terminal = Console.terminal(atPath: CommandContext.current.path(path)) {
                    return try await printed(call, to: terminal, at: path)
                }
                let answer = Answer(
                    try await call.download(toPath: CommandContext.current.path(path), options: options(isResuming)),
                    at: path
                )
                report.showHead(answer.head)
                return answer
            }
        } catch let error as HeliumError where showsFailedBody && error.kind == .unacceptableStatus {
            if let body = error.body { try Self.write(body) }
            throw error
        }
    }

    private var memoryLimit: Int {
        min(ResponseLimits.defaultBodyBytes, maximumBytes.map { Int(clamping: $0) } ?? .max)
    }

    private func options(_ isResuming: Bool) -> DownloadOptions {
        var options = DownloadOptions()
        options.resume = isResuming ? .ifPossible : .never
        options.maximumBytes = maximumBytes
        options.progress = display.handler(.received)
        let files = CommandContext.current.temporaryFiles
        options.temporaryFile = { files.add($0) }
        return options
    }

    private static func write(_ body: Data) throws {
        var output = BodyOutput()
        do {
            try output.append(body)
            try output.finish()
        } catch is Console.BrokenPipe {}
    }
}

// MARK: Printing

extension RequestExchange {
    /// - Parameter path: The path of a terminal that is not standard output. The body is not formatted there.
    private func printed(
        _ call: RequestBuilder<Data>,
        to console: Console = .current,
        at path: String? = nil
    ) async throws -> Answer {
        let stream = try await call.stream()
        let start = call.clock.uptime
        display.finish()
        report.showHead(stream.head)
        var output = BodyOutput(console)
        var pretty: Data? = path == nil && isPretty(stream) ? Data() : nil
        var bytes: Int64 = 0
        do {
            for try await chunk in stream.body {
                bytes += Int64(chunk.count)
                if let maximumBytes, bytes > maximumBytes {
                    stream.body.cancel()
                    throw tooLongError(stream, maximumBytes)
                }
                guard pretty != nil else {
                    try output.append(chunk)
                    continue
                }
                pretty?.append(chunk)
                if let start = pretty, bytes > Self.maximumPrettyBytes {
                    try output.append(start)
                    pretty = nil
                }
            }
            try output.finish()
        } catch is Console.BrokenPipe {
            stream.body.cancel()
        }
        let printed = path.map { Answer.Body.file(path: $0, bytes: bytes, isResumed: false) } ?? .printed
        return Answer(
            head: stream.head,
            timings: stream.timings.adding(call.clock.uptime - start),
            attempts: stream.attempts,
            body: pretty.map { .data($0) } ?? printed
        )
    }

    /// Returns whether the response is a JSON document for a terminal, which is formatted after it is complete.
    private func isPretty(_ stream: HeliumStream) -> Bool {
        guard Console.current.isTerminal, let type = stream[.contentType].flatMap(MediaType.init) else { return false }
        return type.essence == "application/json" || type.essence.hasSuffix("+json")
    }

    private func tooLongError(_ stream: HeliumStream, _ limit: Int64) -> HeliumError {
        var error = HeliumError(
            .ceilingExceeded,
            request: stream.request,
            delivery: .answered,
            message: "the body has more than \(limit) bytes (--max-filesize)"
        )
        error[fact: \.ceiling] = .bodyBytes
        error[fact: \.head] = stream.head
        error[fact: \.attempts] = stream.attempts
        return error
    }
}

extension TransferTimings {
    /// Returns the timings with the duration of the body's transfer added.
    fileprivate func adding(_ body: Duration) -> TransferTimings {
        var timings = self
        if let total { timings.total = total + body }
        return timings
    }
}

/// A response and the location of its body.
struct Answer: Sendable {
    enum Body: Sendable {
        case data(Data)
        case file(path: String, bytes: Int64, isResumed: Bool)
        /// The body was printed while it arrived.
        case printed
    }

    let head: ResponseHead
    let timings: TransferTimings
    let attempts: [AttemptRecord]
    let body: Body

    init(head: ResponseHead, timings: TransferTimings, attempts: [AttemptRecord], body: Body) {
        self.head = head
        self.timings = timings
        self.attempts = attempts
        self.body = body
    }

    init(_ response: HeliumResponse<Data>) {
        self.init(
            head: response.head,
            timings: response.timings,
            attempts: response.attempts,
            body: .data(response.value)
        )
    }

    init(_ download: HeliumDownload, at path: String) {
        self.init(
            head: download.head,
            timings: download.timings,
            attempts: download.attempts,
            body: .file(path: path, bytes: download.bytes, isResumed: download.isResumed)
        )
    }
}
