internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumWebSocket

/// Maintains a client's sockets: opens one after another and carries frames between each and the ``ClientCore``.
struct ConnectionKeeper: Sendable {
    let core: ClientCore
    let transport: any JetstreamTransport
    let options: JetstreamClientOptions
    let status: CurrentValue<ConnectionState>

    /// The client has ended and needs no other socket.
    private struct HasEnded: Error {}

    /// Maintains the connection until the client ends or the task is cancelled. Everything is settled and stored by
    /// then.
    func run() async {
        if await load() {
            let connection = SupervisedConnection<any JetstreamSocket>(
                policy: options.backoff,
                clock: options.clock,
                random: options.random,
                isPassing: Self.isPassing,
                connect: { [core, transport] in try await transport.connect(token: core.token) },
                use: { socket, confirm in try await use(socket, confirm) }
            )
            let work = Task { await connection.run(reportingTo: status) }
            core.ended.add { _ in work.cancel() }
            let failure = await withTaskCancellationHandler {
                await work.value
            } onCancel: {
                // In another task, because closing resumes the readers of scopes. In a cancellation handler, that can
                // deadlock with the cancellation of a reader whose own handler cancels this task.
                Task { core.handle(.close) }
            }
            if core.end == nil { core.handle(.fail(Self.error(of: failure))) }
        }
        _ = await saveSession()
        let reason = core.end.flatMap { $0.kind == .clientClosed ? nil : $0 }
        status.finish(.closed(reason: reason))
        core.sessionEvents.finish()
    }

    /// Returns whether another socket may succeed. After 4096 and 4097 the session is over, and the machine decides on
    /// another.
    private static func isPassing(_ error: any Error) -> Bool {
        guard let error = error as? HeliumError else { return false }
        if error.kind == .closedByPeer, error.code == 4096 || error.code == 4097 { return false }
        return error.isTransient || error.kind == .ceilingExceeded
    }

    private static func error(of failure: (any Error)?) -> JetstreamError {
        if let failure = failure as? JetstreamError { return failure }
        return JetstreamError(.connectionFailed, "the connection failed", delivery: .notSent, underlying: failure)
    }
}

// MARK: One socket

extension ConnectionKeeper {
    /// Uses a socket until it ends. If this throws, the next socket is opened after a delay, or none is opened.
    private func use(_ socket: any JetstreamSocket, _ confirm: @escaping @Sendable () -> Void) async throws {
        let (outbound, closing) = core.socketOpened()
        var failure: (any Error)?
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await send(outbound, over: socket) }
            group.addTask { try? await core.keepTime(of: socket) }
            group.addTask {
                // The receive loop below detects the end.
                if (try? await closing.value()) != nil { await socket.close() }
            }
            do { try await receive(from: socket, confirm) } catch { failure = error }
            group.cancelAll()
        }
        // The old socket is closed before another one resumes the session: a server may confuse the two ends
        // (Docs/Protocols/Jetstream.md §5.5).
        await socket.close()
        let end = Self.end(of: socket, failure)
        core.handle(.closed(end))
        if core.end != nil { throw HasEnded() }
        if let failure, end.code != 4096, end.code != 4097 { throw failure }
    }

    private func receive(from socket: any JetstreamSocket, _ confirm: @Sendable () -> Void) async throws {
        while let frame = try await socket.receive() {
            core.handle(.received(frame))
            confirm()
            try await core.waitForRoom()
        }
    }

    /// Sends frames. Before each frame, the store is updated if numbered messages or settled change sets are missing in
    /// it.
    private func send(_ outbound: BoundedQueue<String>, over socket: any JetstreamSocket) async {
        while let frame = try? await outbound.next() {
            guard await saveSession() else { return }
            // A failed send ends the socket, which the receive loop detects.
            guard (try? await socket.send(frame)) != nil else { return }
        }
    }

    private static func end(of socket: any JetstreamSocket, _ failure: (any Error)?) -> SocketEnd {
        let closure = socket.closure
        let error = failure as? HeliumError
        let code =
            switch error?.kind {
            case .closedByPeer?: error?.code ?? 1006
            case .protocolViolated?: 1002
            case nil where failure == nil: closure?.code ?? 1000
            default: 1006
            }
        return SocketEnd(code: code, reason: closure?.reason ?? "", error: error)
    }
}

// MARK: The store

extension ConnectionKeeper {
    /// Restores the session of an earlier process.
    ///
    /// - Returns: `false` if the store failed, which ends the client.
    private func load() async -> Bool {
        guard let store = options.sessionStore else { return true }
        do {
            if let stored = try await store.load() { core.handle(.restore(stored)) }
            return true
        } catch {
            core.handle(.fail(storeFailure(error)))
            return false
        }
    }

    /// Writes the session to the store if the store is behind.
    ///
    /// - Returns: `false` if the store failed, which ends the client.
    private func saveSession() async -> Bool {
        guard let store = options.sessionStore, let session = core.takeUnsavedSession() else { return true }
        do {
            // The end of a socket cancels this task. A store that gave up then would end the client.
            try await Task { try await store.save(session) }.value
            return true
        } catch {
            core.handle(.fail(storeFailure(error)))
            return false
        }
    }

    private func storeFailure(_ error: any Error) -> JetstreamError {
        if let error = error as? JetstreamError { return error }
        return JetstreamError(
            .storeFailed,
            "the session can't be read from its store or written to it",
            delivery: .notSent,
            underlying: error
        )
    }
}
