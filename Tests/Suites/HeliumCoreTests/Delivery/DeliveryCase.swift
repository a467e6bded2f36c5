import Foundation
import HTTPTypes
import HeliumTesting
import Synchronization

@testable import HeliumCore

/// One way in which a call can end: where it is when something ends it, and what does.
struct DeliveryCase: CustomStringConvertible, Sendable {
    enum Place: String, CaseIterable, Sendable {
        /// The authorizer works.
        case authorizing
        /// An interceptor works before it passes the request on.
        case interceptingRequest
        /// The server has the request.
        case inFlight
        case headReceived
        case bodyHalfRead
        /// An interceptor works after the answer.
        case interceptingAnswer
    }

    enum End: String, CaseIterable, Sendable {
        case deadline, cancellation, closing
        /// The transport, the authorizer or the interceptor throws, whichever works.
        case failure
    }

    enum Interception: String, CaseIterable, Sendable { case plain, calls, attempts, both }

    /// The outcome of the first attempt, if the case is about the second.
    enum First: String, CaseIterable, Sendable { case none, refused, lost, unavailable }

    enum Form: String, CaseIterable, Sendable { case collected, streamed, upload }

    var place = Place.inFlight
    var end = End.deadline
    var interception = Interception.plain
    var first = First.none
    var form = Form.collected
    /// Whether the transport ends transfers at their limits and in `shutdown()` itself.
    var keepsDeadlines = false

    var description: String {
        "\(place) \(end) \(interception) first=\(first) \(form) \(keepsDeadlines ? "own deadlines" : "")"
    }

    /// All that can happen.
    static let all: [DeliveryCase] = {
        var cases: [DeliveryCase] = []
        for place in Place.allCases {
            for end in End.allCases {
                for interception in Interception.allCases {
                    for first in First.allCases {
                        for form in Form.allCases {
                            for keeps in [false, true] {
                                cases.append(
                                    DeliveryCase(
                                        place: place,
                                        end: end,
                                        interception: interception,
                                        first: first,
                                        form: form,
                                        keepsDeadlines: keeps
                                    )
                                )
                            }
                        }
                    }
                }
            }
        }
        return cases.filter(\.isPossible)
    }()

    private var isPossible: Bool {
        switch place {
        case .interceptingRequest, .interceptingAnswer:
            // An interceptor of calls sees no second attempt before it was made.
            if interception == .plain || interception == .calls && first != .none && place == .interceptingRequest {
                return false
            }
        case .inFlight, .headReceived, .bodyHalfRead:
            // What the transport itself does then is a matter of the test with a real one. Uploads are raced in any case
            // against closing.
            if keepsDeadlines, end == .deadline || end == .closing, interception == .plain { return false }
        case .authorizing: break
        }
        return true
    }

    /// The part of the first attempt that the server saw.
    var sawFirst: DeliveryState {
        switch first {
        case .none, .refused: .notSent
        case .lost: .maybeSent
        case .unavailable: .answered
        }
    }

    /// The part of the request that the server saw when the call ended, which depends on the stage of the end.
    var saw: DeliveryState {
        let last: DeliveryState =
            switch place {
            case .authorizing, .interceptingRequest: .notSent
            case .inFlight: .maybeSent
            case .headReceived, .bodyHalfRead, .interceptingAnswer: .answered
            }
        return max(sawFirst, last)
    }

    /// The number of the attempt that the case is about.
    var attempt: Int { first == .none ? 1 : 2 }
}
