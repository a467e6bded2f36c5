import Foundation
import HeliumKit

/// The timings of a call: the phases of its last attempt, and all attempts.
struct TimeBreakdown {
    /// One phase, with its duration and its end.
    struct Phase: Hashable {
        let name: String
        let label: String
        let took: Duration?
        let end: Duration?
    }

    let phases: [Phase]
    let isConnectionReused: Bool
    let attempts: [AttemptRecord]

    init(_ timings: TransferTimings, _ attempts: [AttemptRecord]) {
        let took = PhaseDurations(timings)
        phases = [
            Phase(name: "queue", label: "queue", took: took.queue, end: timings.queue),
            Phase(name: "nameLookup", label: "name lookup", took: took.nameLookup, end: timings.nameLookup),
            Phase(name: "connect", label: "connect", took: took.connect, end: timings.connect),
            Phase(name: "tls", label: "tls", took: took.tls, end: timings.tlsHandshake),
            Phase(name: "firstByte", label: "first byte", took: took.firstByte, end: timings.firstByte),
            Phase(name: "body", label: "body", took: took.body, end: took.body == nil ? nil : timings.total),
            Phase(name: "total", label: "total", took: took.total, end: timings.total),
        ]
        isConnectionReused = timings.isConnectionReused
        self.attempts = attempts
    }

    /// The phases as a table, followed by a line for each attempt. `-` means that the phase did not happen.
    var table: OutputText {
        let rows = phases.map { ($0.label, Self.text($0.took), Self.text($0.end)) }
        let lines: [OutputText] = ([("phase", "took", "at")] + rows).map { label, took, end in
            let line = label.padding(toLength: 12, withPad: " ", startingAt: 0) + Self.right(took) + Self.right(end)
            return OutputText(line: line)
        }
        let connection: OutputText = "connection: \(isConnectionReused ? "reused" : "new")"
        return (lines + [connection] + attempts.map { "attempt \($0)" }).joinedLines()
    }

    private static func text(_ duration: Duration?) -> String {
        duration.map { String(format: "%.2f ms", $0 / .milliseconds(1)) } ?? "-"
    }

    private static func right(_ text: String) -> String {
        String(repeating: " ", count: max(1, 14 - text.count)) + text
    }
}

// MARK: JSON

extension TimeBreakdown: Encodable {
    private enum CodingKeys: CodingKey { case isConnectionReused, phases, attempts }

    private struct Attempt: Encodable {
        let number: Int
        var status: Int?
        var failure: String?
        let delivery: String
        let milliseconds: Double
        let retryReason: String?
        let pause: Double?

        init(_ record: AttemptRecord) {
            number = record.number
            switch record.outcome {
            case .answered(let code): status = code
            case .failed(let kind): failure = kind.rawValue
            }
            delivery = record.delivery.rawValue
            milliseconds = record.duration.roundedMilliseconds
            retryReason = record.retryReason?.rawValue
            pause = record.pause?.roundedMilliseconds
        }
    }

    /// Encodes all times in milliseconds. Phases that did not happen are left out.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let took = phases.compactMap { phase in phase.took.map { (phase.name, $0.roundedMilliseconds) } }
        try container.encode(isConnectionReused, forKey: .isConnectionReused)
        try container.encode(Dictionary(uniqueKeysWithValues: took), forKey: .phases)
        try container.encode(attempts.map(Attempt.init), forKey: .attempts)
    }
}

extension Duration {
    /// The number of milliseconds, rounded to two decimal places.
    var roundedMilliseconds: Double { (self / .microseconds(10)).rounded() / 100 }
}
