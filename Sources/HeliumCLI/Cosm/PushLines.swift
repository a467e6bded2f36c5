import Cosm
import Foundation

/// Parses lines `value` or `at,value` from chunks of any size.
///
/// A value without a timestamp gets the time at which it was read. Two values of the same time are one microsecond
/// apart, because a datastream has one value for each instant.
struct PushLines {
    /// The error thrown for a line that is not a value.
    struct BadLine: Error, Hashable, CustomStringConvertible {
        /// The line number. The first is 1.
        let number: Int
        let reason: String

        var description: String { "line \(number): \(reason)" }
    }

    /// The maximum length of a line in bytes. It is much greater than the maximum length of a value.
    static let maximumLength = 65_536

    /// The number of lines that were read.
    private(set) var count = 0
    private var rest: [UInt8] = []
    private var lastMoment = Timestamp(microseconds: .min)

    /// Parses the lines that end in a chunk.
    ///
    /// - Parameters:
    ///   - moment: The time at which the chunk was read.
    ///   - points: Receives the points, including those before an invalid line.
    /// - Throws: ``BadLine`` for the first invalid line.
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

    /// Whether the chunks so far end within a line.
    var hasUnfinishedLine: Bool { !rest.isEmpty }

    /// Parses a last line without a line feed. Call it at the end of the input only: after an interruption or an error,
    /// the line may continue.
    ///
    /// - Throws: ``BadLine`` if the line is invalid.
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
            throw BadLine(number: count, reason: "it is not UTF-8")
        }
        do {
            var rows = DatapointRows(allowsBareValues: true, maximumRowLength: Self.maximumLength)
            for point in try rows.append(line) + rows.finish() {
                guard point.value?.text.isEmpty == false else {
                    throw BadLine(number: count, reason: "the value is empty")
                }
                if point.at == nil, Self.beginsWithTimestamp(line) {
                    throw BadLine(
                        number: count,
                        reason: "a timestamp is followed by a comma and the value, for example "
                            + "2013-02-01T09:00:00Z,20.5; a text is in quotation marks"
                    )
                }
                points.append(Datapoint(at: point.at ?? nextMoment(moment), value: point.value))
            }
        } catch let error as BadLine {
            throw error
        } catch {
            throw BadLine(number: count, reason: (error as? CosmDocumentError)?.reason ?? String(describing: error))
        }
    }

    /// Returns whether a line without a comma begins with a timestamp and another separator. It is a row of another
    /// format, and not a text as the value of the present time. A quoted value begins with its quotation mark.
    private static func beginsWithTimestamp(_ line: Data) -> Bool {
        let separators: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        guard let end = line.firstIndex(where: separators.contains) else { return false }
        return Timestamp(String(decoding: line[..<end], as: UTF8.self)) != nil
    }

    private mutating func nextMoment(_ moment: Timestamp) -> Timestamp {
        lastMoment = max(moment, lastMoment.advanced(by: .microseconds(1)))
        return lastMoment
    }

    private func tooLong() -> BadLine {
        BadLine(number: count + 1, reason: "it has more than \(Self.maximumLength) bytes")
    }
}
