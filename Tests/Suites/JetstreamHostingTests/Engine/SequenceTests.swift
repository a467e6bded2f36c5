import HeliumJSON
import Testing

@testable import JetstreamHosting

@Suite("Indexes, pings and resuming of Jetstream sessions")
struct SequenceTests {
    /// A change of the root's name.
    private func rename(_ name: String) -> String {
        #"[{"type":"change","uuid":"\#(id(1))","clsName":"Board","properties":{"name":"\#(name)"}}]"#
    }

    private func ping(_ ack: Int, _ resendMissing: Bool = false) -> String {
        #"{"type":"Ping","index":0,"ack":\#(ack),"resendMissing":\#(resendMissing)}"#
    }

    @Test("The server counts its messages from 1, across kinds")
    func counts() throws {
        var server = try TestEngine()
        server.session(1)
        server.send(1, #"{"type":"ScopeFetch","index":1,"name":"Board"}"#)
        let messages = server.take(1)
        #expect(messages.map { $0["type"] } == ["ScopeFetchReply", "ScopeState"])
        #expect(messages.map { $0["index"] } == [1, 2])
        #expect(messages[0]["replyTo"] == 1)
        #expect(messages[0]["scopeIndex"] == 0)
        server.send(1, #"{"type":"ScopeSync","index":2,"scopeIndex":0,"fragments":\#(rename("x"))}"#)
        let reply = server.only(1)
        #expect(reply["index"] == 3)
        #expect(reply["replyTo"] == 2)
        #expect(reply["fragmentReplies"] == [[:]])
    }

    @Test("A message with an old index is dropped without a reply, and any higher one is accepted")
    func oldIndexes() throws {
        var server = try TestEngine()
        server.join(1)
        #expect(server.sync(1, index: 10, rename("ten")).count == 1)
        #expect(server.sync(1, index: 5, rename("five")).isEmpty)
        #expect(server.sync(1, index: 10, rename("again")).isEmpty)
        #expect(server.object(id(1))?["properties", "name"] == "ten")
    }

    @Test("Messages of one frame are handled by their indexes")
    func sorts() throws {
        var server = try TestEngine()
        server.join(1)
        let syncs = [3, 2].map {
            #"{"type":"ScopeSync","index":\#($0),"scopeIndex":0,"fragments":\#(rename("name \($0)"))}"#
        }
        server.send(1, "[\(syncs.joined(separator: ","))]")
        #expect(server.take(1).map { $0["replyTo"] } == [2, 3])
        #expect(server.object(id(1))?["properties", "name"] == "name 3")
    }

    @Test(
        "A plain ping prunes retained messages, and one that asks for missing ones gets a ping and them"
    )
    func resends() throws {
        var server = try TestEngine()
        server.join(1)
        for index in 2...4 { server.sync(1, index: index, rename("\(index)")) }
        server.send(1, ping(3))
        #expect(server.take(1).isEmpty)
        let frames = server.frameCounts[1]
        server.send(1, ping(3, true))
        let messages = server.take(1)
        #expect(server.frameCounts[1] == frames.map { $0 + 1 })
        #expect(messages.map { $0["type"] } == ["Ping", "ScopeSyncReply", "ScopeSyncReply"])
        #expect(messages[0] == ["type": "Ping", "index": 0, "ack": 4, "resendMissing": true])
        #expect(messages.dropFirst().map { $0["index"] } == [4, 5])
        server.send(1, ping(5, true))
        #expect(server.only(1)["type"] == "Ping")
    }

    @Test("Many requests for missing messages in one frame get one response")
    func coalescesRequests() throws {
        var server = try TestEngine()
        server.join(1)
        server.send(1, "[\(Array(repeating: ping(0, true), count: 1000).joined(separator: ","))]")
        #expect(server.take(1).count == 3)
    }

    @Test("An acknowledgement beyond the last message is ignored")
    func ackBeyond() throws {
        var server = try TestEngine()
        server.join(1)
        server.send(1, ping(3, true))
        #expect(server.take(1).isEmpty)
        server.send(1, ping(0, true))
        #expect(server.take(1).count == 3)
    }

    @Test("Pings are sent every 9 to 11 seconds while there is a socket, with the client's highest index")
    func pings() throws {
        var server = try TestEngine()
        server.join(1)
        server.advance(8.99)
        #expect(server.take(1).isEmpty)
        server.advance(2.02)
        #expect(server.only(1) == ["type": "Ping", "index": 0, "ack": 1, "resendMissing": false])
        var times: [Duration] = []
        for _ in 0..<2000 {
            server.advance(0.1)
            if !server.take(1).isEmpty { times.append(server.now) }
            server.send(1, ping(0))
        }
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(gaps.count > 15)
        #expect(gaps.allSatisfy { (.milliseconds(8900) ... .milliseconds(11_100)).contains($0) })
        #expect(Set(gaps).count > 3)
        server.handle(.closed(1))
        server.advance(60)
        #expect(server.take(1).isEmpty)
    }

    @Test("A token resumes the session, and missed messages are sent when they are requested")
    func resumes() throws {
        var server = try TestEngine()
        let token = server.session(1)
        server.fetch(1)
        server.join(2)
        server.handle(.closed(1))
        server.sync(2, index: 2, rename("while away"))
        server.open(3, ["sessiontoken": .string(token)])
        #expect(server.take(3).isEmpty)
        server.send(3, ping(2, true))
        let messages = server.take(3)
        #expect(messages.map { $0["type"] } == ["Ping", "ScopeSync"])
        #expect(messages[1]["index"] == 3)
        server.sync(2, index: 3, rename("live"))
        #expect(server.only(3)["index"] == 4)
    }

    @Test("Messages that could not be sent are sent with the next one, in order")
    func sendsUnsent() throws {
        var server = try TestEngine()
        let token = server.session(1)
        server.fetch(1)
        server.join(2)
        server.handle(.closed(1))
        server.sync(2, index: 2, rename("a"))
        server.sync(2, index: 3, rename("b"))
        server.open(3, ["sessiontoken": .string(token)])
        server.sync(2, index: 4, rename("c"))
        #expect(server.take(3).map { $0["index"] } == [3, 4, 5])
    }

    @Test("A resume closes the old socket, whose end changes nothing")
    func closesOldSocket() throws {
        var server = try TestEngine()
        let token = server.session(1)
        server.fetch(1)
        server.open(2, ["sessiontoken": .string(token)])
        #expect(server.closes[1]?.code == 1000)
        server.send(1, ping(0, true))
        #expect(server.take(1).isEmpty)
        server.handle(.closed(1))
        server.send(2, ping(0, true))
        #expect(server.take(2).count == 3)
    }

    @Test("A socket that is served late does not take the session from a later one")
    func servedLate() throws {
        var server = try TestEngine()
        let token = server.session(1)
        server.fetch(1)
        server.open(3, ["sessiontoken": .string(token)])
        server.open(2, ["sessiontoken": .string(token)])
        #expect(server.closes[2]?.code == 1000 && server.closes[3] == nil)
        server.send(2, ping(0, true))
        server.handle(.closed(2))
        #expect(server.take(2).isEmpty)
        server.send(3, ping(0, true))
        #expect(server.take(3).count == 3)
    }

    @Test("The original leaves the old socket open, and its end silences the new one until another resume")
    func staleSocket() throws {
        var server = try TestEngine.original()
        let token = server.session(1)
        server.fetch(1)
        server.open(2, ["sessiontoken": .string(token)])
        #expect(server.closes.isEmpty)
        server.send(1, #"{"type":"ScopeSync","index":2,"scopeIndex":0,"fragments":\#(rename("old socket"))}"#)
        #expect(server.only(2)["replyTo"] == 2)
        server.handle(.closed(1))
        server.send(2, #"{"type":"ScopeSync","index":3,"scopeIndex":0,"fragments":\#(rename("still read"))}"#)
        server.send(2, ping(0, true))
        server.advance(30)
        #expect(server.take(2).isEmpty)
        #expect(server.object(id(1))?["properties", "name"] == "still read")
        server.open(3, ["sessiontoken": .string(token)])
        server.send(3, ping(0, true))
        #expect(server.take(3).count == 5)
    }

    @Test("A session that is silent for 600 seconds ends with 4097, and its token is unknown")
    func expires() throws {
        var server = try TestEngine()
        let token = server.session(1)
        server.advance(599)
        server.send(1, ping(0))
        server.advance(599)
        #expect(server.closes.isEmpty)
        server.advance(2)
        #expect(server.closes[1] == TestEngine.Close(code: 4097, reason: ""))
        server.open(2, ["sessiontoken": .string(token)])
        #expect(server.closes[2]?.type == "session-token-unrecognized")
        #expect(server.engine.sessionCount == 0)
    }

    @Test("A session that retains more than the limit ends")
    func retainsTooMuch() throws {
        var server = try TestEngine { $0.limits.retainedBytes = 20_000 }
        server.join(1)
        server.join(2)
        var index = 2
        while server.closes[2] == nil, index < 1000 {
            server.sync(1, index: index, rename(String(repeating: "x", count: 500)))
            server.send(1, ping(index + 1))
            index += 1
        }
        #expect((30...45).contains(index))
        #expect(server.closes[2]?.code == 4097)
        #expect(server.closes[1] == nil)
    }

    /// A change of objects that do not exist: each gets an error of about 100 bytes.
    private func missing(_ count: Int) -> String {
        let fragments = (0..<count).map {
            #"{"type":"change","uuid":"\#(id($0 + 100))","clsName":"Board","properties":{"name":"x"}}"#
        }
        return "[\(fragments.joined(separator: ","))]"
    }

    @Test("If all sessions together retain more than the limit, the one with the most ends")
    func retainTooMuchTogether() throws {
        var server = try TestEngine { $0.limits.retainedBytesOfAllSessions = 30_000 }
        for session in [1, 2, 3] { server.join(session) }
        var index = 2
        while server.closes.isEmpty, index < 1000 {
            for session in [1, 1, 1, 2, 3] {
                server.sync(session, index: index, missing(20))
                index += 1
            }
        }
        #expect(server.closes.mapValues(\.code) == [1: 4097])
        #expect(server.engine.sessionCount == 2 && server.engine.retainedTotal.bytes <= 22_500)
        // An acknowledgement makes room.
        let retained = server.engine.retainedTotal.bytes
        server.send(2, ping(3))
        #expect(server.engine.retainedTotal.bytes < retained)
        server.handle(.expireSessions)
        #expect(server.engine.retainedTotal.bytes == 0)
    }

    @Test("A state that several sessions retain counts once for all of them")
    func sharedStates() throws {
        var server = try TestEngine { $0.limits.retainedBytesOfAllSessions = 30_000 }
        _ = server.update([:], ["$set": ["name": .string(String(repeating: "x", count: 10_000))]])
        for session in 1...20 { server.join(session) }
        #expect(server.closes.isEmpty)
        #expect((10_000...20_000).contains(server.engine.retainedTotal.bytes))
        server.handle(.expireSessions)
        #expect(server.engine.retainedTotal.bytes == 0)
    }

    @Test("The bytes of a broadcast are kept once for all sessions")
    func sharesBytes() throws {
        var server = try TestEngine()
        for client in 1...50 { server.join(client) }
        server.sync(1, index: 2, rename(String(repeating: "x", count: 10_000)))
        let addresses = server.engine.sessions.values.compactMap { session in
            session.retained.all.first { $0.kind == .scopeSync }?.body.bytes.withUnsafeBufferPointer { $0.baseAddress }
        }
        #expect(addresses.count == 49)
        #expect(Set(addresses).count == 1)
    }

    @Test("A long resend is split into frames, but not by the original")
    func splitsResend() throws {
        for isOriginal in [false, true] {
            var server = try TestEngine { $0.hasOriginalRules = isOriginal }
            server.join(1)
            server.join(2)
            for index in 2...6 { server.sync(2, index: index, rename(String(repeating: "x", count: 400_000))) }
            _ = server.take(1)
            let frames = server.frameCounts[1] ?? 0
            server.send(1, ping(0, true))
            #expect(server.take(1).compactMap { $0["index"]?.intValue } == Array(0...7))
            #expect((server.frameCounts[1] ?? 0) - frames == (isOriginal ? 1 : 3))
        }
    }

    @Test("Messages that could not be sent are split into frames, but not by the original")
    func splitsUnsent() throws {
        for isOriginal in [false, true] {
            var server = try TestEngine { $0.hasOriginalRules = isOriginal }
            let token = server.session(1)
            server.fetch(1)
            server.join(2)
            server.handle(.closed(1))
            for index in 2...6 { server.sync(2, index: index, rename(String(repeating: "x", count: 400_000))) }
            server.open(3, ["sessiontoken": .string(token)])
            #expect(server.frameCounts[3] == nil)
            server.sync(2, index: 7, rename("last"))
            #expect(server.take(3).compactMap { $0["index"]?.intValue } == Array(3...8))
            #expect(server.frameCounts[3] == (isOriginal ? 1 : 3))
        }
    }

    @Test("The highest acknowledgement in a frame counts, and those beyond the last message do not")
    func highestAcknowledgement() throws {
        var server = try TestEngine { $0.isPersistent = true }
        server.join(1)
        server.join(2)
        for index in 2...6 { server.sync(2, index: index, rename("\(index)")) }
        _ = server.take(1)
        let pings = [0, 3, 5, 2, 900, 4].map { ping($0, $0 == 2 || $0 == 900) }
        let before = server.stored.count
        server.send(1, "[\(pings.joined(separator: ","))]")
        // One answer, to the request that may be; of the syncs, 6 and 7 are left.
        #expect(server.take(1).compactMap { $0["index"]?.intValue } == [0, 6, 7])
        let pruned = server.stored.dropFirst(before).compactMap { change in
            if case .prune(_, let index) = change { index } else { nil }
        }
        #expect(pruned == [5])
        #expect(server.engine.sessions.values.map(\.retained.count).sorted().first == 2)
    }

    @Test("Retained messages keep their order and their cost")
    func retained() {
        var (retained, expected, total) = (RetainedMessages(), [Int](), RetainedTotal())
        var last = 0
        for round in 1...200 {
            for _ in 0..<(round % 7) {
                last += 1
                var message = ServerMessage(.scopeSync, String(repeating: "x", count: last % 9))
                message.index = last
                retained.append(message)
                total.add(message)
                expected.append(last)
            }
            let ack = last - round % 11
            #expect(retained.remove(through: ack, from: &total) == (expected.first.map { $0 <= ack } ?? false))
            expected.removeAll { $0 <= ack }
            #expect(retained.all.map(\.index) == expected && retained.count == expected.count)
            #expect(retained.newest(2).map(\.index) == Array(expected.suffix(2)))
            #expect(retained.bytes == expected.reduce(0) { $0 + $1 % 9 + 64 })
            #expect(total.bytes == retained.bytes && retained.ownBytes == retained.bytes)
        }
    }

    @Test("A fetch is acknowledged and stored when it is decided, so that a restarted server gets it again")
    func undecidedFetch() throws {
        var server = try TestEngine {
            $0.questions = [.fetch]
            $0.isPersistent = true
        }
        func storedIndexes() -> [Int] {
            server.stored.compactMap { change in
                if case .counters(_, let client, _) = change { client } else { nil }
            }
        }
        server.session(1)
        server.send(1, #"{"type":"ScopeFetch","index":1,"name":"Board","params":{}}"#)
        server.advance(12)
        #expect(server.take(1).map { $0["ack"] } == [0])
        #expect(storedIndexes().allSatisfy { $0 == 0 })
        server.answer()
        #expect(server.take(1).map { $0["type"] } == ["ScopeFetchReply", "ScopeState"])
        server.advance(12)
        #expect(server.take(1).map { $0["ack"] } == [1])
        #expect(storedIndexes().last == 1)
    }
}
