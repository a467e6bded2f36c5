import Foundation
import HTTPTypes
import HeliumTesting
import Synchronization
import Testing

@testable import HeliumCore

/// No value of a public option ends the process. A call with it succeeds or fails with an error.
@Suite("Extreme values of options", .timeLimit(.minutes(5)))
struct ExtremeOptionTests {
    static let durations: [Duration] = [
        Duration(attoseconds: .max), Duration(attoseconds: .min),
        .seconds(Int64.max) + .seconds(Int64.max), .seconds(Int64.max), .seconds(Int64.min),
        .seconds(Int64.min) + .seconds(Int64.min), .nanoseconds(-1), .zero, .nanoseconds(1),
    ]
    static let integers = [Int.max, .min, -1, 0, 1]
    static let fractions = [Double.nan, .infinity, -.infinity, 1e300, -1, 0]

    /// Sends two calls at the same time, of which one waits in the queue and one is attempted again.
    private func call(_ configure: (inout ClientOptions) -> Void) async throws {
        let faults = Guarded(1)
        let transport = MockTransport { _ in
            let fails = faults.withLock { faults in
                faults -= 1
                return faults == 0
            }
            for _ in 0..<3 { await Task.yield() }
            return fails ? .empty(status: 503, fields: [.retryAfter: "0"]) : .json("1")
        }
        var retry = RetryPolicy.standard
        retry.baseDelay = .zero
        let pipeline: Pipeline
        do {
            pipeline = try makePipeline(transport, clock: SystemClock(), retry: retry) { options in
                options.concurrency.maximumConcurrent = 1
                configure(&options)
            }
        } catch let error as HeliumError {
            #expect(error.kind == .invalidConfiguration)
            return
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    do {
                        _ = try await pipeline.get("/a", as: Int.self).value()
                    } catch {
                        #expect(error is HeliumError && !"\(error)".isEmpty)
                    }
                    let command = try? await pipeline.get("/a", as: Int.self).curlCommand()
                    #expect(command?.isEmpty != true)
                }
            }
        }
        await pipeline.close()
    }

    @Test("durations of a client")
    func clientDurations() async throws {
        let options: [any WritableKeyPath<ClientOptions, Duration?> & Sendable] = [
            \.timeouts.queue, \.timeouts.connect, \.timeouts.firstByte, \.timeouts.idle, \.timeouts.total,
        ]
        let delays: [any WritableKeyPath<RetryPolicy, Duration> & Sendable] = [
            \.baseDelay, \.maximumDelay, \.maximumServerDelay,
        ]
        for duration in Self.durations {
            for option in options { try await call { $0[keyPath: option] = duration } }
            // With the default time limit, a long delay fails the call instead of being waited for.
            for delay in delays { try await call { $0.retry[keyPath: delay] = duration } }
        }
    }

    @Test("numbers of a client")
    func clientNumbers() async throws {
        let options: [any WritableKeyPath<ClientOptions, Int> & Sendable] = [
            \.limits.bodyBytes, \.limits.headerBytes, \.limits.headerCount, \.retry.maximumAttempts,
            \.concurrency.maximumConcurrent, \.concurrency.maximumQueued, \.retryBudget.reserve,
        ]
        for number in Self.integers {
            for option in options { try await call { $0[keyPath: option] = number } }
            try await call { $0.limits.decompressionRatio = number }
            #expect(1...100 ~= RetryPolicy.attempts(number).maximumAttempts)
        }
        for fraction in Self.fractions { try await call { $0.retryBudget.ratio = fraction } }
    }

    @Test("delays of the machine's clock", arguments: durations)
    func systemClock(duration: Duration) async {
        let clock = SystemClock()
        let waits = [
            Task { try await clock.sleep(for: duration) },
            Task { try await clock.waitForDeadline(at: duration) },
            Task {
                _ = try await Deadline(after: duration, clock: clock).race { try await Task.sleep(for: .seconds(1)) }
            },
        ]
        // They begin to wait, as far as the duration lets them.
        for _ in 0..<100 { await Task.yield() }
        for wait in waits {
            wait.cancel()
            _ = await wait.result
        }
        #expect(!Duration.seconds(1).formattedSeconds.isEmpty && !duration.formattedSeconds.isEmpty)
        #expect(duration.clampedNanoseconds >= 0)
    }

    @Test("options of streams of lines, events and elements")
    func streams() async throws {
        for number in Self.integers {
            let bodies = MockTransport { request in
                request.url.target == "/events"
                    ? .streaming(["id: 1\ndata: a\n\n"], fields: [.contentType: "text/event-stream"])
                    : .streaming(["[1,[2],", "3]\n"])
            }
            let pipeline = try makePipeline(bodies)
            var events = ServerSentEventOptions()
            events.reconnects = .never
            events.lineBytes = number
            events.eventBytes = number
            await read(pipeline.call(.get, "/events").serverSentEvents(events))
            var lines = LineOptions()
            lines.lineBytes = number
            await read(pipeline.call(.get, "/lines").lines(lines))
            for depth in Self.integers {
                var elements = ElementOptions()
                elements.elementBytes = number
                elements.maximumDepth = depth
                await read(pipeline.call(.get, "/elements").elements(of: JSONValue.self, elements))
            }
        }
    }

    @Test("delays of reconnections and back-offs", arguments: durations)
    func reconnections(duration: Duration) {
        for maximum in Self.durations {
            var policy = ReconnectPolicy.standard
            policy.delay = duration
            policy.maximumDelay = maximum
            var backoff = BackoffPolicy()
            backoff.firstDelay = duration
            backoff.maximumDelay = maximum
            backoff.maximumServerDelay = duration
            for number in Self.integers.map(Optional.some) + [nil] {
                policy.maximumFailures = number
                backoff.maximumFailures = number
                var reconnection = Reconnection(policy)
                var delays = Backoff(backoff)
                for _ in 0..<20 {
                    _ = reconnection.ended(retry: duration, random: 1)
                    delays.lasted(duration, provedToWork: true)
                    if let delay = delays.failed(random: 1, asked: maximum) { #expect(delay >= .zero) }
                }
            }
        }
    }

    @Test("expiry and lead of a bearer token, and the time limit of its refresh", arguments: durations)
    func bearer(duration: Duration) async throws {
        for seconds in Self.fractions {
            let authorizer = try RefreshingBearerAuthorizer(
                initial: BearerCredential(token: "a", expiry: Date(timeIntervalSince1970: seconds)),
                refreshBefore: duration,
                timeout: duration
            ) { _ in
                BearerCredential(token: "b", expiry: Date(timeIntervalSince1970: seconds))
            }
            let pipeline = try makePipeline(
                MockTransport { _ in .empty() },
                authorizer: authorizer,
                clock: SystemClock()
            )
            do {
                try await pipeline.call(.get, "/").value()
            } catch {
                #expect((error as? HeliumError)?.kind == .authorizationFailed)
            }
            #expect(!"\(authorizer)".isEmpty)
        }
    }

    @Test("the first numbers and the number of pages", arguments: integers)
    func pages(number: Int) async throws {
        let pipeline = try makePipeline(MockTransport { _ in .json("[1]") })
        for start in Self.integers {
            for strategy in [
                PaginationStrategy<[Int]>.pageNumber(startingAt: start), .offset(startingAt: start, limit: number),
            ] {
                await read(pipeline.get("/a", as: [Int].self).pages(strategy, maximum: min(number, 3)))
            }
        }
    }

    @Test("announced lengths of bodies", arguments: [Int64.min, -1, 0, 1, .max])
    func uploads(length: Int64) async throws {
        let body = UploadBody(length: length, isReplayable: true) { try await UploadBody(Data("a".utf8)).open() }
        #expect(body.length == max(0, length))
        let joined = UploadBody(joining: [.body(body), .bytes(Data("b".utf8)), .body(body)])
        let source = try await joined.open()
        do { while try await source.next() != nil {} } catch { #expect(error is UploadFailure) }
        _ = TransferProgress(completed: length, total: length).fraction
    }

    /// Reads a sequence to its end, or until it fails with an error.
    private func read(_ sequence: some AsyncSequence) async {
        do { for try await _ in sequence {} } catch { #expect(error is HeliumError) }
    }
}
