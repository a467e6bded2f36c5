import Foundation
import HTTPTypes
import HeliumCore

@testable import HeliumCurl

/// A call of the transport: its request, its caller, and its outcome.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class WireCall: @unchecked Sendable {
    enum Body {
        case none, memory
        /// A stream of known or unknown length, which can perhaps be read again.
        case stream(isKnown: Bool, isReplayable: Bool)
    }

    enum Outcome {
        case response(ResponseHead, Data)
        case failure(TransportFailure)
        /// A failure after the head has arrived.
        case brokenStream(ResponseHead, Data, any Error)
    }

    let number: Int
    let host: WireHost
    let method: HTTPRequest.Method
    let body: Body
    let uploadLength: Int
    let isStreamed: Bool
    let timeouts: PhaseTimeouts
    let request: TransportRequest
    let readsSlowly: Bool
    private unowned let world: WireWorld

    private var task: Task<Void, Never>?
    private(set) var isOpen = false
    private(set) var isCancelled = false
    private(set) var begin: UInt64 = 0
    private(set) var end: UInt64 = 0
    private(set) var ends = 0
    private(set) var outcome: Outcome?
    /// The number of streams that servers have refused because of their limits of streams.
    var refusals = 0
    /// The longest time that the consumer of a stream waited for a part of it.
    private var longestWait: (from: UInt64, to: UInt64) = (0, 0)
    /// Whether the source of the request's body fails.
    let hasFailingSource: Bool

    init(_ number: Int, host: WireHost, world: WireWorld, isCalm: Bool) throws {
        let dice = world.dice
        self.number = number
        self.host = host
        self.world = world
        method = dice.pick([.get, .get, .get, .post, .post, .put, .head])
        let hasBody = method == .post || method == .put
        if hasBody, dice.oneIn(3) {
            body = .stream(isKnown: dice.oneIn(2), isReplayable: dice.oneIn(2))
        } else {
            body = hasBody && !dice.oneIn(6) ? .memory : .none
        }
        if case .none = body { uploadLength = 0 } else { uploadLength = dice.bodySize() }
        if case .stream = body { hasFailingSource = !isCalm && dice.oneIn(8) } else { hasFailingSource = false }
        isStreamed = dice.oneIn(3)
        readsSlowly = isStreamed && dice.oneIn(2)
        timeouts = Self.timeouts(isCalm: isCalm, body: body, dice: dice)
        var fields: HTTPFields = [:]
        if let name = HTTPField.Name("X-Call") { fields[name] = "\(number)" }
        if hasBody, dice.oneIn(4) { fields[.expect] = "100-continue" }
        var version = HTTPVersionPolicy.automatic
        if host.scheme == .priorKnowledge { version = .http2PriorKnowledge } else if dice.oneIn(8) { version = .http1 }
        var request = TransportRequest(
            method: method,
            url: try RequestURL("\(host.url)/call/\(number)"),
            fields: fields,
            timeouts: timeouts,
            responseBody: isStreamed ? .stream : .collect(upTo: 1 << 24),
            version: version
        )
        switch body {
        case .none: break
        case .memory: request.body = Data(WireContent.bytes(.request, of: number, 0..<uploadLength))
        case .stream(let isKnown, let isReplayable):
            let (world, length, fails) = (world, uploadLength, hasFailingSource)
            request.upload = UploadBody(length: isKnown ? Int64(length) : nil, isReplayable: isReplayable) {
                WireSource(number, length: length, fails: fails, world)
            }
        }
        self.request = request
    }

    private static func timeouts(isCalm: Bool, body: Body, dice: WireDice) -> PhaseTimeouts {
        var timeouts = PhaseTimeouts()
        guard !isCalm else {
            (timeouts.queue, timeouts.connect, timeouts.firstByte, timeouts.idle, timeouts.total) =
                (.seconds(600), .seconds(600), .seconds(600), .seconds(600), .seconds(600))
            if case .stream = body { timeouts.total = nil }
            return timeouts
        }
        timeouts.queue = .milliseconds(500 + dice.below(15_000))
        timeouts.connect = .milliseconds(500 + dice.below(8_000))
        timeouts.firstByte = .milliseconds(500 + dice.below(15_000))
        timeouts.idle = .milliseconds(500 + dice.below(8_000))
        timeouts.total = .milliseconds(1_000 + dice.below(40_000))
        // The limit of a body that is opened is measured by the system's clock.
        if case .stream = body { timeouts.total = nil }
        return timeouts
    }

    /// The number in the path of a call.
    static func number(ofTarget target: String) -> Int? {
        target.hasPrefix("/call/") ? Int(target.dropFirst(6)) : nil
    }
}

// MARK: The caller

extension WireCall {
    func start() {
        guard !isOpen, ends == 0, let transport = world.transport else { return }
        isOpen = true
        begin = world.now
        world.noteCalls()
        world.note("call \(number) begins: \(method) \(host.name)\(isStreamed ? ", streamed" : "")")
        // After the end of the loop, its tasks go to threads that a simulation does not have.
        let executor = world.mayEndEarly || !world.dice.oneIn(4) ? nil : transport.taskExecutor
        if executor != nil { world.count("caller on the loop") }
        task = Task(executorPreference: executor) { [self] in await run(on: transport) }
    }

    func cancel() {
        guard isOpen else { return }
        world.note("call \(number) is cancelled")
        isCancelled = true
        task?.cancel()
    }

    private func run(on transport: CurlTransport) async {
        let outcome: Outcome
        do {
            let response = try await transport.execute(request)
            switch response.body {
            case .collected(let data): outcome = .response(response.head, data)
            case .stream(let stream): outcome = await read(stream, response.head)
            }
        } catch {
            outcome = .failure(error)
        }
        finish(outcome)
    }

    private func read(_ stream: BodyStream, _ head: ResponseHead) async -> Outcome {
        var data = Data()
        var iterator = stream.makeAsyncIterator()
        do {
            while true {
                if readsSlowly { await world.pause(WireTime.milliseconds(1 + world.dice.below(3_000))) }
                let start = world.now
                let part = try await iterator.next()
                if world.now - start > longestWait.to - longestWait.from { longestWait = (start, world.now) }
                guard let part else { return .response(head, data) }
                data.append(part)
            }
        } catch {
            return .brokenStream(head, data, error)
        }
    }

    private func finish(_ outcome: Outcome) {
        ends += 1
        isOpen = false
        end = world.now
        self.outcome = outcome
        task = nil
        world.note("call \(number) ends: \(outcome)")
    }
}

extension WireCall.Outcome: CustomStringConvertible {
    var description: String {
        switch self {
        case .response(let head, let data): "\(head.status), \(data.count) bytes"
        case .failure(let failure):
            "\(failure.kind) \(failure.delivery) \(failure.phase.map { "\($0)" } ?? "") \(failure.message)"
        case .brokenStream(_, let data, let error): "broken after \(data.count) bytes: \(error)"
        }
    }
}

// MARK: Rules

extension WireCall {
    private static let slack: UInt64 = 5_000_000

    /// Checks the outcome by what the servers have seen.
    func check(isCalm: Bool) {
        world.expect(ends == 1, "call \(number) has ended \(ends) times")
        guard let outcome else { return }
        let attempts = world.attempts.filter { $0.call == number }
        let processed = attempts.filter { !$0.isRefused }
        world.expect(processed.count <= 1, "call \(number) was processed \(processed.count) times")
        if attempts.count > processed.count, attempts.count > 1 { world.count("sent again") }
        checkTime()
        switch outcome {
        case .response(let head, let data):
            world.count("succeeded")
            checkResponse(head, data, attempts, isWhole: true)
        case .brokenStream(let head, let data, let error):
            world.count("broken stream")
            checkResponse(head, data, attempts, isWhole: false)
            let kind = (error as? TransportFailure)?.kind
            if error is CancellationError || kind == .cancelled { checkCancelled() }
        case .failure(let failure): check(failure, attempts, processed)
        }
        guard isCalm, !isCancelled else { return }
        let mayFail = mayFailCalmly(outcome, refusals: refusals + attempts.count - processed.count)
        world.expect(mayFail, "call \(number) fails: \(outcome)")
    }

    /// Whether well-behaved servers and long limits can lead to an outcome.
    private func mayFailCalmly(_ outcome: Outcome, refusals: Int) -> Bool {
        switch outcome {
        case .response: return true
        case .brokenStream: return false
        case .failure(let failure):
            // Servers have refused it again and again. Those that a server forgot with its connection are not counted.
            if failure.delivery == .notSent, refusals > Repetitions.limit / 2 { return true }
            // The server has refused a request whose body can't be had again.
            if case .stream(_, isReplayable: false) = body { return failure.delivery == .notSent }
            return false
        }
    }

    private func checkResponse(_ head: ResponseHead, _ data: Data, _ attempts: [WireAttempt], isWhole: Bool) {
        let name = HTTPField.Name("X-Call").flatMap { head[$0] }
        world.expect(name == "\(number)", "call \(number) has the response of call \(name ?? "none")")
        world.expect(
            WireContent.match(data, .response, of: number, at: 0),
            "call \(number) has other bytes in its response"
        )
        guard isWhole else { return }
        let isKnown = attempts.contains { $0.isWhole && $0.status == head.status && $0.length == data.count }
        world.expect(isKnown, "call \(number) has \(data.count) bytes of a response that its server has not completed")
    }

    private func check(_ failure: TransportFailure, _ attempts: [WireAttempt], _ processed: [WireAttempt]) {
        world.count("\(failure.kind.rawValue)")
        world.count("\(failure.delivery)")
        switch failure.delivery {
        case .notSent: world.expect(processed.isEmpty, "call \(number) was seen and is notSent: \(failure.message)")
        case .answered:
            let hasResponded = attempts.contains { $0.hasResponded }
            world.expect(hasResponded, "call \(number) was not answered and is answered: \(failure.message)")
        case .maybeSent:
            let wasWritten = host.lastWrite.map { $0 >= begin } ?? false
            world.expect(wasWritten, "nothing was written since call \(number), which is maybeSent: \(failure.message)")
        }
        switch failure.kind {
        case .cancelled: checkCancelled()
        case .clientClosed: world.expect(world.hasEarlyEnd, "call \(number) fails because of the end")
        case .requestBodyFailed: world.expect(hasFailingSource, "call \(number) has lost its body")
        case .timedOut: checkTimeOut(failure)
        default: break
        }
    }

    private func checkCancelled() {
        world.expect(isCancelled, "call \(number) is cancelled by nobody")
    }

    /// A limit has passed, and not much more.
    private func checkTimeOut(_ failure: TransportFailure) {
        let limit =
            switch failure.phase {
            case .queue: timeouts.queue
            case .connect: timeouts.connect
            case .firstByte: timeouts.firstByte
            case .idle: timeouts.idle
            default: timeouts.total
            }
        let nanoseconds = LoopTurn.nanoseconds(limit)
        let time = end - begin
        world.expect(time >= nanoseconds, "call \(number) is out of time after \(time) ns: \(failure.message)")
    }

    private func checkTime() {
        if let total = timeouts.total, !isStreamed {
            // The loop may have got the call only after the suspension.
            let start = begin < world.resumption && world.resumption <= end ? world.resumption : begin
            let deadline = start + LoopTurn.nanoseconds(total)
            world.expect(end <= deadline + Self.slack, "call \(number) ends \(end - min(end, deadline)) ns too late")
        }
        guard case .none = body else { return }
        let limit = LoopTurn.nanoseconds(timeouts.idle) + Self.slack
        let isInTime = longestWait.to <= max(longestWait.from + limit, world.resumption + Self.slack)
        world.expect(isInTime, "call \(number) waits \(longestWait.to - longestWait.from) ns for a part of its stream")
    }
}

// MARK: Uploads

/// The source of a request's body, which has its bytes at times of its own.
///
/// `@unchecked Sendable`: a simulation has one thread.
private final class WireSource: UploadSource, @unchecked Sendable {
    private let call: Int
    private let length: Int
    private let failure: Int?
    private let world: WireWorld
    private var position = 0

    init(_ call: Int, length: Int, fails: Bool, _ world: WireWorld) {
        self.call = call
        self.length = length
        self.world = world
        failure = fails ? world.dice.below(length + 1) : nil
    }

    func next() async throws -> Data? {
        if world.dice.oneIn(2) { await world.pause(world.dice.delay()) }
        if let failure, position >= failure { throw UploadFailure("the simulated source has failed") }
        guard position < length else { return nil }
        let end = position + world.dice.piece(of: length - position)
        defer { position = end }
        return Data(WireContent.bytes(.request, of: call, position..<end))
    }

    func cancel() {}
}
