import HeliumCore
import Testing

@testable import HeliumCurl

@Suite("Delivery and repetition")
struct DeliveryRuleTests {
    private typealias Rule = DeliveryRule

    /// A cell of the table: the state, and whether the call is sent again at once.
    private struct Cell: Equatable {
        let delivery: DeliveryState
        let resend: DeliveryRule.Resend

        init(_ delivery: DeliveryState, _ resend: DeliveryRule.Resend) {
            self.delivery = delivery
            self.resend = resend
        }
    }

    private static let ends = DeliveryRule.End.allCases

    private func cell(
        _ written: DeliveryRule.Written,
        _ version: DeliveryRule.Version,
        _ read: DeliveryRule.Read,
        _ end: DeliveryRule.End,
        isPriorKnowledge: Bool = false
    ) -> Cell {
        let rule = Rule(written: written, over: version, read: read, end: end, isPriorKnowledge: isPriorKnowledge)
        return Cell(rule.delivery, rule.resend)
    }

    @Test("a call of which nothing was written is sent again, unless its caller or the clock ended it")
    func nothingWritten() {
        let table: [(DeliveryRule.End, DeliveryRule.Resend, DeliveryRule.Resend)] = [
            (.connectionLost, .again, .again),
            (.streamRefused, .again, .again),
            (.aboveGoAway, .again, .again),
            (.http1Required, .again, .overHTTP1),
            (.malformed, .again, .again),
            (.cancelled, .no, .no),
            (.timedOut, .no, .no),
            (.closed, .no, .no),
        ]
        #expect(table.map(\.0) == Self.ends)
        for (end, http1, http2) in table {
            #expect(cell(.nothing, .http1, .nothing, end) == Cell(.notSent, http1), "\(end)")
            #expect(cell(.nothing, .http2, .nothing, end) == Cell(.notSent, http2), "\(end)")
        }
    }

    @Test(
        "a call that was written, without a byte of a response, is sent again if the peer did not process it",
        arguments: [DeliveryRule.Written.part, .whole]
    )
    func written(written: DeliveryRule.Written) {
        let table: [(DeliveryRule.End, Cell)] = [
            (.connectionLost, Cell(.maybeSent, .no)),
            (.streamRefused, Cell(.notSent, .again)),
            (.aboveGoAway, Cell(.notSent, .again)),
            (.http1Required, Cell(.notSent, .overHTTP1)),
            (.malformed, Cell(.maybeSent, .no)),
            (.cancelled, Cell(.maybeSent, .no)),
            (.timedOut, Cell(.maybeSent, .no)),
            (.closed, Cell(.maybeSent, .no)),
        ]
        #expect(table.map(\.0) == Self.ends)
        for (end, expected) in table {
            #expect(cell(written, .http2, .nothing, end) == expected, "\(end)")
            // HTTP/1.1 has no way to say that a request was not processed.
            #expect(cell(written, .http1, .nothing, end) == Cell(.maybeSent, .no), "\(end)")
        }
    }

    @Test("a call with a status line is answered, and not sent again", arguments: [DeliveryRule.Read.interim, .final])
    func answered(read: DeliveryRule.Read) {
        for (written, end) in Self.writtenAndEnds {
            for version in DeliveryRule.Version.allCases {
                #expect(cell(written, version, read, end) == Cell(.answered, .no), "\(end)")
            }
        }
    }

    @Test("a call with a part of a status line is not sent again, and may have been sent if anything was written")
    func bytes() {
        for (written, end) in Self.writtenAndEnds {
            let delivery: DeliveryState = written == .nothing ? .notSent : .maybeSent
            for version in DeliveryRule.Version.allCases {
                #expect(cell(written, version, .bytes, end) == Cell(delivery, .no), "\(end)")
            }
        }
    }

    @Test("a call that wants HTTP/2 and nothing else is not sent to a server that requires HTTP/1.1", arguments: ends)
    func priorKnowledge(end: DeliveryRule.End) {
        for written in DeliveryRule.Written.allCases {
            let other = cell(written, .http2, .nothing, end)
            let expected = end == .http1Required ? Cell(.notSent, .no) : other
            #expect(cell(written, .http2, .nothing, end, isPriorKnowledge: true) == expected)
        }
    }

    private static var writtenAndEnds: [(DeliveryRule.Written, DeliveryRule.End)] {
        DeliveryRule.Written.allCases.flatMap { written in ends.map { (written, $0) } }
    }

    @Test("a call is sent again 16 times at most, whatever ends it", arguments: ends)
    func bound(end: DeliveryRule.End) {
        let rule = Rule(written: .nothing, over: .http2, read: .nothing, end: end)
        var repetitions = Repetitions()
        var count = 0
        for number in 0..<40 {
            let connection = PoolConnection(index: 0, generation: UInt32(number))
            if repetitions.allow(rule, after: end, on: connection) { count += 1 }
        }
        #expect(count == (rule.resend == .no ? 0 : 16) && repetitions.count == count)
    }

    @Test("a connection found dead grants one repetition, and a refused stream another on the same connection")
    func deadConnection() {
        let connection = PoolConnection(index: 3, generation: 1)
        let lost = Rule(written: .nothing, over: .http2, read: .nothing, end: .connectionLost)
        let refused = Rule(written: .whole, over: .http2, read: .nothing, end: .streamRefused)
        var repetitions = Repetitions()
        #expect(repetitions.allow(refused, after: .streamRefused, on: connection) == true)
        #expect(repetitions.allow(refused, after: .streamRefused, on: connection) == true)
        #expect(repetitions.allow(lost, after: .connectionLost, on: PoolConnection(index: 3, generation: 2)) == true)
        #expect(repetitions.allow(lost, after: .connectionLost, on: PoolConnection(index: 3, generation: 2)) == false)
        #expect(repetitions.allow(lost, after: .connectionLost, on: PoolConnection(index: 3, generation: 3)) == true)
        #expect(repetitions.count == 4)
    }
}
