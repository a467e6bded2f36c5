internal import HTTPTypes
public import HeliumCore
public import HeliumEssentials
internal import HeliumFiles

extension RequestBuilder {
    /// Sends the request and writes the response body to a file. The data is first written beside the target and moved
    /// to the target in one step when the file is complete and on the disk. An existing file stays at the target until
    /// then.
    ///
    /// Symbolic links are followed, and a file that is replaced keeps its owner, group and permission bits. If the
    /// process may not keep the owner, the contents are copied into the file instead. A pipe, terminal or device is
    /// written directly as the body arrives. A failure can then leave it partly written, and ``DownloadOptions/resume``
    /// has no effect. The call waits until a process reads a named pipe, and while the reader makes no room.
    ///
    /// The client's limit on bodies does not apply; ``DownloadOptions/maximumBytes`` does. The builder's value type is
    /// ignored.
    ///
    /// A limit that is set on the call itself (``RequestBuilder/timeout(_:)``) applies to the whole download: the wait
    /// for the reader of a pipe, reading a partial file, the request, and the body. The client's default limit applies
    /// only until the head has arrived, because it is meant for calls and not for files of any size. After that, the
    /// idle limit ends a download when no data arrives.
    ///
    /// - Parameters:
    ///   - path: The file to create or replace. Its folder must exist.
    ///   - options: Resuming, verification and progress.
    /// - Throws: ``HeliumError``: the errors of ``RequestBuilder/stream()`` and of the body's transfer;
    ///   ``FailureKind/fileFailed`` if a file operation fails; ``FailureKind/integrityFailed`` if the file differs from
    ///   what was announced; `CancellationError` if the task was cancelled.
    public func download(toPath path: String, options: DownloadOptions = DownloadOptions()) async throws
        -> HeliumDownload
    {
        try await Download(builder: self, path: path, options: options).run()
    }

    /// Sends the request and writes the response body to a file; see ``download(toPath:options:)``.
    public func download(to url: URL, options: DownloadOptions = DownloadOptions()) async throws -> HeliumDownload {
        // A URL that is not a file URL has no path on this machine.
        try await download(toPath: url.isFileURL ? url.path : "", options: options)
    }
}

/// One call of ``RequestBuilder/download(toPath:options:)``.
private struct Download<Value: Sendable> {
    let builder: RequestBuilder<Value>
    let request: TransportRequest
    let place: DownloadPlace
    /// Whether a part of the file may be kept and continued later. Pipes and devices are not resumable.
    let isResumable: Bool
    let expected: String?
    let options: DownloadOptions
    /// The deadline of the call's own limit; `nil` if there is none.
    let deadline: Deadline?

    init(builder: RequestBuilder<Value>, path: String, options: DownloadOptions) throws {
        self.builder = builder.acceptsContentCodings(false)
        self.options = options
        let request = try self.builder.transportRequest()
        self.request = request
        deadline = builder.ownTimeout.map { Deadline(after: $0, clock: builder.clock) }
        expected = options.sha256?.lowercased()
        func invalid(_ message: String) -> HeliumError { Self.failure(of: request, .invalidRequest, .notSent, message) }
        guard !path.isEmpty, !path.hasSuffix("/"), !path.utf8.contains(0) else {
            throw invalid("the download's target is not the path of a file")
        }
        if let expected, expected.utf8.count != 64 || !expected.allSatisfy(\.isHexDigit) {
            throw invalid("the expected SHA-256 must be 64 hexadecimal digits")
        }
        if let limit = options.maximumBytes, limit < 0 { throw invalid("the maximum size of the file is negative") }
        do throws(SystemError) {
            let target = try FileTarget(path)
            isResumable = options.resume.choice == .ifPossible && target.isReplaced
            place = DownloadPlace(target: target, suffix: isResumable ? nil : "\(UInt64.random(in: 0 ... .max))")
        } catch {
            throw Self.failure(of: request, .fileFailed, .notSent, "the target can't be written: \(error)")
        }
    }

    func run() async throws -> HeliumDownload {
        if !isResumable, place.target.isReplaced { options.temporaryFile?(place.part) }
        var file = try await openFile()
        var keepsPart = false
        do {
            return try await fill(&file, keepsPart: &keepsPart)
        } catch {
            if keepsPart, file.size > 0 { try? await file.synchronise() } else { file.remove() }
            throw error
        }
    }

    private func openFile() async throws -> DownloadFile {
        guard !place.target.isReplaced else {
            return try filed(.notSent) { () throws(FileFailure) in
                try DownloadFile(at: place, isHashed: expected != nil)
            }
        }
        do {
            let target = place.target
            let output = try await builder.race(deadline) { try await DirectOutput(target) }
            return DownloadFile(output, isHashed: expected != nil)
        } catch let error as SystemError {
            throw failure(.fileFailed, .notSent, "the target can't be written: \(error)")
        } catch {
            throw ended(error, .notSent, "before a process read the pipe")
        }
    }

    private func fill(_ file: inout DownloadFile, keepsPart: inout Bool) async throws -> HeliumDownload {
        var part = resumablePart(of: file)
        // Keeps the existing data until a response shows that it is not usable.
        keepsPart = part != nil
        if part != nil {
            do {
                try await file.hashPart { try checkTime() }
            } catch let error as FileFailure {
                throw failure(.fileFailed, .notSent, error.description)
            }
        }
        while true {
            let answer = try await send(part)
            switch ResumeDecision(part: part, head: answer.head) {
            case .refuse(let reason):
                throw failure(.integrityFailed, .answered, reason, answer)
            case .askForAll:
                answer.stream?.body.cancel()
                part = nil
                keepsPart = false
                continue
            case .complete:
                try filed(.answered, answer) { () throws(FileFailure) in try file.keep() }
                options.progress?(TransferProgress(completed: file.size, total: file.size))
                return try await finish(&file, answer, total: file.size, isResumed: true, keepsPart: &keepsPart)
            case .append(let total):
                try filed(.answered, answer) { () throws(FileFailure) in try file.keep() }
                try await receive(answer, into: &file, total: total)
                return try await finish(&file, answer, total: total, isResumed: true, keepsPart: &keepsPart)
            case .restart(let total):
                keepsPart = false
                try filed(.answered, answer) { () throws(FileFailure) in try file.clear() }
                keepsPart = try keepRecord(of: answer.head, total: total)
                try await receive(answer, into: &file, total: total)
                return try await finish(&file, answer, total: total, isResumed: false, keepsPart: &keepsPart)
            }
        }
    }
}

// MARK: Requests

extension Download {
    /// A response whose body follows if it is needed.
    struct Answer {
        let head: ResponseHead
        let attempts: [AttemptRecord]
        let stream: HeliumStream?
        /// The time at which the head arrived, by the client's clock.
        let arrival: Duration

        /// Returns the timings of the last attempt, including its body if that ends at `end`.
        func timings(until end: Duration) -> TransferTimings {
            var timings = stream?.timings ?? TransferTimings()
            if let total = timings.total { timings.total = total + (end - arrival) }
            return timings
        }
    }

    private func resumablePart(of file: borrowing DownloadFile) -> DownloadPart? {
        guard isResumable, file.size > 0, let bytes = place.readRecord(),
            let record = DownloadRecord(bytes, for: request.url)
        else { return nil }
        return DownloadPart(bytes: file.size, validator: record.validator, total: record.total)
    }

    private func send(_ part: DownloadPart?) async throws -> Answer {
        var builder = builder
        if let remaining = deadline?.remaining { builder = builder.timeout(max(.zero, remaining)) }
        if let part {
            builder = builder.field(.range, "bytes=\(part.bytes)-").field(.ifRange, part.validator.fieldValue)
        }
        do {
            let stream = try await builder.stream()
            return Answer(head: stream.head, attempts: stream.attempts, stream: stream, arrival: builder.clock.uptime)
        } catch let error as HeliumError {
            guard part != nil, error.status == 416, let head = error.head else { throw error }
            return Answer(head: head, attempts: error.attempts, stream: nil, arrival: builder.clock.uptime)
        }
    }

    /// Records the resource of the file if a later download may continue it. Returns whether it did.
    private func keepRecord(of head: ResponseHead, total: Int64?) throws -> Bool {
        guard isResumable else { return false }
        place.removeRecord()
        guard ResumeDecision.isIdentity(head), request.method == .get, let validator = DownloadValidator(head) else {
            return false
        }
        try filed(.answered) { () throws(FileFailure) in
            guard let bytes = try? DownloadRecord(url: request.url, validator: validator, total: total).bytes else {
                throw FileFailure("the record beside the file can't be created")
            }
            try place.write(bytes)
        }
        return true
    }
}

// MARK: Receiving

extension Download {
    private func receive(_ answer: Answer, into file: inout DownloadFile, total: Int64?) async throws {
        guard let stream = answer.stream else { return }
        defer { stream.body.cancel() }
        if let total { try check(total, answer) }
        var progress = options.progress.map { ProgressReporter(total: total, clock: builder.clock, handler: $0) }
        progress?.report(file.size)
        let alarm = deadline.map { DownloadAlarm(ending: stream.body, at: $0) }
        defer { alarm?.stop() }
        var chunks = stream.body.makeAsyncIterator()
        while let chunk = try await next(of: &chunks, alarm, answer) {
            try check(file.size + Int64(chunk.count), answer)
            if let total, file.size + Int64(chunk.count) > total {
                throw failure(.integrityFailed, .answered, "the response has more bytes than announced", answer)
            }
            do {
                try await file.append(chunk) { write in try await builder.race(deadline, write) }
            } catch let error as FileFailure {
                throw failure(.fileFailed, .answered, error.description, answer)
            } catch {
                throw ended(error, .answered, "while the file was written", answer)
            }
            progress?.report(file.size)
        }
        progress?.finish(file.size)
    }

    /// Returns the next chunk, or throws the error of the expired time limit.
    private func next(of chunks: inout BodyStream.Iterator, _ alarm: DownloadAlarm?, _ answer: Answer) async throws
        -> Data?
    {
        let result: Result<Data?, any Error>
        do { result = .success(try await chunks.next()) } catch { result = .failure(error) }
        if let alarm, alarm.hasRung, !Task.isCancelled {
            throw ended(DeadlineExceeded(), .answered, "while the body was received", answer)
        }
        return try result.get()
    }

    private func check(_ bytes: Int64, _ answer: Answer) throws {
        guard let limit = options.maximumBytes, bytes > limit else { return }
        var error = failure(.ceilingExceeded, .answered, "the file has more than \(limit) bytes", answer)
        error[fact: \.ceiling] = .bodyBytes
        throw error
    }

    private func finish(
        _ file: inout DownloadFile,
        _ answer: Answer,
        total: Int64?,
        isResumed: Bool,
        keepsPart: inout Bool
    ) async throws -> HeliumDownload {
        if let total, file.size != total {
            throw failure(.integrityFailed, .answered, "received only \(file.size) of \(total) bytes", answer)
        }
        // From here on, the data is either correct or useless.
        keepsPart = false
        try check(file.size, answer)
        let digest = file.digest()
        if let expected, digest != expected {
            throw failure(.integrityFailed, .answered, "the file's SHA-256 does not match the expected one", answer)
        }
        do throws(FileFailure) {
            try await file.moveToTarget()
        } catch {
            throw failure(.fileFailed, .answered, error.description, answer)
        }
        return HeliumDownload(
            head: answer.head,
            bytes: file.size,
            isResumed: isResumed,
            attempts: answer.attempts,
            timings: answer.timings(until: builder.clock.uptime),
            sha256: digest
        )
    }
}

// MARK: Failures

extension Download {
    /// Throws if the call's own time limit has passed, or the task is cancelled.
    private func checkTime() throws {
        try Task.checkCancellation()
        if deadline?.hasPassed == true { throw ended(DeadlineExceeded(), .notSent, "while the partial file was read") }
    }

    /// Returns the error of a wait that the deadline, the client's closing or cancellation has ended.
    private func ended(_ error: any Error, _ delivery: DeliveryState, _ when: String, _ answer: Answer? = nil)
        -> any Error
    {
        switch error {
        case is DeadlineExceeded:
            var timeout = failure(.timedOut, delivery, "the call timed out \(when)", answer)
            timeout[fact: \.phase] = .total
            return timeout
        case is ClientClosed:
            return failure(.clientClosed, delivery, "the client was closed \(when)", answer)
        default:
            return error
        }
    }

    private func filed<Result: ~Copyable>(
        _ delivery: DeliveryState,
        _ answer: Answer? = nil,
        _ body: () throws(FileFailure) -> Result
    ) throws -> Result {
        do throws(FileFailure) {
            return try body()
        } catch {
            throw failure(.fileFailed, delivery, error.description, answer)
        }
    }

    private func failure(
        _ kind: FailureKind,
        _ delivery: DeliveryState,
        _ message: String,
        _ answer: Answer? = nil
    ) -> HeliumError {
        var error = Self.failure(of: request, kind, delivery, message)
        error[fact: \.head] = answer?.head
        error[fact: \.attempts] = answer?.attempts ?? []
        return error
    }

    private static func failure(
        of request: TransportRequest,
        _ kind: FailureKind,
        _ delivery: DeliveryState,
        _ message: String
    ) -> HeliumError {
        let summary = RequestSummary(method: request.method, url: request.url.redacted)
        return HeliumError(kind, request: summary, delivery: delivery, message: message)
    }
}
