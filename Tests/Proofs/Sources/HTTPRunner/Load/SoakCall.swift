import Foundation
import HTTPTypes

@testable import HeliumCore
@testable import HeliumCurl
@testable import TestSupport

/// A call of the soak: whole, cancelled after a while, or with a body that is left in its middle.
struct SoakCall: Sendable {
    let call: EchoCall
    let server: Server
    let transport: CurlTransport
    let tally: Tally

    private static let expected: [FailureKind] = [
        .connectionLost, .connectionFailed, .cancelled, .clientClosed, .tlsFailed,
    ]

    func run(_ random: inout SeededRandom) async {
        tally.change { $0.calls += 1 }
        var timeouts = PhaseTimeouts()
        timeouts.total = .seconds(20)
        let cancelAfter: Duration? = random.oneIn(8) ? .microseconds(random.below(5000)) : nil
        let isStreamed = random.oneIn(8)
        let leavesBody = isStreamed && random.oneIn(3)
        do {
            var request = try call.request(to: server, timeouts: timeouts)
            if isStreamed { request.responseBody = .stream }
            let sent = request
            let task = Task { try await self.exchange(sent, leavesBody: leavesBody) }
            if let cancelAfter {
                try? await Task.sleep(for: cancelAfter)
                task.cancel()
            }
            let fault = try await task.value
            tally.change {
                if let fault { $0.wrong.append(fault) } else { $0.answered += 1 }
            }
        } catch let failure as TransportFailure {
            tally.note(failure, server.name)
            let isExpected = Self.expected.contains(failure.kind) && (cancelAfter != nil || failure.kind != .cancelled)
            tally.change { values in
                if isExpected { values.excused += 1 } else { values.failed += 1 }
            }
        } catch is CancellationError where cancelAfter != nil {
            tally.change { $0.excused += 1 }
        } catch {
            tally.change {
                $0.failed += 1
                $0.failures["\(error)", default: 0] += 1
            }
        }
    }

    /// Returns what is wrong with the response.
    private func exchange(_ request: TransportRequest, leavesBody: Bool) async throws -> String? {
        var response = try await transport.execute(request)
        guard case .stream(let stream) = response.body else { return call.fault(of: response) }
        var body = Data()
        for try await piece in stream {
            if leavesBody { return nil }
            body += piece
        }
        response.body = .collected(body)
        return call.fault(of: response)
    }
}
