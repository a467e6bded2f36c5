import Cosm
import Foundation

/// Takes lines `value` or `at,value` apart as they come, in chunks of any size.
///
/// A value without a stamp is of the moment at which it was read; two of one moment are a microsecond apart, as one instant
/// holds one value.
struct PushLines {
    /// A line that is no value.
    struct BadLine: Error, Hashable, CustomStringConvertible {
        /// From 1.
        let number: Int
        let reason: String

        var description: String { "line \(number): \(reason)" }
    }

    /// The longest line that is taken: far more than a value may have.
    static let maximumLength = 65_536

    /// How many lines were taken.
    private(set) var count = 0
    private var rest: [UInt8] = []
    private var lastMoment = Timestamp(microseconds: .min)

    /// The points of the lines that end in a chunk.
    ///
    /// - Parameters:
    ///   - moment: When it was read.
    ///   - points: Gets the points; those before a bad line too.
    /// - Throws: ``BadLine``.
    mutating func take(_ chunk: Data, at moment: Timestamp, into points: inout [Datapoint]) throws(BadLine) {
        var start = chunk.startIndex
        while let end = chunk[start...].firstIndex(of: UInt8(ascii: "\n")) {
            rest += chunk[start..<end]
            start = chunk.index(after: end)
            try takeLine(at: moment, into: &points)
        }
        rest += chunk[start...]
        if rest.count > Self.maximumLength { throw tooLong() }
    }

    /// The point of a last line without an end.
    ///
    /// - Throws: ``BadLine``.
    mutating func end(at moment: Timestamp, into points: inout [Datapoint]) throws(BadLine) {
        if !rest.isEmpty { try takeLine(at: moment, into: &points) }
    }

    private mutating func takeLine(at moment: Timestamp, into points: inout [Datapoint]) throws(BadLine) {
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        let line = Data(rest)
        rest.removeAll(keepingCapacity: true)
        if line.count > Self.maximumLength { throw tooLong() }
        count += 1
        if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }) {
            return
        }
        guard String(validating: line, as: UTF8.self) != nil else {
            throw BadLine(number: count, reason: "it is no UTF-8")
        }
        let row: Datastream
        do {
            row = try CosmFormat.csv.decode(from: line)
        } catch {
            throw BadLine(number: count, reason: (error as? CosmDocumentError)?.reason ?? String(describing: error))
        }
        points.append(Datapoint(at: row.at ?? nextMoment(moment), value: row.currentValue))
    }

    private mutating func nextMoment(_ moment: Timestamp) -> Timestamp {
        lastMoment = max(moment, lastMoment.advanced(by: .microseconds(1)))
        return lastMoment
    }

    private func tooLong() -> BadLine {
        BadLine(number: count + 1, reason: "it has more than \(Self.maximumLength) bytes")
    }
}
