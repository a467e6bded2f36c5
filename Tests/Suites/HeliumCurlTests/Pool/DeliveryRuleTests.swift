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

    private static let reads = DeliveryRule.Read.allCases
    private static let ends = DeliveryRule.End.allCases

    private func cell(
        _ written: DeliveryRule.Written,
        _ version: DeliveryRule.Version,
        _ read: DeliveryRule.Read,
        _ end: DeliveryRule.End,
        isBodyLost: Bool = false
    ) -> Cell {
        let rule = Rule(written: written, over: version, read: read, end: end, isBodyLost: isBodyLost)
        return Cell(rule.delivery, rule.resend)
    }

    @Test(
        "a call of which nothing was written is sent again, unless its caller or the clock ended it",
        arguments: reads
    )
    func nothingWritten(read: DeliveryRule.Read) {
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
            #expect(cell(.nothing, .http1, read, end) == Cell(.notSent, http1), "\(end)")
            #expect(cell(.nothing, .http2, read, end) == Cell(.notSent, http2), "\(end)")
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

    @Test(
        "a call with any byte of a response is answered, and not sent again",
        arguments: [DeliveryRule.Written.part, .whole],
        [DeliveryRule.Read.bytes, .interim, .final]
    )
    func answered(written: DeliveryRule.Written, read: DeliveryRule.Read) {
        for version in DeliveryRule.Version.allCases {
            for end in Self.ends {
                #expect(cell(written, version, read, end) == Cell(.answered, .no), "\(end)")
            }
        }
    }

    @Test("a call whose body was begun and can't be sent again is not sent again", arguments: ends, reads)
    func bodyLost(end: DeliveryRule.End, read: DeliveryRule.Read) {
        for version in DeliveryRule.Version.allCases {
            for written in DeliveryRule.Written.allCases {
                let lost = cell(written, version, read, end, isBodyLost: true)
                #expect(lost == Cell(cell(written, version, read, end).delivery, .no))
            }
        }
    }

    @Test("a call is sent again 16 times at most, whatever ends it", arguments: ends)
    func bound(end: DeliveryRule.End) {
        let rule = Rule(written: .nothing, over: .http2, read: .nothing, end: end, isBodyLost: false)
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
        let lost = Rule(written: .nothing, over: .http2, read: .nothing, end: .connectionLost, isBodyLost: false)
        let refused = Rule(written: .whole, over: .http2, read: .nothing, end: .streamRefused, isBodyLost: false)
        var repetitions = Repetitions()
        #expect(repetitions.allow(refused, after: .streamRefused, on: connection) == true)
        #expect(repetitions.allow(refused, after: .streamRefused, on: connection) == true)
        #expect(repetitions.allow(lost, after: .connectionLost, on: PoolConnection(index: 3, generation: 2)) == true)
        #expect(repetitions.allow(lost, after: .connectionLost, on: PoolConnection(index: 3, generation: 2)) == false)
        #expect(repetitions.allow(lost, after: .connectionLost, on: PoolConnection(index: 3, generation: 3)) == true)
        #expect(repetitions.count == 4)
    }
}
