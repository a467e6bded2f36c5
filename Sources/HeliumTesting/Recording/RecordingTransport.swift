public import Foundation
internal import HTTPTypes
public import HeliumCore
internal import Synchronization

/// Sends requests by another transport, and keeps them with their answers as a ``HAR``, secrets scrubbed.
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
/// What is kept in memory is as it was sent; ``har`` and ``save(to:)`` scrub it, with all secrets known by then: a token
/// that an answer brings is known to the authorizer only afterwards. The values of credential fields that were seen are
/// masked wherever else they stand as well.
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

    /// Records what goes through `base`.
    ///
    /// - Parameters:
    ///   - base: What sends the requests.
    ///   - authorizer: The client's authorizer, whose secrets are kept out. Default: none.
    ///   - scrubbing: What else is kept out.
    ///   - limits: How much is kept.
    ///   - clock: What entries are dated by.
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

    /// How much a recording keeps.
    public struct Limits: Hashable, Sendable {
        /// Bytes of each body; longer ones are cut and marked. Default: 1 MiB.
        public var bodyBytes = 1 << 20

        /// Exchanges; later ones are counted only. Default: 10,000.
        public var entries = 10_000

        /// The defaults.
        public init() {}
    }

    /// Sends `request`, and keeps it with what comes of it.
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
            if let id { change(id) { $0.failure = error } }
            learnSecrets()
            throw error
        }
    }

    /// The value of the wrapped transport.
    public var keepsDeadlines: Bool { base.keepsDeadlines }

    /// Shuts the other transport down. The recording stays.
    public func shutdown() async { await base.shutdown() }
}

// MARK: What was recorded

extension RecordingTransport {
    /// What was recorded so far, scrubbed. A stream that is still read has the part that was read.
    public var har: HAR {
        learnSecrets()
        let (records, secrets) = state.withLock { ($0.records, $0.secrets) }
        let scrubber = scrubbing.scrubber(secrets.map(\.string))
        return HAR(
            creator: HAR.Creator(name: "Helium", version: HeliumVersion.current),
            entries: records.map { $0.entry(scrubber) }
        )
    }

    /// How many exchanges were not recorded because there were too many.
    public var droppedEntryCount: Int { state.withLock { $0.droppedCount } }

    /// Writes what was recorded to a file: whole or not at all.
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
            state.secrets.formUnion(request.fields.flatMap(HarvestedSecrets.from).map { ByteText($0) })
            var record = ExchangeRecord(request: request, wallTime: wallTime, uptime: uptime, limit: limits.bodyBytes)
            if let body = request.body { record.requestBody.append(body) }
            state.records.append(record)
            return state.records.count - 1
        }
    }

    private func keep(_ response: TransportResponse, _ id: Int) {
        let secrets = response.head.fields.flatMap(HarvestedSecrets.from).map { ByteText($0) }
        state.withLock { $0.secrets.formUnion(secrets) }
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
