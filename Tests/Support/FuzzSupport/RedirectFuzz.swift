import Foundation
import HTTPTypes
import HeliumCore
import Synchronization

extension FuzzTarget {
    static let redirects = FuzzTarget(
        "redirects",
        examples: [
            "\u{0}/b?c=d", "\u{1}https://api.example.com/x", "\u{2}https://other.example/y",
            "\u{3}http://api.example.com/",
            "\u{7}//other.example:8443/é ü", "\u{A}../../z#f", "\u{F}https://user:pw@api.example.com/", "\u{13}?q",
        ],
        pieces: PaginationFuzz.referencePieces + [
            "http://api.example.com", "\n", "\r", "\t", "\\", "HTTPS://", "%0d%0a",
        ],
        check: RedirectFuzz.location
    )
}

/// Sends a call through the pipeline that is redirected twice to what the input says: its first byte chooses status,
/// method and policy, the rest is the `Location`.
package enum RedirectFuzz {
    private static let statuses = [301, 302, 303, 307, 308]

    package static func location(_ bytes: [UInt8]) async throws {
        let choice = Int(bytes.first ?? 0)
        let transport = Redirecting(status: statuses[choice % 5], location: Array(bytes.dropFirst()))
        var options = ClientOptions()
        options.retry = .never
        options.timeouts = PhaseTimeouts()
        options.timeouts.total = nil
        let sameOrigin = choice & 0x80 == 0
        options.redirects = sameOrigin ? .sameOrigin(limit: 3) : .follow(limit: 3)
        let authorizer = try FieldAuthorizer(name: .authorization, prefix: "Bearer ", secret: Secret("t0ken"))
        let pipeline = try FuzzPipeline.make(transport: transport, authorizer: authorizer, options: options)
        let method: HTTPRequest.Method = choice & 0x40 == 0 ? .get : .post
        let content = method == .post ? RequestContent.text("body") : nil
        let call = RequestBuilder(method, "/start", content: content, reader: PlainReaders.nothing, pipeline: pipeline)
            .field(.cookie, "a=b")
        do { try await call.value() } catch is HeliumError {}

        let requests = transport.requests
        guard let first = requests.first, requests.count <= 4 else { throw FuzzFinding("\(requests.count) requests") }
        for next in requests.dropFirst() {
            try FuzzPipeline.requireSendable(next.url.target)
            guard next.url.origin.isSecure else { throw FuzzFinding("goes on in clear text to \(next.url)") }
            if next.url.origin == first.url.origin { continue }
            guard !sameOrigin else { throw FuzzFinding("goes elsewhere, to \(next.url)") }
            guard next.fields[.authorization] == nil, next.fields[.cookie] == nil else {
                throw FuzzFinding("shows its credentials to \(next.url)")
            }
            guard next.body?.isEmpty ?? true else { throw FuzzFinding("shows its body to \(next.url)") }
        }
    }
}

/// Answers two requests with a redirect, further ones with 204.
private final class Redirecting: HTTPTransport {
    private let status: Int
    private let location: [UInt8]
    private let seen = Guarded<[TransportRequest]>([])

    init(status: Int, location: [UInt8]) {
        self.status = status
        self.location = location
    }

    var requests: [TransportRequest] { seen.withLock { $0 } }

    func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let count = seen.withLock { seen in
            seen.append(request)
            return seen.count
        }
        let head =
            count <= 2
            ? ResponseHead(status: status, section: Array("Location: ".utf8) + location + [13, 10])
            : ResponseHead(status: 204, section: [])
        return TransportResponse(head: head, body: .collected(Data()))
    }

    func shutdown() async {}
}
