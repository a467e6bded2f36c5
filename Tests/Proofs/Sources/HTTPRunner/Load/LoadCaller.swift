import HTTPTypes
import HeliumCore

@testable import HeliumCurl
@testable import TestSupport

/// Makes calls to one server, each of which checks that it gets its own response.
struct LoadCaller: Sendable {
    let server: Server
    let transport: CurlTransport
    let tally = Tally()
    /// Whether connections are refused for a while, when nothing listens.
    var mayRefuse = false

    static let timeouts = {
        var timeouts = PhaseTimeouts()
        timeouts.total = .seconds(20)
        return timeouts
    }()

    /// Makes a call, and again if an idle connection was lost under a GET, or if the body of a call that the server
    /// did not process was read in part, as a client with a retry policy does.
    ///
    /// A server of HTTP/1.1 that closes an idle connection while a request is on its way does not say whether it has
    /// processed it (RFC 9112 §9.3.1), so such a POST fails with delivery state `maybeSent`. It is excused, and
    /// counted.
    func call(_ call: EchoCall) async {
        tally.change { $0.calls += 1 }
        var attempts = 0
        // The attempts that could not connect, while nothing listens.
        var refusals = 0
        while true {
            attempts += 1
            do {
                let response = try await transport.execute(try call.request(to: server, timeouts: Self.timeouts))
                let fault = call.fault(of: response)
                tally.change {
                    if let fault { $0.wrong.append(fault) } else { $0.answered += 1 }
                }
                return
            } catch let failure as TransportFailure {
                tally.note(failure, "\(call.method)\(call.isStreamed ? " in pieces" : "")")
                if mayRefuse, failure.delivery == .notSent, failure.kind == .connectionFailed {
                    refusals += 1
                    attempts -= 1
                }
                switch refusals > 2000 ? .failed : verdict(failure, call, attempts) {
                case .again:
                    tally.change { $0.repeated += 1 }
                    try? await Task.sleep(for: .milliseconds(min(attempts + refusals, 20)))
                case .excused:
                    tally.change { $0.excused += 1 }
                    return
                case .failed:
                    tally.change { $0.failed += 1 }
                    return
                }
            } catch {
                tally.change {
                    $0.failed += 1
                    $0.failures["\(error)", default: 0] += 1
                }
                return
            }
        }
    }

    private enum Verdict { case again, excused, failed }

    private func verdict(_ failure: TransportFailure, _ call: EchoCall, _ attempts: Int) -> Verdict {
        if mayRefuse, failure.delivery == .notSent, failure.kind == .connectionFailed { return .again }
        // The server did not process it, but a part of its body was read.
        if failure.delivery == .notSent, call.isStreamed, failure.kind == .connectionLost {
            return attempts < 50 ? .again : .failed
        }
        guard failure.delivery == .maybeSent, !server.isHTTP2, failure.kind == .connectionLost else {
            return .failed
        }
        if call.method == .get { return attempts < 5 ? .again : .failed }
        return .excused
    }
}
