import Foundation

@testable import HeliumCurl

/// Ends the process when no call has ended for 30 seconds: each has a limit of twenty seconds.
struct HangWatch {
    private let task: Task<Void, Never>

    init(_ transport: CurlTransport, _ tally: Tally, _ title: String) {
        task = Task {
            var ended = -1
            while true {
                do { try await Task.sleep(for: .seconds(30)) } catch { return }
                let values = tally.values
                let now = values.answered + values.failed + values.excused + values.wrong.count
                if now == ended {
                    say("\(title): HANG: \(now) of \(values.calls) calls have ended, none for 30 seconds")
                    _ = tally.report(title)
                    let statistics = Task { await transport.statistics }
                    Task {
                        try await Task.sleep(for: .seconds(5))
                        say("\(title): HANG: the loop does not answer")
                        exit(1)
                    }
                    say("\(title): \(await statistics.value)")
                    exit(1)
                }
                ended = now
            }
        }
    }

    func cancel() { task.cancel() }
}
