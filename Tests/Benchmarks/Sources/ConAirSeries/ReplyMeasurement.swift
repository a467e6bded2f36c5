import BenchmarkHarness
import ConAir
import Foundation
import HeliumCore
import HeliumKit
import HeliumTesting

/// Measures the cost of reading 10,000 points of the service in two ways. The source reads them with two requests,
/// without a network. Foundation's decoder with a date formatter reads them from one document.
struct ReplyMeasurement {
    private struct Element: Decodable {
        let ts: Date
        let value: Double
    }

    private static let count = 10_000
    private static let start = SeriesTime(seconds: 1_700_000_040)
    private let source: ConAirHTTPSource
    private let document: Data

    init() throws {
        document = Data(Self.document(0..<Self.count).utf8)
        let transport = MockTransport()
        let halves = [Self.document(0..<Self.count / 2), Self.document(Self.count / 2..<Self.count)]
        let first = Self.start.description.replacing(":", with: "%3A")
        transport.on(.get, "/data/") { request in
            .json(request.url.target.contains("start=\(first)") ? halves[0] : halves[1])
        }
        guard let url = URL(string: "http://sensor.example/data/") else { throw OtherPoints() }
        source = try ConAirHTTPSource(url: url, environment: ClientEnvironment(transport: transport))
    }

    func run(rounds: Int) async throws -> [OperationResult] {
        guard try await helium() == foundation() else { throw OtherPoints() }
        var times: (ours: [Double], theirs: [Double]) = ([], [])
        for round in 0..<rounds {
            if round.isMultiple(of: 2) { times.theirs.append(try measure { _ = try foundation() }) }
            let before = ProcessUsage()
            for _ in 0..<20 { _ = try await helium() }
            times.ours.append(Self.nanoseconds(since: before) / 20)
            if !round.isMultiple(of: 2) { times.theirs.append(try measure { _ = try foundation() }) }
        }
        await source.close()
        return [
            OperationResult(group: "conair-reply", operation: "ConAir", bytes: document.count, rounds: times.ours),
            OperationResult(
                group: "conair-reply",
                operation: "JSONDecoder with DateFormatter",
                bytes: document.count,
                rounds: times.theirs
            ),
        ]
    }

    private func measure(_ body: () throws -> Void) rethrows -> Double {
        let before = ProcessUsage()
        for _ in 0..<3 { try body() }
        return Self.nanoseconds(since: before) / 3
    }

    private static func nanoseconds(since before: ProcessUsage) -> Double {
        let after = ProcessUsage()
        let user = after.userMicroseconds - before.userMicroseconds
        return (user + after.systemMicroseconds - before.systemMicroseconds) * 1000
    }

    private func helium() async throws -> [SeriesPoint] {
        let end = Self.start.advanced(by: .seconds(120 * Self.count))
        return try await source.points(in: Self.start..<end, step: .seconds(120)).points
    }

    private func foundation() throws -> [SeriesPoint] {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss Z"
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .formatted(formatter)
        return try decoder.decode([Element].self, from: document)
            .map { SeriesPoint(time: SeriesTime($0.ts), value: $0.value) }
    }

    private static func document(_ range: Range<Int>) -> String {
        let elements = range.map { index in
            let text = start.advanced(by: .seconds(120 * index)).description
            let time = text.dropLast().replacing("T", with: " ") + " +0000"
            let value = 20 + Double(index % 97) / 8
            return #"{"ts":"\#(time)","value":\#(value),"temperature":\#(value)}"#
        }
        return "[\(elements.joined(separator: ","))]"
    }
}

/// The two read other points.
struct OtherPoints: Error {}
