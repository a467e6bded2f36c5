import Foundation
import HeliumCore
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import HeliumCurl

@Suite("Tasks on the event loop", .timeLimit(.minutes(5)))
struct ExecutorConcurrencyTests {
    @Test("a call of a task on the loop continues on the loop's thread, and so do child tasks", arguments: drivers)
    func staysOnTheLoop(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            try await withTransport(driver) { transport in
                let request = try TransportRequest(to: server.url)
                #expect(!transport.loop.queue.isCurrent)
                try await withTaskExecutorPreference(transport.taskExecutor) {
                    // There was no call yet, so the first job starts the thread.
                    #expect(transport.loop.queue.isCurrent)
                    for _ in 0..<20 {
                        let text = try await transport.execute(request).text
                        #expect(text == "ok" && transport.loop.queue.isCurrent)
                    }
                    async let child = (transport.execute(request).text, transport.loop.queue.isCurrent)
                    let (text, isOnLoop) = try await child
                    #expect(text == "ok" && isOnLoop)
                }
                #expect(!transport.loop.queue.isCurrent)
            }
        }
    }

    @Test("many tasks on the loop get their own responses, also streams", arguments: drivers)
    func manyTasks(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ request in
            [.answer(body: String(request.lines[0].split(separator: " ")[1]))]
        }) { server in
            try await withTransport(driver, configure: { $0.maximumConnectionsPerHost = 8 }) { transport in
                let url = server.url
                try await withTaskExecutorPreference(transport.taskExecutor) {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for number in 0..<64 {
                            group.addTask {
                                for call in 0..<10 {
                                    let path = "/\(number)/\(call)"
                                    let request = try TransportRequest(to: url + path)
                                    #expect(try await transport.execute(request).text == path)
                                    let streamed = request.with { $0.responseBody = .stream }
                                    let body = try await transport.execute(streamed).stream.collect(upTo: 100)
                                    #expect(body == Data(path.utf8))
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                }
                #expect(server.requestCount == 1280)
            }
        }
    }

    @Test("a few bytes of a stream reach a task on the loop before more arrive", arguments: drivers)
    func fewBytes(driver: CurlTransport.Configuration.Driver) async throws {
        let gate = FaultServer.Gate()
        try await FaultServer.run({ _ in
            [.answer(announcing: 8, body: "half"), .send(whenOpen: gate, "rest")]
        }) { server in
            try await withTransport(driver) { transport in
                let request = try TransportRequest(to: server.url).with { $0.responseBody = .stream }
                let text = try await withTaskExecutorPreference(transport.taskExecutor) {
                    var text = ""
                    for try await chunk in try await transport.execute(request).stream {
                        text += String(decoding: chunk, as: UTF8.self)
                        // Nothing else comes until the first bytes are read.
                        gate.open()
                    }
                    return text
                }
                #expect(text == "halfrest")
            }
        }
    }

    @Test("a call on the loop that is cancelled before it is sent never leaves", arguments: drivers)
    func cancelledBeforeSending(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.answer()] }) { server in
            try await withTransport(driver) { transport in
                let request = try TransportRequest(to: server.url)
                let task = Task(executorPreference: transport.taskExecutor) {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return try await transport.failure(request)
                }
                let failure = try await task.value
                #expect(failure.kind == .cancelled && failure.delivery == .notSent)
                #expect(server.connectionCount == 0)
            }
        }
    }

    @Test("a call that a task on the loop cancels ends at once", arguments: drivers)
    func cancelledOnTheLoop(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.hang] }) { server in
            try await withTransport(driver) { transport in
                let request = try TransportRequest(to: server.url)
                let failure = try await withTaskExecutorPreference(transport.taskExecutor) {
                    let task = Task(executorPreference: transport.taskExecutor) { try await transport.failure(request) }
                    #expect(await server.wait { $0.requestCount == 1 })
                    #expect(transport.loop.queue.isCurrent)
                    task.cancel()
                    return try await task.value
                }
                #expect(failure.kind == .cancelled && failure.delivery == .maybeSent)
                #expect(await server.wait { $0.clientCloseCount == 1 })
            }
        }
    }

    @Test("calls on the loop are cancelled from other threads at any moment", arguments: drivers)
    func cancelledFromElsewhere(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ request in
            [.wait(.milliseconds(request.number % 2)), .answer(body: "ok")]
        }) { server in
            try await withTransport(driver, configure: { $0.maximumConnectionsPerHost = 8 }) { transport in
                let request = try TransportRequest(to: server.url)
                let tasks = (0..<400).map { _ in
                    Task(executorPreference: transport.taskExecutor) { () -> FailureKind? in
                        do {
                            #expect(try await transport.execute(request).text == "ok")
                            return nil
                        } catch {
                            return (error as? TransportFailure)?.kind
                        }
                    }
                }
                for (number, task) in tasks.enumerated() where number % 2 == 1 {
                    if number % 5 == 0 { await Task.yield() }
                    task.cancel()
                }
                for (number, task) in tasks.enumerated() {
                    let kind = await task.value
                    #expect(kind == nil || (number % 2 == 1 && kind == .cancelled))
                }
                #expect(await transport.statistics.activeTransfers == 0)
            }
        }
    }

    @Test("shutdown may be awaited on the loop, and the task continues elsewhere", arguments: drivers)
    func shutdownOnTheLoop(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.hang] }) { server in
            try await withTransport(driver) { transport in
                let request = try TransportRequest(to: server.url)
                let calls = (0..<4).map { _ in
                    Task(executorPreference: transport.taskExecutor) { try await transport.failure(request) }
                }
                #expect(await server.wait { $0.requestCount == 4 })
                try await withTaskExecutorPreference(transport.taskExecutor) {
                    await transport.shutdown()
                    #expect(!transport.loop.queue.isCurrent)
                    await Task.yield()
                    let late = try await transport.failure(request)
                    #expect(late.kind == .clientClosed)
                    for call in calls {
                        let failure = try await call.value
                        #expect(failure.kind == .clientClosed)
                    }
                }
                #expect(await server.wait { $0.clientCloseCount == 4 })
            }
        }
    }

    @Test("jobs on the loop run also during and after its end", .tags(.random))
    func jobsAfterTheEnd() async throws {
        for _ in 0..<ProofLength.count(5, full: 200) {
            let transport = CurlTransport()
            let executor = transport.taskExecutor
            let sums = (0..<16).map { _ in
                Task(executorPreference: executor) {
                    for _ in 0..<200 { await Task.yield() }
                    return 200
                }
            }
            await transport.shutdown()
            let late = Task(executorPreference: executor) { 7 }
            var sum = await late.value
            for task in sums { sum += await task.value }
            #expect(sum == 16 * 200 + 7)
        }
    }

    @Test("a transport that is released on its own loop ends, and the task continues", arguments: drivers)
    func letGoOnTheLoop(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            let request = try TransportRequest(to: server.url)
            var configuration = CurlTransport.Configuration()
            configuration.driver = driver
            func executor() async throws -> any TaskExecutor {
                let transport = CurlTransport(configuration)
                return try await withTaskExecutorPreference(transport.taskExecutor) {
                    let text = try await transport.execute(request).text
                    #expect(text == "ok")
                    return transport.taskExecutor
                }
            }
            let orphan = try await executor()
            #expect(await server.wait { $0.openConnectionCount == 0 })
            #expect(await Task(executorPreference: orphan) { 5 }.value == 5)
        }
    }

    @Test("tasks on the loop that never wait do not stop the sockets", arguments: drivers)
    func fairness(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ request in
            request.number % 2 == 0 ? [.hang] : [.wait(.milliseconds(5)), .answer(body: "ok")]
        }) { server in
            try await withTransport(driver) { transport in
                let request = try TransportRequest(to: server.url)
                let busy = (0..<8).map { _ in
                    Task(executorPreference: transport.taskExecutor) { while !Task.isCancelled { await Task.yield() } }
                }
                #expect(try await transport.execute(request).text == "ok")
                let limited = request.with { $0.timeouts.total = .milliseconds(50) }
                #expect(try await transport.failure(limited).kind == .timedOut)
                for task in busy { task.cancel() }
                for task in busy { await task.value }
            }
        }
    }

    @Test("a response that arrived while a job blocked the loop is no timeout", arguments: drivers)
    func heldLoop(driver: CurlTransport.Configuration.Driver) async throws {
        let gates = (0..<50).map { _ in FaultServer.Gate() }
        try await FaultServer.run({ request in
            [.send(whenOpen: gates[request.number - 1], "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .close]
        }) { server in
            try await withTransport(driver) { transport in
                let limit = Duration.seconds(1)
                let request = try TransportRequest(to: server.url).with { $0.timeouts.firstByte = limit }
                // A machine that is too slow lets the time pass before the job begins.
                var isInTime = false
                for (number, gate) in gates.enumerated() where !isInTime {
                    let start = ContinuousClock.now
                    let call = Task { try await transport.execute(request).text }
                    #expect(await server.wait { $0.requestCount == number + 1 })
                    isInTime = await Task(executorPreference: transport.taskExecutor) {
                        let isInTime = ContinuousClock.now - start < limit
                        gate.open()
                        Self.block(for: .milliseconds(1100))
                        // Until the response is sent.
                        for _ in 0..<60_000 where server.openConnectionCount > 0 { Self.block(for: .milliseconds(1)) }
                        return isInTime
                    }.value
                    if isInTime { #expect(try await call.value == "ok") } else { _ = await call.result }
                }
                #expect(isInTime)
            }
        }
    }

    @Test("each job that blocks the loop for more than 5 ms is reported once, with its time")
    func longJobs() async throws {
        let reports = Mutex<[Duration]>([])
        let transport = CurlTransport(onLongJob: { time in reports.withLock { $0.append(time) } })
        await withTaskExecutorPreference(transport.taskExecutor) {
            for _ in 0..<50 { await Task.yield() }
            Self.block(for: .milliseconds(600))
            await Task.yield()
        }
        await transport.shutdown()
        // A machine that stopped may have made one of the short ones long.
        let long = reports.withLock { $0.filter { $0 >= .milliseconds(600) } }
        #expect(long.count >= 1 && long.count <= 2 && reports.withLock { $0.allSatisfy { $0 > .milliseconds(5) } })
    }

    /// Blocks the thread, as code does that must not be there.
    private static func block(for time: Duration) { Thread.sleep(forTimeInterval: time / .seconds(1)) }
}
