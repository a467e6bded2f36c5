import Foundation
import HTTPTypes
import HeliumTesting
import Synchronization
import Testing

@testable import HeliumCore
@testable import HeliumKit

/// Every way in which a call can end on real connections, compared with what the server knows of it.
@Suite("Delivery states over the wire", .timeLimit(.minutes(5)))
struct DeliveryOverTheWireTests {
    @Test("every end of a call over sockets has the delivery state that the server saw")
    func table() async throws {
        let desk = FrontDesk(WireCase.all)
        try await FaultServer.run({ desk.actions(for: $0) }) { server in
            var wrong: [String] = []
            for interception in WireCase.Interception.allCases {
                let helium = try interception.client(of: server.url)
                let cases = WireCase.all.filter { $0.interception == interception }
                try await withThrowingTaskGroup(of: String?.self) { group in
                    // Few at a time: the server has a thread for each connection.
                    for (index, item) in cases.filter({ $0.end != .closing }).enumerated() {
                        if index >= 48, let flaw = try await group.next() { wrong += [flaw].compactMap(\.self) }
                        group.addTask { try await desk.flaw(of: item, on: helium) }
                    }
                    for try await flaw in group { wrong += [flaw].compactMap(\.self) }
                    // What the closing of the client ends comes last.
                    let closing = cases.filter { $0.end == .closing }
                    for item in closing { group.addTask { try await desk.flaw(of: item, on: helium) } }
                    for item in closing { await desk.waitForArrival(of: item) }
                    await helium.close()
                    for try await flaw in group { wrong += [flaw].compactMap(\.self) }
                }
            }
            #expect(WireCase.all.count > 300)
            #expect(wrong == [])
        }
    }

    @Test("a call that reaches no server was not sent", arguments: WireCase.Interception.allCases)
    func refused(interception: WireCase.Interception) async throws {
        try await FaultServer.withRefusingURL { url in
            let helium = try interception.client(of: url)
            for form in WireCase.Form.allCases {
                let delivery = try await helium.reportedDelivery(form, "/", .attempts(2))
                #expect(delivery == .notSent)
            }
            await helium.close()
        }
    }

    @Test(
        "a call that ends while an interceptor holds it was not sent",
        arguments: [WireCase.Interception.calls, .attempts]
    )
    func held(interception: WireCase.Interception) async throws {
        try await FaultServer.run({ _ in [.answer(500)] }) { server in
            for end in [WireCase.End.deadline, .cancellation, .closing] {
                for form in WireCase.Form.allCases {
                    let gate = MockTransport.Gate()
                    let holding = ClosureInterceptor { request, _, next in
                        try await gate.pass()
                        return try await next(request)
                    }
                    let helium = try interception.client(of: server.url, through: holding)
                    let limit: Duration = end == .deadline ? .milliseconds(50) : .seconds(60)
                    let delivery = try await helium.reportedDelivery(form, "/", .never, limit) { call in
                        guard end != .deadline else { return }
                        await gate.waitForArrivals()
                        if end == .cancellation { call.cancel() } else { await helium.close() }
                    }
                    #expect(delivery == .notSent, "\(end) \(form)")
                    await helium.close()
                }
            }
            #expect(server.receivedByteCount == 0)
        }
    }

    @Test("a partial upload may have been sent, however it ended", arguments: WireCase.Interception.allCases)
    func halfUpload(interception: WireCase.Interception) async throws {
        try await FaultServer.run({ _ in [.hang] }) { server in
            for end in [WireCase.End.deadline, .cancellation, .closing] {
                let helium = try interception.client(of: server.url)
                let before = server.receivedByteCount
                let (chunks, feed) = AsyncStream<Data>.makeStream()
                feed.yield(Data("half".utf8))
                let content = RequestContent.stream(length: 8, isReplayable: false) { chunks }
                let request = helium.post("/", body: content).timeout(
                    end == .deadline ? .milliseconds(300) : .seconds(60)
                )
                let prepared = try request.prepared(isStream: false)
                let call = Task { await helium.pipeline.reportedDelivery(of: prepared) }
                _ = await server.wait { $0.receivedByteCount > before }
                if end == .cancellation { call.cancel() }
                if end == .closing { await helium.close() }
                let delivery = await call.value
                // With a deadline the machine may be too slow to send anything.
                #expect(delivery == .maybeSent || end == .deadline && server.receivedByteCount == before, "\(end)")
                feed.finish()
                await helium.close()
            }
        }
    }

    @Test("closing ends an upload whose source does not open, and nothing was sent")
    func stuckSource() async throws {
        try await FaultServer.run({ _ in [.answer()] }) { server in
            let helium = try WireCase.Interception.plain.client(of: server.url)
            let gate = MockTransport.Gate()
            let body = UploadBody(length: 4, isReplayable: true) {
                // Deaf to cancellation, as somebody's source may be.
                await Task { try? await gate.pass() }.value
                throw CancellationError()
            }
            let prepared = try helium.post("/", body: .upload(body)).prepared(isStream: false)
            let call = Task { () -> HeliumError? in
                do throws(HeliumError) { _ = try await helium.pipeline.exchange(prepared) } catch { return error }
                return nil
            }
            await gate.waitForArrivals()
            await helium.close()
            let error = await call.value
            #expect(error?.kind == .clientClosed && error?.delivery == .notSent)
            gate.open()
        }
    }
}

/// One way in which a call can end on a real connection.
struct WireCase: Hashable, Sendable, CustomStringConvertible {
    enum Interception: String, CaseIterable, Sendable {
        case plain, calls, attempts, both

        func client(
            of url: String,
            through passing: ClosureInterceptor = ClosureInterceptor { request, _, next in try await next(request) }
        ) throws -> Helium {
            var options = ClientOptions()
            if [.calls, .both].contains(self) { options.interceptors = [passing] }
            if [.attempts, .both].contains(self) { options.attemptInterceptors = [passing] }
            options.retryBudget = RetryBudget(ratio: 1, reserve: 1000)
            return try Helium(baseURL: #require(URL(string: url)), options: options)
        }
    }

    enum Form: String, CaseIterable, Sendable { case collected, streamed, upload }

    /// The outcome of the first attempt, if the case is about the second.
    enum First: String, CaseIterable, Sendable { case none, lost, unavailable }

    enum End: String, CaseIterable, Sendable { case server, deadline, cancellation, closing }

    /// The server's reaction to the request.
    enum Fault: String, CaseIterable, Sendable {
        case silence, halfBodyThenSilence
        case closeBeforeHead, resetBeforeHead, closeInHead, closeInBody, failure, garbage, headerBomb, brokenChunk

        var actions: [FaultServer.Action] {
            // Statuses of failures, so that streamed calls fail too.
            let half = FaultServer.Action.send("HTTP/1.1 404 Not Found\r\nContent-Length: 8\r\n\r\nhalf")
            return switch self {
            case .silence: [.hang]
            case .halfBodyThenSilence: [half, .hang]
            case .closeBeforeHead: [.close]
            case .resetBeforeHead: [.reset]
            case .closeInHead: [.send("HTTP/1.1 404 Not Found\r\nContent-"), .close]
            case .closeInBody: [half, .close]
            case .failure: [.answer(500, body: "failed")]
            case .garbage: [.send("220 mail ready\r\n\r\n"), .close]
            case .headerBomb: [.headerBomb(count: 300, bytes: 1000)]
            case .brokenChunk:
                [.send("HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n"), .hang]
            }
        }

        /// The state that the client must know in any case. When it is stopped, it may not have seen anything of half a
        /// body yet.
        var leastKnown: DeliveryState {
            switch self {
            case .silence, .halfBodyThenSilence, .closeBeforeHead, .resetBeforeHead, .garbage: .maybeSent
            case .closeInHead, .closeInBody, .failure, .headerBomb, .brokenChunk: .answered
            }
        }

        /// The highest state that can be true.
        var mostKnown: DeliveryState {
            [.silence, .closeBeforeHead, .resetBeforeHead].contains(self) ? .maybeSent : .answered
        }
    }

    var fault: Fault
    var end: End
    var interception: Interception
    var first: First
    var form: Form

    var description: String { "\(fault) \(end) \(interception) first=\(first) \(form)" }

    static let all: [WireCase] = {
        var cases: [WireCase] = []
        for end in [End.deadline, .cancellation, .closing, .server] {
            for fault in Fault.allCases where [.silence, .halfBodyThenSilence].contains(fault) == (end != .server) {
                for interception in Interception.allCases {
                    for first in First.allCases {
                        for form in Form.allCases {
                            cases.append(
                                WireCase(fault: fault, end: end, interception: interception, first: first, form: form)
                            )
                        }
                    }
                }
            }
        }
        return cases
    }()

    var sawFirst: DeliveryState {
        switch first {
        case .none: .notSent
        case .lost: .maybeSent
        case .unavailable: .answered
        }
    }
}

/// The server's reactions and observations, by case.
private final class FrontDesk: Sendable {
    private let cases: [WireCase]
    private let numbers: [WireCase: Int]
    /// The number of times that each case's request has arrived.
    private let arrivals: Guarded<[Int]>
    private let streams: [AsyncStream<Void>]
    private let signals: [AsyncStream<Void>.Continuation]

    init(_ cases: [WireCase]) {
        self.cases = cases
        numbers = Dictionary(uniqueKeysWithValues: cases.enumerated().map { ($1, $0) })
        arrivals = Guarded(cases.map { _ in 0 })
        let pairs = cases.map { _ in AsyncStream<Void>.makeStream() }
        streams = pairs.map(\.stream)
        signals = pairs.map(\.continuation)
    }

    func actions(for request: FaultServer.ReceivedRequest) -> [FaultServer.Action] {
        guard let number = Int(request.path.dropFirst()), cases.indices.contains(number) else { return [.close] }
        let count = arrivals.withLock { arrivals in
            arrivals[number] += 1
            return arrivals[number]
        }
        let item = cases[number]
        if count == 1 {
            switch item.first {
            case .none: break
            case .lost: return [.close]
            case .unavailable: return [.answer(503, body: "busy")]
            }
        }
        signals[number].finish()
        return item.fault.actions
    }

    /// Waits until the attempt that the case is about has arrived.
    func waitForArrival(of item: WireCase) async {
        guard let number = numbers[item] else { return }
        for await _ in streams[number] {}
    }

    /// Makes the call of a case, and tells what its error gets wrong.
    func flaw(of item: WireCase, on helium: Helium) async throws -> String? {
        guard let number = numbers[item] else { return "\(item): unknown" }
        let retry = RetryPolicy.attempts(item.first == .none ? 1 : 2)
        let limit: Duration = item.end == .deadline ? .milliseconds(400) : .seconds(60)
        let reported = try await helium.reportedDelivery(item.form, "/\(number)", retry, limit) {
            guard item.end == .cancellation else { return }
            await self.waitForArrival(of: item)
            $0.cancel()
        }
        guard let reported else { return "\(item): no failure" }
        let count = arrivals.withLock { $0[number] }
        let isReached = count > (item.first == .none ? 0 : 1)
        let saw: DeliveryState = isReached ? item.fault.leastKnown : .notSent
        let least = count == 0 ? .notSent : max(item.sawFirst, saw)
        if reported < least { return "\(item): \(reported), the server saw \(least)" }
        if isReached, reported > max(item.sawFirst, item.fault.mostKnown) { return "\(item): \(reported) is too much" }
        // A deadline may pass before a slow machine has come that far.
        if !isReached, item.end != .deadline { return "\(item): did not get where it should" }
        return nil
    }
}

extension Helium {
    /// Returns the delivery state that the failure of a call reports; `nil` if the call does not fail.
    fileprivate func reportedDelivery(
        _ form: WireCase.Form,
        _ path: String,
        _ retry: RetryPolicy,
        _ limit: Duration = .seconds(60),
        meanwhile act: @Sendable (Task<DeliveryState?, Never>) async -> Void = { _ in }
    ) async throws -> DeliveryState? {
        var policy = retry
        policy.baseDelay = .zero
        let content: RequestContent? =
            form == .upload
            ? .stream(length: 4, isReplayable: true) {
                AsyncStream { feed in
                    feed.yield(Data("body".utf8))
                    feed.finish()
                }
            } : nil
        let prepared = try post(path, body: content).retry(policy).retryable().timeout(limit)
            .prepared(isStream: form == .streamed)
        let call = Task { await pipeline.reportedDelivery(of: prepared) }
        await act(call)
        return await call.value
    }
}

extension Pipeline {
    fileprivate func reportedDelivery(of prepared: PreparedRequest) async -> DeliveryState? {
        do throws(HeliumError) {
            _ = try await exchange(prepared)
            return nil
        } catch {
            return error.delivery
        }
    }
}
