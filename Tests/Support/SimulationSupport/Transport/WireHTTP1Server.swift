/// A server of HTTP/1.1 on a simulated connection: one request after the other, treated well or badly.
final class WireHTTP1Server: WireServer {
    private enum State { case head, body, answering, over }

    /// The body of a request as its head announces it.
    private enum Framing {
        case length(Int)
        case chunkSize
        case chunk(Int)
        case complete
    }

    private unowned let line: WireLine
    private unowned let world: WireWorld
    private var dice: WireDice { world.dice }
    private var host: WireHost { line.host }

    private var state = State.head
    private var buffer: [UInt8] = []
    private var attempt: WireAttempt?
    private var isHead = false
    private var framing = Framing.complete
    private var bodyCount = 0
    private var hasAnswered = false
    private var plan = WirePlan.answer
    /// The number of requests so far, by which actions of the past are recognized.
    private var requestCount = 0
    /// Whether bytes were sent that belong to no response, so that the connection must not be used again.
    private var hasSentJunk = false

    init(_ line: WireLine, _ world: WireWorld) {
        self.line = line
        self.world = world
        if host.malice > 0 { idle() }
    }

    func clientEnded() { state = .over }

    func disturb() {
        guard state == .head, buffer.isEmpty, attempt == nil, requestCount > 0, !line.isMoving else { return }
        if dice.oneIn(2) {
            let response = "HTTP/1.1 200 OK\r\nX-Call: junk\r\nContent-Length: 4\r\n\r\njunk"
            if line.inject(Array(response.utf8)) { hasSentJunk = true }
        } else {
            state = .over
            line.finishNow(reset: dice.oneIn(3))
        }
        world.count("idle connection disturbed")
    }

    func receive(_ bytes: [UInt8]) {
        guard state != .over else { return }
        buffer.append(contentsOf: bytes)
        while state != .over, step() {}
    }

    /// Handles what can be handled. Returns whether there may be more.
    private func step() -> Bool {
        switch state {
        case .over: return false
        case .answering:
            world.expect(buffer.isEmpty, "line \(line.number) has bytes before the response is complete")
            buffer = []
            return false
        case .head: return readHead()
        case .body: return readBody()
        }
    }
}

// MARK: Requests

extension WireHTTP1Server {
    private func readHead() -> Bool {
        guard !buffer.isEmpty else { return false }
        let attempt: WireAttempt
        if let known = self.attempt {
            attempt = known
        } else {
            attempt = WireAttempt(call: line.lastWriter ?? -1, line: line.number)
            world.begin(attempt)
            self.attempt = attempt
            requestCount += 1
            world.expect(!hasSentJunk, "call \(attempt.call) is sent after bytes without a request")
            plan = WirePlan.pick(dice, malice: host.malice)
            hasAnswered = false
        }
        if plan == .endAmidHead { return end(isReset: dice.oneIn(2)) }
        guard let end = firstRange(of: [13, 10, 13, 10]) else { return false }
        let head = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end + 4)
        let lines = head.split(separator: "\r\n")
        let words = lines[0].split(separator: " ")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields[line[..<colon].lowercased()] = String(value)
        }
        let number = words.count == 3 ? WireCall.number(ofTarget: String(words[1])) : nil
        world.expect(
            number == attempt.call,
            "line \(line.number) has a head of call \(number ?? -1), not \(attempt.call)"
        )
        world.expect(fields["x-call"] == "\(attempt.call)", "call \(attempt.call) has the field of another one")
        world.expect(fields["host"] == host.name, "call \(attempt.call) has come to \(host.name)")
        world.note("line \(line.number) gets \(words.first ?? "") of call \(attempt.call), \(plan)")
        isHead = words.first == "HEAD"
        bodyCount = 0
        if fields["transfer-encoding"] == "chunked" {
            framing = .chunkSize
        } else {
            let length = fields["content-length"].flatMap { Int($0) } ?? 0
            framing = length > 0 ? .length(length) : .complete
        }
        state = .body
        if plan == .endAfterHead { return self.end(isReset: dice.oneIn(2)) }
        if fields["expect"] == "100-continue", !isBodyComplete { expect() }
        if plan == .answerEarly, !isBodyComplete { answerLater() }
        return true
    }

    private var isBodyComplete: Bool { if case .complete = framing { true } else { false } }

    /// Answers a request that waits before its body.
    private func expect() {
        let number = requestCount
        switch dice.below(8) {
        case 0: world.count("expectation ignored")
        case 1:
            world.count("417")
            world.after(dice.latency()) { [self] in
                guard requestCount == number, state == .body, !hasAnswered else { return }
                plan = .refuseExpectation
                answer()
            }
        default:
            world.after(dice.delay()) { [self] in
                guard requestCount == number, state == .body, !hasAnswered else { return }
                world.count("100")
                attempt?.hasResponded = true
                line.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
            }
        }
    }

    private func readBody() -> Bool {
        switch framing {
        case .complete:
            requestEnded()
            return true
        case .length(let missing):
            let count = min(missing, buffer.count)
            guard take(count) else { return false }
            framing = count == missing ? .complete : .length(missing - count)
            return true
        case .chunkSize:
            guard let end = firstRange(of: [13, 10]) else { return false }
            guard let size = Int(String(decoding: buffer[..<end], as: UTF8.self), radix: 16) else {
                world.expect(false, "call \(attempt?.call ?? -1) has an invalid chunk")
                return self.end(isReset: true)
            }
            if size == 0 {
                guard buffer.count >= end + 4 else { return false }
                buffer.removeFirst(end + 4)
                framing = .complete
            } else {
                buffer.removeFirst(end + 2)
                framing = .chunk(size)
            }
            return true
        case .chunk(let missing):
            let count = min(missing, buffer.count)
            if count < missing {
                guard take(count) else { return false }
                framing = .chunk(missing - count)
                return true
            }
            guard buffer.count >= missing + 2 else { return false }
            _ = take(missing)
            buffer.removeFirst(2)
            framing = .chunkSize
            return true
        }
    }

    /// Takes bytes of the request's body. Returns `false` if there are none.
    private func take(_ count: Int) -> Bool {
        guard count > 0, let attempt else { return false }
        let isOwn = WireContent.match(buffer[..<count], .request, of: attempt.call, at: bodyCount)
        world.expect(isOwn, "call \(attempt.call) has other bytes in its body")
        buffer.removeFirst(count)
        bodyCount += count
        return true
    }

    private func requestEnded() {
        if let attempt {
            let length = world.calls[attempt.call].uploadLength
            world.expect(bodyCount == length, "call \(attempt.call) has \(bodyCount) bytes, not \(length)")
        }
        guard !hasAnswered else { return becomeIdle() }
        state = .answering
        if plan == .endAfterRequest {
            _ = end(isReset: dice.oneIn(2))
        } else if plan == .answerEarly {
            // It is on its way.
        } else {
            answerLater()
        }
    }

    private func firstRange(of pattern: [UInt8]) -> Int? {
        guard buffer.count >= pattern.count else { return nil }
        return (0...buffer.count - pattern.count).first { buffer[$0..<$0 + pattern.count].elementsEqual(pattern) }
    }
}

// MARK: Responses

extension WireHTTP1Server {
    private func answerLater() {
        if plan == .silence { return world.count("silence") }
        let number = requestCount
        world.after(dice.delay()) { [self] in
            guard requestCount == number, state != .over, state != .head, !hasAnswered else { return }
            answer()
        }
    }

    private func answer() {
        guard let attempt else { return }
        hasAnswered = true
        attempt.hasResponded = true
        var response = WireResponse(attempt, of: world.calls[attempt.call], isHead: isHead, plan: plan, dice: dice)
        response.announcesEnd = response.announcesEnd || (plan == .refuseExpectation && dice.oneIn(2))
        if response.isOpenEnded || response.announcesEnd { world.count("connection: close") }
        if response.coding.name != nil { world.count("content coding") }
        let bytes = response.bytes
        switch plan {
        case .cut:
            let isReset = response.isOpenEnded || dice.oneIn(2)
            line.send(Array(bytes[..<dice.below(bytes.count)]))
            world.count("cut response")
            _ = end(isReset: isReset, keepsBytes: true)
            return
        case .malformed:
            line.send(Array("HTTP/1.1 2x0 OK\r\nContent-Length: nothing\r\n\r\n".utf8))
            world.count("malformed response")
            _ = end(isReset: false)
            return
        case .junk where !response.isOpenEnded:
            world.count("bytes after a response")
            hasSentJunk = true
            line.send(bytes, junk: Array("HTTP/1.1 200 OK\r\nX-Call: junk\r\nContent-Length: 0\r\n\r\n".utf8))
        case .slow: return drip(bytes, response)
        default: line.send(bytes)
        }
        complete(response)
    }

    /// Sends a response in parts, with long pauses.
    private func drip(_ bytes: [UInt8], _ response: WireResponse) {
        world.count("slow response")
        let number = requestCount
        let parts = 2 + dice.below(5)
        let pause = WireTime.milliseconds(200 + dice.below(4_000))
        for part in 0..<parts {
            let (start, end) = (bytes.count * part / parts, bytes.count * (part + 1) / parts)
            world.after(UInt64(part) * pause) { [self] in
                guard requestCount == number, state != .over else { return }
                line.send(Array(bytes[start..<end]))
                if part == parts - 1 { complete(response) }
            }
        }
    }

    private func complete(_ response: WireResponse) {
        attempt?.status = response.status
        attempt?.length = response.length
        attempt?.isWhole = true
        if response.isOpenEnded || response.announcesEnd {
            state = .over
            let isOrderly = !response.isOpenEnded || host.malice == 0 || !dice.oneIn(6)
            // Bytes without a length that an attacker may have cut are not a response.
            if !line.isSocket, !isOrderly { attempt?.isWhole = false }
            return line.finish(isOrderly: isOrderly)
        }
        // The rest of a request is read, and may come.
        if state == .answering || isBodyComplete { becomeIdle() }
    }

    private func becomeIdle() {
        state = .head
        attempt = nil
        idle()
    }

    /// Lets something happen to a connection without a request.
    private func idle() {
        let number = requestCount
        let isFree: () -> Bool = { [self] in
            requestCount == number && state == .head && buffer.isEmpty && !line.isClosed && !line.isSilent
        }
        switch dice.below(8) {
        case 0, 1:
            world.after(dice.delay() + dice.delay()) { [self] in
                // A client that writes before it knows loses its call, so a calm server leaves no such moment.
                let isSudden = host.malice == 0 || dice.oneIn(2)
                guard isFree(), !(isSudden && line.isMoving) else { return }
                world.count("idle connection ended")
                state = .over
                isSudden ? line.finishNow(reset: dice.oneIn(3)) : line.finish()
            }
        // Before the first request, they could be taken for its response.
        case 2 where number > 0:
            world.after(dice.delay()) { [self] in
                let response = "HTTP/1.1 200 OK\r\nX-Call: junk\r\nContent-Length: 4\r\n\r\njunk"
                guard isFree(), line.inject(Array(response.utf8)) else { return }
                hasSentJunk = true
                world.count("bytes on an idle connection")
                if dice.oneIn(2) {
                    state = .over
                    line.finish()
                }
            }
        case 3 where host.malice > 0:
            world.after(dice.delay()) { [self] in if isFree() { line.fallSilent() } }
        default: break
        }
    }

    private func end(isReset: Bool, keepsBytes: Bool = false) -> Bool {
        world.count("ended without a response")
        state = .over
        isReset ? line.reset(keepsBytes: keepsBytes || dice.oneIn(2)) : line.finish(isOrderly: dice.oneIn(2))
        return false
    }
}
