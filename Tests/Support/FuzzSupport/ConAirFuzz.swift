import ConAir
import Foundation
import HeliumJSON

extension FuzzTarget {
    static let conAirReply = FuzzTarget(
        "conair-reply",
        examples: [
            #"[{"ts": "2012-12-11 20:28:00 +0000", "value": 21.4, "temperature": 21.4}]"#,
            #"[{"ts":"2012-12-11T20:28:00.25Z","temperature":-1e2},{"ts":"2012-12-11T20:26:00+02:00","value":null}]"#,
            #"[{"ts":"2012-12-11T20:28:00Z","value":1},{},null,{"ts":"2012-12-11 20:28:00 +0000","value":2}]"#,
        ],
        pieces: [
            "[", "]", "{", "}", ",", ":", "\"ts\":", "\"value\":", "\"temperature\":", "null", "1e999", "-0",
            "\"2012-12-11 20:28:00 +0000\"", "\"2012-12-11T20:28:60Z\"", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z",
            " +0000", " -2359", ".123456789", "\\u0020", "\\ud800", "é",
        ],
        check: { try ConAirFuzz.reply($0) }
    )
}

/// Reads replies of ConAir's service, and merges them.
enum ConAirFuzz {
    static func reply(_ bytes: [UInt8]) throws {
        try time(bytes)
        let reply: SeriesReply
        do {
            reply = try HeliumJSONDecoder().decode(ReplyDocument.self, from: bytes).reply
        } catch is DecodingError {
            return
        }
        guard reply.points.allSatisfy(\.value.isFinite) else { throw FuzzFinding("a value is not finite") }
        guard zip(reply.points, reply.points.dropFirst()).allSatisfy({ $0.time < $1.time }) else {
            throw FuzzFinding("the points are not in order")
        }
        try merge(reply)
    }

    /// A reply that is merged twice changes nothing the second time.
    private static func merge(_ reply: SeriesReply) throws {
        let known = SeriesPoints(reply.points)
        guard Array(known) == reply.points else { throw FuzzFinding("the columns differ from the reply") }
        guard let last = reply.points.last else { return }
        let again = MergeDecision(
            reply.points,
            into: known,
            now: last.time,
            oldest: SeriesTime(microseconds: .min),
            maximumCount: .max
        )
        guard again.isEmpty, again.aheadCount == 0 else { throw FuzzFinding("the same reply changes \(again)") }
        _ = SeriesStatistics(known, step: .seconds(120))
    }

    private static func time(_ bytes: [UInt8]) throws {
        guard let time = SeriesTime(String(decoding: bytes, as: UTF8.self)) else { return }
        guard SeriesTime(time.description) == time else { throw FuzzFinding("\(time) is read otherwise") }
    }
}
