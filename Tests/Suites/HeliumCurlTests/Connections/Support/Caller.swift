import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumCurl
import Synchronization
import TestSupport
import Testing
import WireSupport

/// A kind of call.
enum CallForm: CaseIterable, Sendable {
    case get, post, put
    /// A GET whose response is streamed.
    case stream
    /// A POST with a body that can be read once only.
    case onceUpload

    var method: HTTPRequest.Method {
        switch self {
        case .get, .stream: .get
        case .post, .onceUpload: .post
        case .put: .put
        }
    }

    func body(for target: String) -> String { method == .get ? "" : "the body for \(target)" }

    /// The body of the response that a scripted server sends to this call and to no other.
    func echo(for target: String) -> String { "\(method.rawValue) \(target) \(body(for: target))" }
}

/// A transport, and the scripted server that it calls.
struct Caller: Sendable {
    let line: ConnectionLine
    let url: String
    let transport: CurlTransport
    let ledger: DeliveryLedger

    /// A response.
    struct Reply: Equatable, Sendable {
        let status: Int
        let text: String
    }

    func request(_ form: CallForm, _ target: String) throws -> TransportRequest {
        let body = form.body(for: target)
        return try TransportRequest(form.method, to: url + target).with {
            switch form {
            case .get: break
            case .stream: $0.responseBody = .stream
            case .post, .put: $0.body = Data(body.utf8)
            case .onceUpload: $0.upload = OnceSource.body(body)
            }
            if line == .priorKnowledge { $0.version = .http2PriorKnowledge }
            // No call here needs long, and one that hangs is to be reported as such.
            $0.timeouts.total = .seconds(90)
        }
    }

    func send(
        _ form: CallForm,
        _ target: String,
        _ change: (inout TransportRequest) -> Void = { _ in }
    ) async throws -> Reply {
        let response = try await transport.execute(request(form, target).with(change))
        switch response.body {
        case .collected: return Reply(status: response.head.status, text: response.text)
        case .stream(let stream):
            let body = try await stream.collect(upTo: 1 << 20)
            return Reply(status: response.head.status, text: String(decoding: body, as: UTF8.self))
        }
    }

    /// The failure of a call that must fail.
    func failure(
        _ form: CallForm,
        _ target: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout TransportRequest) -> Void = { _ in }
    ) async throws -> TransportFailure {
        try await #require(throws: TransportFailure.self, "\(form)", sourceLocation: sourceLocation) {
            _ = try await send(form, target, change)
        }
    }

    /// Expects that a call gets the response to itself and was processed once.
    ///
    /// - Parameter mustMove: Whether it must have used another connection than the first.
    func expectOwn(
        _ form: CallForm,
        _ target: String,
        mustMove: Bool = false,
        _ comment: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let name = Comment(rawValue: "\(comment?.rawValue ?? ""): \(form)")
        do {
            let reply = try await send(form, target)
            #expect(reply == Reply(status: 200, text: form.echo(for: target)), name, sourceLocation: sourceLocation)
        } catch {
            Issue.record(error, name, sourceLocation: sourceLocation)
        }
        let deliveries = ledger.deliveries(of: target)
        #expect(deliveries.count == 1, name, sourceLocation: sourceLocation)
        if mustMove { #expect(deliveries.first?.connection != 0, name, sourceLocation: sourceLocation) }
    }

    /// Expects of a call that was not processed, and whose body can be read once, that it fails as not sent. It may get
    /// its response if nothing of the body had been read.
    func expectOwnOrNotSent(_ target: String, sourceLocation: SourceLocation = #_sourceLocation) async {
        do {
            let reply = try await send(.onceUpload, target)
            let echo = CallForm.onceUpload.echo(for: target)
            #expect(reply == Reply(status: 200, text: echo), sourceLocation: sourceLocation)
            #expect(ledger.deliveries(of: target).count == 1, sourceLocation: sourceLocation)
        } catch {
            let failure = error as? TransportFailure
            #expect(
                failure?.kind != .timedOut && failure?.delivery == .notSent,
                "\(error)",
                sourceLocation: sourceLocation
            )
            #expect(ledger.deliveries(of: target).isEmpty, sourceLocation: sourceLocation)
        }
    }

    /// Makes the first connection and leaves it idle.
    func connect(_ form: CallForm = .get, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let reply = try await send(form, "/first")
        try #require(reply == Reply(status: 200, text: form.echo(for: "/first")), sourceLocation: sourceLocation)
    }
}

/// A body in one piece that can be opened once.
final class OnceSource: UploadSource {
    struct OpenedAgain: Error {}

    private let rest: Guarded<Data?>

    private init(_ text: String) { rest = Guarded(Data(text.utf8)) }

    func next() async throws -> Data? {
        rest.withLock { rest in
            defer { rest = nil }
            return rest
        }
    }

    func cancel() {}

    static func body(_ text: String) -> UploadBody {
        let isOpen = Guarded(false)
        return UploadBody(length: nil, isReplayable: false) {
            let wasOpen = isOpen.withLock { isOpen in
                defer { isOpen = true }
                return isOpen
            }
            if wasOpen { throw OpenedAgain() }
            return OnceSource(text)
        }
    }
}
