import TestSupport
import Testing

@testable import HeliumCurl

@Suite("Opening of connections by prior knowledge")
struct PriorKnowledgeTrackerTests {
    private typealias Tracker = PriorKnowledgeTracker<String, Int>

    /// All who may start now.
    private static func started(_ tracker: inout Tracker) -> [Start] {
        var all: [Start] = []
        while let next = tracker.next() { all.append(Start(next.transfer, next.role)) }
        return all
    }

    private struct Start: Equatable {
        let transfer: Int
        let role: PriorKnowledge.Role

        init(_ transfer: Int, _ role: PriorKnowledge.Role) {
            self.transfer = transfer
            self.role = role
        }
    }

    /// A tracker with one connection to `a` on socket 5, and transfer 0 under way on it.
    private static func connected(limit: Int = 8) -> Tracker {
        var tracker = Tracker(connectionLimit: limit)
        #expect(tracker.arrived(0, at: "a") == .start(.opener))
        tracker.didOpen(5, at: "a")
        tracker.opened(at: "a")
        return tracker
    }

    @Test("the first request to an origin opens a connection, and the others wait in order and use it")
    func opens() {
        var tracker = Tracker(connectionLimit: 8)
        #expect(tracker.arrived(1, at: "a") == .start(.opener))
        #expect(tracker.arrived(2, at: "a") == .wait(0))
        #expect(tracker.arrived(3, at: "a") == .wait(1))
        // Another origin is none of their business.
        #expect(tracker.arrived(4, at: "b") == .start(.opener))
        tracker.didOpen(5, at: "a")
        #expect(Self.started(&tracker) == [])
        tracker.opened(at: "a")
        #expect(Self.started(&tracker) == [Start(2, .follower), Start(3, .follower)])
        #expect(tracker.arrived(6, at: "a") == .start(.follower))
    }

    @Test("the next request opens a connection if the first one fails")
    func opensAgain() {
        var tracker = Tracker(connectionLimit: 8)
        _ = tracker.arrived(1, at: "a")
        _ = tracker.arrived(2, at: "a")
        _ = tracker.arrived(3, at: "a")
        tracker.didOpen(5, at: "a")
        tracker.willClose(5)
        tracker.ended(.opener, at: "a")
        #expect(Self.started(&tracker) == [Start(2, .opener)])
        tracker.ended(.opener, at: "a")
        #expect(Self.started(&tracker) == [Start(3, .opener)])
        tracker.ended(.opener, at: "a")
        #expect(Self.started(&tracker) == [] && tracker.isIdle)
    }

    @Test("a request that gives up is not called, at any position in the queue")
    func leaves() {
        for gone in [[0], [1], [2], [0, 1], [0, 1, 2]] as [[PriorKnowledge.Ticket]] {
            var tracker = Tracker(connectionLimit: 8)
            _ = tracker.arrived(9, at: "a")
            for number in 0..<3 { #expect(tracker.arrived(number, at: "a") == .wait(UInt64(number))) }
            for ticket in gone { tracker.left(ticket, at: "a") }
            tracker.didOpen(5, at: "a")
            tracker.opened(at: "a")
            let left = (0..<3).filter { !gone.contains(UInt64($0)) }
            #expect(Self.started(&tracker) == left.map { Start($0, .follower) })
        }
    }

    @Test("a request after the end of a connection opens a new one")
    func closes() {
        var tracker = Self.connected()
        tracker.ended(.follower, at: "a")
        #expect(!tracker.isIdle)
        tracker.willClose(5)
        #expect(Self.started(&tracker) == [] && tracker.isIdle)
        #expect(tracker.arrived(1, at: "a") == .start(.opener))
    }

    @Test("a request whose shared connection is dead opens a new one, and others wait for it")
    func isRefused() {
        var tracker = Self.connected()
        tracker.ended(.follower, at: "a")
        #expect(tracker.arrived(1, at: "a") == .start(.follower))
        #expect(tracker.arrived(2, at: "a") == .start(.follower))
        tracker.willClose(5)
        #expect(tracker.refused(1, at: "a") == .start(.opener))
        #expect(tracker.refused(2, at: "a") == .wait(0))
        #expect(Self.started(&tracker) == [])
        tracker.didOpen(6, at: "a")
        tracker.opened(at: "a")
        #expect(Self.started(&tracker) == [Start(2, .follower)])
    }

    @Test("a full connection gets a second one beside it, one at a time")
    func overflows() {
        var tracker = Self.connected()
        for number in 1...3 { #expect(tracker.arrived(number, at: "a") == .start(.follower)) }
        #expect(tracker.refused(2, at: "a") == .start(.opener))
        #expect(tracker.refused(3, at: "a") == .wait(0))
        // The opener fails while the first connection is there: who waits tries that again.
        tracker.ended(.opener, at: "a")
        #expect(Self.started(&tracker) == [Start(3, .follower)])
        #expect(tracker.refused(3, at: "a") == .start(.opener))
        tracker.didOpen(6, at: "a")
        tracker.opened(at: "a")
        // One of two is left.
        tracker.willClose(5)
        #expect(tracker.arrived(4, at: "a") == .start(.follower))
        tracker.willClose(6)
        #expect(tracker.arrived(5, at: "a") == .start(.opener))
    }

    @Test("a request at the limit of connections waits for the end of another")
    func waitsAtLimit() {
        var tracker = Self.connected(limit: 1)
        for number in 1...4 { #expect(tracker.arrived(number, at: "a") == .start(.follower)) }
        for number in 2...4 { #expect(tracker.refused(number, at: "a") == .wait(UInt64(number - 2))) }
        #expect(Self.started(&tracker) == [])
        // Who comes later is not first.
        #expect(tracker.arrived(5, at: "a") == .wait(3))
        tracker.ended(.follower, at: "a")
        #expect(Self.started(&tracker) == [Start(2, .follower)])
        tracker.ended(.follower, at: "a")
        tracker.ended(.follower, at: "a")
        #expect(Self.started(&tracker) == [Start(3, .follower), Start(4, .follower)])
        tracker.willClose(5)
        #expect(Self.started(&tracker) == [Start(5, .opener)])
    }

    @Test("a refused request at the limit of connections does not wait forever")
    func opensAtLimit() {
        var tracker = Self.connected(limit: 1)
        tracker.ended(.follower, at: "a")
        #expect(tracker.arrived(1, at: "a") == .start(.follower))
        #expect(tracker.refused(1, at: "a") == .start(.opener))
    }

    @Test("abandoned sockets, and those of other requests, do not count as connections")
    func countsSockets() {
        var tracker = Tracker(connectionLimit: 8)
        _ = tracker.arrived(1, at: "a")
        tracker.didOpen(5, at: "a")
        tracker.didOpen(6, at: "a")
        tracker.willClose(5)
        tracker.willClose(77)
        tracker.opened(at: "a")
        tracker.willClose(5)
        #expect(tracker.arrived(2, at: "a") == .start(.follower))
        // A number is used again.
        tracker.willClose(6)
        tracker.ended(.follower, at: "a")
        tracker.ended(.follower, at: "a")
        #expect(Self.started(&tracker) == [] && tracker.isIdle)
    }

    @Test(
        "some request is in progress as long as any waits, in random sequences",
        .tags(.random),
        arguments: ProofLength.seeds(10)
    )
    func neverStalls(seed: UInt64) {
        var random = SeededRandom(seed: seed &* 0x1234_5678_9ABC_DEF1 &+ 1)
        var tracker = Tracker(connectionLimit: Int.random(in: 1...3, using: &random))
        var open: [Int32] = []
        var followers: [Int] = []
        var opener: Int?
        var waiting: [Int: PriorKnowledge.Ticket] = [:]
        var served = 0
        func place(_ transfer: Int, _ admission: PriorKnowledge.Admission) {
            switch admission {
            case .start(.opener):
                #expect(opener == nil)
                opener = transfer
            case .start(.follower): followers.append(transfer)
            case .wait(let ticket): waiting[transfer] = ticket
            }
        }
        func settle() {
            while let (transfer, role) = tracker.next() {
                #expect(waiting.removeValue(forKey: transfer) != nil)
                place(transfer, .start(role))
            }
            #expect(waiting.isEmpty || opener != nil || !followers.isEmpty)
        }
        for step in 0..<400 {
            switch Int.random(in: 0..<7, using: &random) {
            case 0, 1: place(step, tracker.arrived(step, at: "a"))
            case 2:
                guard opener != nil else { break }
                tracker.didOpen(Int32(step), at: "a")
                tracker.opened(at: "a")
                open.append(Int32(step))
                if let transfer = opener { followers.append(transfer) }
                opener = nil
            case 3:
                guard opener != nil else { break }
                tracker.ended(.opener, at: "a")
                opener = nil
                served += 1
            case 4:
                guard let transfer = followers.popLast() else { break }
                // A transfer whose connection takes it ends; one that finds none is refused.
                if open.isEmpty || Bool.random(using: &random) {
                    place(transfer, tracker.refused(transfer, at: "a"))
                } else {
                    tracker.ended(.follower, at: "a")
                    served += 1
                }
            case 5: if let socket = open.popLast() { tracker.willClose(socket) }
            default:
                guard let (transfer, ticket) = waiting.first else { break }
                tracker.left(ticket, at: "a")
                waiting[transfer] = nil
                served += 1
            }
            settle()
        }
        // Everything can end, and then nothing is kept.
        while opener != nil || !followers.isEmpty {
            if opener != nil { tracker.ended(.opener, at: "a") } else { tracker.ended(.follower, at: "a") }
            if opener != nil { opener = nil } else { followers.removeLast() }
            served += 1
            settle()
        }
        for socket in open { tracker.willClose(socket) }
        settle()
        #expect(waiting.isEmpty && tracker.isIdle && served > 0)
    }
}
