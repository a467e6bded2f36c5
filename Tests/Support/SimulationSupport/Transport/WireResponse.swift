/// The way in which a server treats a request.
enum WirePlan: CaseIterable {
    case answer
    /// With interim responses.
    case interim
    case slow
    case answerEarly
    case refuseExpectation
    case silence
    case endAmidHead, endAfterHead, endAfterRequest
    case cut
    case malformed
    /// With bytes after the response.
    case junk

    static func pick(_ dice: WireDice, malice: Int) -> Self {
        guard dice.percent(malice) else { return dice.pick([.answer, .answer, .answer, .interim]) }
        return dice.pick(allCases.filter { $0 != .refuseExpectation })
    }
}

/// A response in HTTP/1.1.
struct WireResponse {
    let status: Int
    /// The length of the body without its coding.
    let length: Int
    let coding: WireCoding
    /// Whether the end of the connection ends the body.
    let isOpenEnded: Bool
    var announcesEnd: Bool
    private let attempt: WireAttempt
    private let isHead: Bool
    private let isChunked: Bool
    private let isOld: Bool
    private let hasInterim: Bool
    private let chunkSize: Int

    init(_ attempt: WireAttempt, of call: WireCall, isHead: Bool, plan: WirePlan, dice: WireDice) {
        self.attempt = attempt
        self.isHead = isHead
        status =
            switch plan {
            case .refuseExpectation: 417
            case .answerEarly: dice.pick([200, 413, 503])
            default: dice.pick([200, 200, 200, 200, 201, 204, 304, 404, 500])
            }
        hasInterim = plan == .interim
        let hasNoBody = isHead || status == 204 || status == 304
        length = hasNoBody ? 0 : dice.bodySize(isLarge: call.readsSlowly)
        coding = hasNoBody ? .identity : .pick(dice)
        isOld = dice.oneIn(25)
        isOpenEnded = !hasNoBody && dice.oneIn(isOld ? 2 : 20)
        isChunked = !hasNoBody && !isOpenEnded && !isOld && dice.oneIn(3)
        announcesEnd = isOld || dice.oneIn(10)
        chunkSize = 1 + dice.below(max(1, dice.oneIn(3) ? length : 40_000))
    }

    var bytes: [UInt8] {
        let body = coding.encode(WireContent.bytes(.response, of: attempt.call, 0..<length))
        var head = ""
        if hasInterim { head += "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" }
        head += "HTTP/1.\(isOld ? 0 : 1) \(status) Simulated\r\nX-Call: \(attempt.call)\r\n"
        if announcesEnd { head += "Connection: close\r\n" }
        if let name = coding.name { head += "Content-Encoding: \(name)\r\n" }
        if isChunked {
            head += "Transfer-Encoding: chunked\r\n"
        } else if !isOpenEnded, status != 204, status != 304 {
            head += "Content-Length: \(isHead ? 77 : body.count)\r\n"
        }
        var bytes = Array((head + "\r\n").utf8)
        guard isChunked else { return bytes + body }
        var start = 0
        while start < body.count {
            let end = min(body.count, start + chunkSize)
            bytes += Array("\(String(end - start, radix: 16))\r\n".utf8)
            bytes += body[start..<end] + [13, 10]
            start = end
        }
        return bytes + Array("0\r\nX-Trailer: 1\r\n\r\n".utf8)
    }
}
