#if HTTP2
    import Foundation
    import HTTPTypes
    import HeliumCore
    import HeliumWire
    import Testing
    import WireSupport

    @testable import HeliumCurl

    @Suite("Silent connections of HTTP/2", .timeLimit(.minutes(1)))
    struct HTTP2SilenceTests {
        private static let second: UInt64 = 1_000_000_000
        /// The answer to a PING (RFC 9113 §6.7).
        private static let pong = HTTP2Peer.frame(6, flags: 1, payload: Array(repeating: 0, count: 8))

        /// A connection with a call whose response has begun.
        private struct Quiet {
            let driver = ScriptedDriver()
            let loop: TransferLoop
            let call: TransferSlot

            init(_ configuration: CurlTransport.Configuration = .init()) throws {
                loop = TransferLoop(configuration: configuration, driver: driver)
                call = try HTTP2Script.posts(1, loop)[0]
            }

            /// The lines' numbers of requests.
            var requestCounts: [Int] { driver.lines.map { HTTP2Script.requestCount($0.written) } }

            var pingCount: Int { HTTP2Script.frameCount(6, driver.lines[0].written) }

            func prepare(_ change: (inout TransportRequest) -> Void = { _ in }) throws -> TransferSlot {
                try loop.call(.post) {
                    $0.version = .http2PriorKnowledge
                    change(&$0)
                }
            }

            func receive(_ bytes: [UInt8]) {
                driver.lines[0].input = bytes
                driver.answer(0, "")
            }

            /// Takes one step in each turn, and ends the loop.
            func run(_ steps: [() -> Void]) {
                let begin: [() -> Void] = [
                    {}, { driver.open(0) },
                    { receive(HTTP2Script.settings(streams: 100) + HTTP2Peer.head(1, status: 200)) },
                ]
                driver.steps = begin + steps + [{ loop.abandon() }]
                call.worker.run()
            }
        }

        @Test(
            "a connection with a quiet call gets another one after silence only if its peer answers a PING",
            arguments: [true, false]
        )
        func quietCall(isAnswered: Bool) throws {
            let quiet = try Quiet()
            let others = try (0..<2).map { _ in try quiet.prepare() }
            var counts: [Int] = []
            quiet.run([
                {
                    // Not yet silent.
                    quiet.driver.now += 9 * Self.second
                    quiet.loop.submit(others[0])
                },
                {
                    counts.append(quiet.requestCounts[0])
                    quiet.receive(HTTP2Peer.head(3, status: 200, isLast: true))
                },
                {
                    quiet.driver.now += 11 * Self.second
                    quiet.loop.submit(others[1])
                },
                {
                    counts += [quiet.requestCounts[0], quiet.pingCount]
                    if isAnswered { quiet.receive(Self.pong) } else { quiet.driver.now += 4 * Self.second }
                },
                { quiet.driver.open(1) },
                {
                    counts.append(quiet.requestCounts[0])
                    quiet.receive(HTTP2Script.content(1))
                },
            ])
            #expect(others[0].isComplete)
            #expect(counts == [2, 2, 1, isAnswered ? 3 : 2])
            #expect(quiet.requestCounts == (isAnswered ? [3] : [2, 1]))
            #expect(quiet.call.isComplete, "the quiet call goes on")
        }

        @Test(
            "a PING that stays unanswered moves all calls that wait for the answer, also after the first was cancelled"
        )
        func cancelledAtPing() throws {
            let quiet = try Quiet()
            let others = try (0..<4).map { _ in try quiet.prepare() }
            quiet.run([
                {
                    quiet.driver.now += 11 * Self.second
                    quiet.loop.submit(others[0])
                },
                {
                    quiet.driver.now += Self.second
                    quiet.loop.cancel(others[0], others[0].generation)
                },
                { for call in others[1...2] { quiet.loop.submit(call) } },
                { quiet.driver.now += 2 * Self.second },
                { quiet.driver.open(1) },
                { quiet.loop.submit(others[3]) },
                {
                    #expect(quiet.requestCounts == [1, 3])
                    quiet.receive(HTTP2Script.content(1))
                },
            ])
            #expect(quiet.call.isComplete)
        }

        @Test(
            "bodies on their way to the server delay the PING, and other requests do not",
            arguments: [(true, 3, 0), (false, 2, 1)]
        )
        func otherRequests(haveBody: Bool, requestCount: Int, pingCount: Int) throws {
            let quiet = try Quiet()
            let others = try (0..<2).map { _ in
                try quiet.prepare { if haveBody { $0.body = Data(count: 100) } }
            }
            quiet.run([
                {
                    quiet.driver.now += 6 * Self.second
                    quiet.loop.submit(others[0])
                },
                {
                    quiet.driver.now += 6 * Self.second
                    quiet.loop.submit(others[1])
                },
                { #expect(quiet.requestCounts == [requestCount] && quiet.pingCount == pingCount) },
            ])
        }

        @Test("calls that are cancelled while a PING waits for its answer send no others")
        func manyCancelled() throws {
            let quiet = try Quiet()
            let others = try (0..<20).map { _ in try quiet.prepare() }
            var steps: [() -> Void] = [{ quiet.driver.now += 11 * Self.second }]
            for call in others {
                steps.append { quiet.loop.submit(call) }
                steps.append { quiet.loop.cancel(call, call.generation) }
            }
            quiet.run(steps + [{ #expect(quiet.requestCounts == [1] && quiet.pingCount == 1) }])
            #expect(others.allSatisfy { $0.failure?.kind == .cancelled && $0.delivery == .notSent })
        }

        @Test("an idle connection that does not answer a PING is closed, also after the call that asked was cancelled")
        func idle() throws {
            let quiet = try Quiet()
            let other = try quiet.prepare()
            quiet.run([
                { quiet.receive(HTTP2Script.content(1)) },
                {
                    quiet.driver.now += 11 * Self.second
                    quiet.loop.submit(other)
                },
                { quiet.loop.cancel(other, other.generation) },
                {
                    #expect(quiet.pingCount == 1 && !quiet.driver.lines[0].isClosed)
                    quiet.driver.now += 4 * Self.second
                },
                { #expect(quiet.driver.lines[0].isClosed) },
            ])
        }

        @Test(
            "where no other connection may be made, calls wait for the answer to a PING until their own limits",
            arguments: [true, false]
        )
        func ceiling(isAnswered: Bool) throws {
            var configuration = CurlTransport.Configuration()
            configuration.maximumConnectionsPerHost = 1
            let quiet = try Quiet(configuration)
            let others = try (0..<2).map { _ in try quiet.prepare { $0.timeouts.firstByte = .seconds(20) } }
            quiet.run([
                {
                    quiet.driver.now += 11 * Self.second
                    quiet.loop.submit(others[0])
                },
                { quiet.driver.now += 4 * Self.second },
                { quiet.loop.submit(others[1]) },
                { #expect(quiet.requestCounts == [1]) },
                { if isAnswered { quiet.receive(Self.pong) } else { quiet.driver.now += 21 * Self.second } },
                {},
                { #expect(quiet.requestCounts == [isAnswered ? 3 : 1]) },
            ])
            if !isAnswered { #expect(others.allSatisfy { $0.failure?.kind == .timedOut && $0.delivery == .notSent }) }
        }

        @Test("a silent connection takes calls again when a byte arrives, also after a call has timed out meanwhile")
        func comesBack() throws {
            var configuration = CurlTransport.Configuration()
            configuration.maximumConnectionsPerHost = 1
            let quiet = try Quiet(configuration)
            let others = try (0..<3).map { _ in try quiet.prepare { $0.timeouts.queue = .seconds(5) } }
            quiet.run([
                {
                    quiet.driver.now += 11 * Self.second
                    quiet.loop.submit(others[0])
                },
                { quiet.driver.now += 4 * Self.second },
                { quiet.driver.now += 6 * Self.second },
                {},
                {
                    #expect(others[0].failure?.kind == .timedOut && others[0].delivery == .notSent)
                    quiet.receive(HTTP2Script.settings(streams: 2))
                },
                { for call in others[1...2] { quiet.loop.submit(call) } },
                {},
                { #expect(quiet.requestCounts == [2], "the new limit on streams holds") },
                { quiet.receive(HTTP2Script.content(1)) },
                {},
                { #expect(quiet.requestCounts == [3]) },
            ])
        }

        @Test("each PING has its time limit, also if the loop stood still since the one before")
        func standstill() throws {
            let quiet = try Quiet()
            let others = try (0..<2).map { _ in try quiet.prepare() }
            quiet.run([
                {
                    quiet.driver.now += 11 * Self.second
                    quiet.loop.submit(others[0])
                },
                { quiet.receive(Self.pong) },
                {
                    quiet.driver.now += 11 * Self.second
                    quiet.loop.submit(others[1])
                },
                { quiet.driver.now += 4 * Self.second },
                {},
                { quiet.driver.open(1) },
                {},
                { #expect(quiet.requestCounts == [2, 1]) },
            ])
        }

        @Test("calls that wait for the answer to a PING move to a connection that may be made later")
        func later() throws {
            var configuration = CurlTransport.Configuration()
            configuration.maximumConnections = 2
            let quiet = try Quiet(configuration)
            let other = try quiet.prepare()
            let elsewhere = try quiet.loop.call(.post) { request in
                request.version = .http2PriorKnowledge
                if let url = try? RequestURL("http://127.0.0.1:10/") { request.url = url }
            }
            quiet.run([
                { quiet.loop.submit(elsewhere) },
                { quiet.driver.open(1) },
                {
                    quiet.driver.now += 11 * Self.second
                    quiet.loop.submit(other)
                },
                { quiet.driver.now += 4 * Self.second },
                {
                    #expect(quiet.driver.lines.count == 2)
                    quiet.loop.cancel(elsewhere, elsewhere.generation)
                    quiet.driver.lines[1].hasEnded = true
                    quiet.driver.answer(1, "")
                },
                { quiet.driver.now += 4 * Self.second },
                {},
                { quiet.driver.open(2) },
                {},
                { #expect(quiet.requestCounts == [1, 1, 1]) },
            ])
        }
    }
#endif
