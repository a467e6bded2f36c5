public import Foundation
internal import HTTPTypes
public import HeliumCore
internal import Synchronization

/// A transport that sends requests through another transport and records them with their responses as a ``HAR``, with
/// secrets masked.
///
/// ```swift
/// let recording = RecordingTransport(wrapping: transport, authorizer: authorizer)
/// let helium = try Helium(
///     baseURL: api,
///     authorizer: authorizer,
///     environment: ClientEnvironment(transport: recording)
/// )
/// _ = try await helium.get("/todos", returning: [Todo].self).value()
/// try recording.save(to: file)
/// ```
///
/// The exchanges in memory are not masked. ``har`` and ``save(to:)`` mask them with all secrets that are known at that
/// time, because the authorizer learns a token only after the response that contains it. The secrets that an exchange
/// names, in a credential field, a query, a path, a form, JSON or XML, are masked wherever else they occur in the
/// recording. The time for that is linear in the size of the recording.
public final class RecordingTransport: HTTPTransport {
    private struct State {
        var records: [ExchangeRecord] = []
        var droppedCount = 0
        var secrets: Set<ByteText> = []
    }

    private let base: any HTTPTransport
    private let authorizer: (any Authorizer)?
    private let scrubbing: Scrubbing
    private let limits: Limits
    private let clock: any HeliumClock
    private let state = Guarded(State())

    /// Creates a transport that records the exchanges of `base`.
    ///
    /// - Parameters:
    ///   - base: The transport that sends the requests.
    ///   - authorizer: The client's authorizer, whose secrets are masked. Default: `nil`.
    ///   - scrubbing: Additional data to mask.
    ///   - limits: The limits of the recording.
    ///   - clock: The clock for the dates of entries.
    public init(
        wrapping base: any HTTPTransport,
        authorizer: (any Authorizer)? = nil,
        scrubbing: Scrubbing = Scrubbing(),
        limits: Limits = Limits(),
        clock: any HeliumClock = SystemClock()
    ) {
        self.base = base
        self.authorizer = authorizer
        self.scrubbing = scrubbing
        self.limits = limits
        self.clock = clock
    }

    /// The limits of a recording.
    public struct Limits: Hashable, Sendable {
        /// The maximum number of bytes kept of each body. Longer bodies are cut and marked. Default: 1 MiB.
        public var bodyBytes = 1 << 20

        /// The maximum number of exchanges kept. Later exchanges are only counted. Default: 10,000.
        public var entries = 10_000

        /// Creates the default limits.
        public init() {}
    }

    /// Sends `request`, and records it with its response or failure.
    public func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        learnSecrets()
        var request = request
        let id = begin(request)
        if let id, let upload = request.upload { request.upload = recording(upload, id) }
        do throws(TransportFailure) {
            var response = try await base.execute(request)
            if let id { keep(response, id) }
            if let id, case .stream(let stream) = response.body {
                response.body = .stream(BodyStream(source: RecordedBody(stream, recording: self, id: id)))
            }
            learnSecrets()
            return response
        } catch {
            if let id {
                if let response = error.response { keep(response, id) }
                change(id) { $0.failure = error }
            }
            learnSecrets()
            throw error
        }
    }

    /// The value of the wrapped transport.
    public var keepsDeadlines: Bool { base.keepsDeadlines }

    /// Shuts the wrapped transport down. The recording is kept.
    public func shutdown() async { await base.shutdown() }
}

// MARK: Recorded exchanges

extension RecordingTransport {
    /// The exchanges recorded so far, with secrets masked. A stream that is still being read contains the part that was
    /// read.
    public var har: HAR {
        learnSecrets()
        let (records, secrets) = state.withLock { ($0.records, $0.secrets) }
        var harvest = SecretHarvest(scrubbing.scrubber([]))
        for record in records { record.name(in: &harvest) }
        let scrubber = scrubbing.scrubber(secrets.union(harvest.secrets).map(\.string))
        // A password that is a word can be a part of a host's name.
        let tokens = harvest.secrets.filter { !SecretHarvest.isWord($0.string.utf8) }
        let hosts = scrubbing.scrubber(secrets.union(tokens).map(\.string))
        return HAR(
            creator: HAR.Creator(name: "Helium", version: HeliumVersion.current),
            entries: records.map { $0.entry(scrubber, hosts: hosts) }
        )
    }

    /// The number of exchanges that were not recorded because of the limit.
    public var droppedEntryCount: Int { state.withLock { $0.droppedCount } }

    /// Writes the recording to a file atomically, with secrets masked.
    public func save(to url: URL) throws { try har.write(to: url) }
}

// MARK: Recording

extension RecordingTransport {
    private func learnSecrets() {
        guard let secrets = authorizer?.secrets.map({ ByteText($0) }), !secrets.isEmpty else { return }
        state.withLock { $0.secrets.formUnion(secrets) }
    }

    private func begin(_ request: TransportRequest) -> Int? {
        let (wallTime, uptime) = (clock.wallTime, clock.uptime)
        return state.withLock { state in
            guard state.records.count < limits.entries else {
                state.droppedCount += 1
                return nil
            }
            var record = ExchangeRecord(request: request, wallTime: wallTime, uptime: uptime, limit: limits.bodyBytes)
            if let body = request.body { record.requestBody.append(body) }
            state.records.append(record)
            return state.records.count - 1
        }
    }

    private func keep(_ response: TransportResponse, _ id: Int) {
        change(id) { record in
            record.head = response.head
            record.timings = response.timings
            switch response.body {
            case .collected(let data): record.responseBody.append(data)
            case .stream: record.isStreamOpen = true
            }
        }
    }

    func change(_ id: Int, _ change: (inout ExchangeRecord) -> Void) {
        let uptime = clock.uptime
        state.withLock { state in
            change(&state.records[id])
            state.records[id].end = uptime
        }
    }

    private func recording(_ upload: UploadBody, _ id: Int) -> UploadBody {
        UploadBody(length: upload.length, isReplayable: upload.isReplayable) { [self] in
            let source = try await upload.open()
            change(id) { $0.requestBody.removeAll() }
            return RecordedUpload(source, recording: self, id: id)
        }
    }
}
