import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import HeliumCore
@testable import HeliumTesting

/// Each kind of failure of a transfer, and of a response that arrived.
@Suite("Delivery states by kind of failure", .timeLimit(.minutes(5)))
struct DeliveryKindTests {
    struct Ending: Sendable, CustomTestStringConvertible {
        let kind: FailureKind
        let delivery: DeliveryState
        let answer: @Sendable () throws(TransportFailure) -> TransportResponse

        var testDescription: String { "\(kind), \(delivery)" }

        static func failing(_ kind: FailureKind, _ delivery: DeliveryState) -> Self {
            Self(kind: kind, delivery: delivery) { () throws(TransportFailure) in
                throw TransportFailure(kind, delivery: delivery, message: "staged")
            }
        }

        static func answered(_ kind: FailureKind, _ response: TransportResponse) -> Self {
            Self(kind: kind, delivery: .answered) { response }
        }
    }

    static let endings: [Ending] =
        [.hostNotFound, .connectionFailed, .tlsFailed].map { .failing($0, .notSent) }
        + [.requestBodyFailed, .connectionLost, .timedOut, .transportFailed].map { .failing($0, .maybeSent) }
        + [.ceilingExceeded, .malformedResponse, .connectionLost, .timedOut].map { .failing($0, .answered) }
        + [
            .answered(.unacceptableStatus, .empty(status: 404)),
            .answered(.redirectRefused, .empty(status: 302, fields: [.location: "http://elsewhere.example/"])),
            .answered(.decodingFailed, .json("[")), .answered(.emptyResponse, .empty()),
        ]

    enum Interception: CaseIterable {
        case none, calls, attempts, both

        func apply(to options: inout ClientOptions) {
            let through = ClosureInterceptor { request, _, next in try await next(request) }
            if self == .calls || self == .both { options.interceptors = [through] }
            if self == .attempts || self == .both { options.attemptInterceptors = [through] }
        }
    }

    enum Form: CaseIterable {
        case collected, streamed, upload

        /// Returns whether a call of this form can fail with a kind. A stream delivers its content unread, so it can't
        /// fail because of it.
        func canEnd(as kind: FailureKind) -> Bool {
            self != .streamed || kind != .decodingFailed && kind != .emptyResponse
        }

        func failure(on pipeline: Pipeline) async throws -> HeliumError {
            let content: RequestContent? = self == .upload ? .upload(UploadBody(Data("body".utf8))) : nil
            let call = RequestBuilder<Int>(.post, "/", content: content, reader: .decoded, pipeline: pipeline)
                .retryable()
            guard self == .streamed else { return try await HeliumCoreTests.failure(of: { try await call.value() }) }
            let prepared = try call.prepared(isStream: true)
            return try await HeliumCoreTests.failure(of: { try await pipeline.exchange(prepared) })
        }
    }

    @Test("every form of a call has the delivery state of its transfer, through interceptors too", arguments: endings)
    func kinds(_ ending: Ending) async throws {
        for interception in Interception.allCases {
            for form in Form.allCases where form.canEnd(as: ending.kind) {
                for attempt in 1...2 {
                    let earlier = Guarded(attempt - 1)
                    let transport = MockTransport { request throws(TransportFailure) in
                        let isEarlier = earlier.withLock { left in
                            defer { left -= 1 }
                            return left > 0
                        }
                        // A failure that is repeated and has sent nothing.
                        if isEarlier {
                            throw TransportFailure(.connectionFailed, delivery: .notSent, message: "earlier")
                        }
                        return try await ending.answer().delivered(as: request.responseBody)
                    }
                    let pipeline = try makePipeline(transport, clock: SystemClock(), retry: .quick) {
                        interception.apply(to: &$0)
                        $0.retry.maximumAttempts = attempt
                    }
                    let error = try await form.failure(on: pipeline)
                    let place = "\(interception), \(form), attempt \(attempt)"
                    #expect(error.kind == ending.kind && error.delivery == ending.delivery, "\(place): \(error)")
                    #expect(transport.requests.count == attempt, "\(place)")
                }
            }
        }
    }
}
