import Foundation
import HTTPTypes
import Synchronization

@testable import HeliumConcurrency
@testable import HeliumCore
@testable import HeliumCrypto
@testable import HeliumCurl
@testable import TestSupport

/// A call whose response shows which request it answers (peers/echo.go).
struct EchoCall: Sendable {
    let method: HTTPRequest.Method
    let target: String
    let body: Data?
    /// Whether the body is read while it is sent, without an announced length.
    let isStreamed: Bool

    /// A GET, or a POST with a body, with a target that no other call has.
    init(id: String, _ random: inout SeededRandom, largest: Int = 2000) {
        target = "/\(id)/\(String(random.next(), radix: 36))?q=\(random.below(1000))"
        if random.oneIn(2) {
            method = .get
            body = nil
            isStreamed = false
        } else {
            method = .post
            let byte = UInt8(random.below(256))
            body = Data(
                repeating: byte,
                count: random.oneIn(20) ? random.below(200_000) % (largest * 100) : random.below(largest)
            )
            isStreamed = random.oneIn(8)
        }
    }

    func request(to server: Server, timeouts: PhaseTimeouts) throws -> TransportRequest {
        var request = TransportRequest(
            method: method,
            url: try RequestURL(server.url + target),
            body: isStreamed ? nil : body,
            timeouts: timeouts,
            version: server.version
        )
        if isStreamed, let body {
            request.upload = UploadBody(length: nil, isReplayable: true) { Pieces(body) }
        }
        return request
    }

    /// Returns what is wrong with a response; `nil` if it is the one to this call.
    func fault(of response: TransportResponse) -> String? {
        guard response.head.status == 200, let received = response.collectedBody else {
            let text = response.collectedBody.map { String(decoding: $0.prefix(100), as: UTF8.self) } ?? ""
            return "\(method) \(target): status \(response.head.status) \(text)"
        }
        let lines = received.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        let digest = Self.hex(SHA256.hash(body ?? Data()))
        guard lines.count >= 3, lines[0] == method.rawValue, lines[1] == target, lines[2] == digest else {
            return "\(method) \(target) \(digest) \(body?.count ?? 0) bytes: got \(lines.prefix(3))"
        }
        return nil
    }

    static func hex(_ digest: SHA256.Digest) -> String {
        digest.withUnsafeBytes { $0.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
    }
}

/// A body in pieces.
final class Pieces: UploadSource {
    private let rest: Guarded<Data>

    init(_ data: Data) { rest = Guarded(data) }

    func next() async throws -> Data? {
        rest.withLock { rest in
            guard !rest.isEmpty else { return nil }
            let piece = rest.prefix(7000)
            rest = Data(rest.dropFirst(7000))
            return piece
        }
    }

    func cancel() {}
}
