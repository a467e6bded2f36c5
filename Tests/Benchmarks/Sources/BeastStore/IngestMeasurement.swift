import AppNet
import BareSQLite
import BenchmarkHarness
import Foundation

@testable import MessageBeast

/// The storing of pages against the same rows by bare C, in alternation, in CPU time for each row. Each round has new files.
struct IngestMeasurement {
    let store: Store
    let count: Int
    let rounds: Int

    func run() async throws -> [OperationResult] {
        let source = Messages()
        let messages = (1...count).map(source.message)
        var documents: [String] = []
        var encoding: [Double] = []
        for _ in 0..<rounds {
            encoding.append(try await time { documents = try messages.map(IncomingMessage.text) })
        }
        let bytes = documents.reduce(0) { $0 + $1.utf8.count } / count
        var results = [
            OperationResult(group: "beast-encoding", operation: "encoding a message", bytes: bytes, rounds: encoding)
        ]
        for (group, isAll) in [("beast-ingest-text", false), ("beast-ingest-all", true)] {
            results += try await compare(group, .extracting(isAll), messages, documents, bytes)
        }
        return results
    }

    private func compare(
        _ group: String,
        _ configuration: MessageManagerConfiguration,
        _ messages: [Message],
        _ documents: [String],
        _ bytes: Int
    ) async throws -> [OperationResult] {
        let rows = try BareRows(messages, documents, configuration)
        var (ours, bare, again): ([Double], [Double], [Double]) = ([], [], [])
        for round in 0..<rounds {
            for isOurs in round.isMultiple(of: 2) ? [true, false] : [false, true] {
                let name = isOurs ? "helium.sqlite" : "bare.sqlite"
                let manager = try await store.manager(name, configuration)
                if isOurs {
                    ours.append(try await time { try await manager.ingest(messages, documents) })
                    again.append(try await time { try await manager.ingest(messages, documents) })
                    await manager.stop()
                } else {
                    await manager.stop()
                    guard let database = bare_open(store.path(name)) else { throw BareFailure(code: -1) }
                    bare.append(try await time { try rows.insert(into: database) })
                    bare_close(database)
                }
                store.removeDatabase(name)
            }
        }
        return [
            OperationResult(group: group, operation: "MessageBeast", bytes: bytes, rounds: ours),
            OperationResult(group: group, operation: "bare C, a trigger a row", bytes: bytes, rounds: bare),
            OperationResult(group: group, operation: "MessageBeast, unchanged messages", bytes: bytes, rounds: again),
        ]
    }

    /// CPU nanoseconds for each message.
    private func time(_ body: () async throws -> Void) async rethrows -> Double {
        let before = ProcessUsage()
        try await body()
        let after = ProcessUsage()
        let microseconds =
            after.userMicroseconds + after.systemMicroseconds - before.userMicroseconds - before.systemMicroseconds
        return microseconds * 1000 / Double(count)
    }
}

/// SQLite failed in C.
struct BareFailure: Error {
    let code: Int32
}

/// Rows for C. Their memory is kept until the process ends.
struct BareRows {
    private let rows: [BareRow]

    init(_ messages: [Message], _ documents: [String], _ configuration: MessageManagerConfiguration) throws {
        rows = try zip(messages, documents).map { message, json in
            let incoming = try IncomingMessage(
                message,
                json: json,
                configuration: configuration,
                now: MessageManager.now.date
            )
            return Self.row(incoming)
        }
    }

    func insert(into database: OpaquePointer) throws {
        let result = bare_insert(database, rows, rows.count, 200)
        guard result == 0 else { throw BareFailure(code: result) }
    }

    private static func row(_ message: IncomingMessage) -> BareRow {
        let derivation = message.derivation
        var row = BareRow()
        row.id = copy(message.id)
        row.channel = copy(Messages.channel.text)
        row.text = derivation.words.flatMap(copy)
        row.json = copy(message.json)
        row.display_date = derivation.displayDate.value
        row.sort_key = message.sortKey
        row.created = message.created.value
        row.hashtags = copy(derivation.hashtags.map { BareHashtag(folded: copy($0.folded), name: copy($0.name)) })
        row.hashtag_count = derivation.hashtags.count
        row.annotations = copy(
            derivation.annotations.map { BareAnnotation(type: copy($0.type), count: Int64($0.count)) }
        )
        row.annotation_count = derivation.annotations.count
        if case .complete(_, let place?)? = derivation.locations.first {
            let bare = BarePlace(
                id: copy(place.id),
                name: copy(place.name),
                json: copy(place.json),
                latitude: place.coordinates.latitude,
                longitude: place.coordinates.longitude,
                latitude_key: place.coordinates.latitudeKey,
                longitude_key: place.coordinates.longitudeKey
            )
            row.place = copy([bare])
        }
        return row
    }

    private static func copy(_ text: String) -> UnsafePointer<CChar>? { UnsafePointer(strdup(text)) }

    private static func copy<Element>(_ elements: [Element]) -> UnsafePointer<Element>? {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
        memory.initialize(from: elements, count: elements.count)
        return UnsafePointer(memory)
    }
}
