internal import Foundation
package import GRDB
internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumJSON
package import HeliumServerKit
internal import Logging
internal import Synchronization

/// The time series service of ConAir, which returns means of readings over HTTP (Docs/Protocols/ConAir.md §1).
package struct ConAirService: ServerProtocol {
    package static let name = "conair"
    package static var migrator: DatabaseMigrator { ReadingStore.migrator }
    package static var storedTables: [StoredTable] { StoredTable.plain("conair_reading") }

    package let control: ConAirControl
    private let state: ConAirState
    private let logger: Logger

    package init(_ configuration: ConAirConfiguration, _ environment: ServerEnvironment) {
        state = ConAirState(configuration: configuration, store: ReadingStore(environment.access))
        control = ConAirControl(state: state)
        logger = environment.logger
    }

    package func start(at address: ServerAddress) -> ReadyInformation.ConAir? {
        URL(string: address.root + "/data/").map { ReadyInformation.ConAir(data: $0) }
    }

    package func handles(_ path: Substring) -> Bool {
        path.hasSameBytes(as: "/data") || path.hasSameBytes(as: "/data/")
    }

    package func reply(to refusal: RequestRefusal, for request: ServerRequest) -> ServerReply {
        switch refusal {
        case .bodyTooLong: Self.failure(.contentTooLarge, "the body is too long")
        case .noRoom: Self.failure(.serviceUnavailable, "too many bodies are being received")
        }
    }

    package func admission(of head: ServerRequest, limits: ServerLimits) async -> BodyAdmission {
        .read(maximumBytes: min(limits.bodyBytes, Reading.maximumBytes), isProved: false)
    }

    package func respond(to request: ServerRequest) async -> ServerReply {
        if let reply = Self.replacement(for: request.faults) { return reply }
        // The time of the response, which clients use as the server's time.
        let now = ServerInstant(
            microseconds: state.configuration.clock.microseconds() + request.faults.clockOffset * 1000
        )
        var reply: ServerReply
        do {
            switch request.method {
            case .get, .head: reply = try await means(for: request, now: now)
            case .post: reply = try await store(request.body)
            default:
                reply = Self.failure(.methodNotAllowed, "the allowed methods are GET, HEAD and POST")
                reply.fields[.allow] = "GET, HEAD, POST"
            }
        } catch {
            logger.error("The time series failed", metadata: ["error": "\(StoreFault.text(of: error))"])
            if StoreFault.temporary(error) == nil {
                reply = Self.failure(.internalServerError, "the store failed")
            } else {
                reply = Self.failure(.serviceUnavailable, "the store failed: try again later")
                reply.fields[.retryAfter] = String(StoreFault.retryAfter)
            }
        }
        reply.fields[.date] = HTTPDate.string(
            from: Date(timeIntervalSince1970: Double(now.microseconds) / Double(ServerInstant.perSecond))
        )
        return reply
    }

    private func means(for request: ServerRequest, now: ServerInstant) async throws -> ServerReply {
        let window: BucketWindow
        do throws(BucketWindow.Refusal) {
            window = try BucketWindow(query: request.query ?? [:], now: now)
        } catch {
            if case .tooLong(let count) = error {
                logger.notice("A window is too long", metadata: ["steps": "\(count)"])
            }
            return .json(.ok, [])
        }
        let stored = try await state.store.readings(in: window.range)
        let (sensor, gaps) = state.values.withLock { ($0.sensor, $0.gaps) }
        var means = BucketMeans(window)
        let isShown = { (reading: Reading) in !gaps.contains { $0.contains(reading.instant) } }
        if let sensor {
            means.add(stored: stored, sensor: sensor.readings(in: window.range, now: now), where: isShown)
        } else {
            means.add(stored: stored, sensor: EmptyCollection(), where: isShown)
        }
        let elements = means.buckets.map { start, mean -> JSONValue in
            ["ts": .string(start.readingTime), "value": .number(mean), "temperature": .number(mean)]
        }
        return .json(.ok, .array(elements))
    }

    private func store(_ body: [UInt8]) async throws -> ServerReply {
        let readings: [Reading]
        do throws(ReadingFault) {
            readings = try Reading.list(body)
        } catch {
            return Self.failure(error.isTooLong ? .contentTooLarge : .badRequest, error.text, index: error.index)
        }
        try await state.store.save(readings, maximum: state.configuration.maximumReadings)
        return .json(.created, ["stored": .count(readings.count)])
    }
}

extension ConAirService {
    /// Returns the response of a fault that replaces the regular one.
    private static func replacement(for faults: ActiveFaults) -> ServerReply? {
        if let status = faults.status { return failure(.init(code: status), "a fault was injected") }
        if faults.contains(.busy) {
            return .text(.serviceUnavailable, "I'm busy right now, sorry.", type: "text/plain; charset=utf-8")
        }
        if faults.contains(.unauthorizedHTML) { return .unauthorizedPage }
        if faults.contains(.payloadTooLarge) { return failure(.contentTooLarge, "the body is too long") }
        return nil
    }

    private static func failure(_ status: HTTPResponse.Status, _ text: String, index: Int? = nil) -> ServerReply {
        var document: JSONObject = ["error": .string(text)]
        if let index { document["index"] = .count(index) }
        return .json(status, .object(document))
    }
}
