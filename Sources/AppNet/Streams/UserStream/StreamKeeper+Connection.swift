internal import Foundation
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumJSON
internal import Synchronization

/// One connection, from its opening to its end.
extension StreamKeeper {
    func use(_ connection: StreamConnection, _ confirm: @escaping @Sendable () -> Void) async throws {
        let (work, continuation) = AsyncStream.makeStream(of: String.self)
        let number = state.withLock { state in
            state.lastNumber += 1
            state.connection = Connection(number: state.lastNumber, work: continuation)
            return state.lastNumber
        }
        defer {
            continuation.finish()
            state.withLock { state in
                if state.connection?.number == number { state.connection = nil }
            }
        }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.read(connection, confirm) }
                group.addTask { try await self.readLists(work, continuation, confirm) }
                group.addTask { try await self.tend(connection) }
                // Whichever ends first has found that the connection is over.
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch {
            await connection.end()
            throw error
        }
        await connection.end()
    }

    // MARK: Reading

    private func read(_ connection: StreamConnection, _ confirm: () -> Void) async throws {
        var frames = StreamFrames(connection, options: options.connection, endpoint: endpoint)
        if let id = connection.announcedID { begin(id) }
        while let bytes = try await frames.next() {
            guard let frame = try? EventFrame(bytes, dialect: client.dialect) else {
                // It may have been of anything.
                everybodyMissed()
                continue
            }
            if let id = frame.meta.connectionID, isUnnamed { begin(id) }
            if route(frame) { confirm() }
        }
    }

    private var isUnnamed: Bool { state.withLock { $0.connection != nil && $0.connection?.id == nil } }

    /// The service has named the connection: subscribes to everything on it.
    ///
    /// The same name as before tells that the stream goes on (§2.14). As a name of our choosing is answered too where
    /// the service has forgotten the stream, the lists are read in any case; subscribing again changes nothing.
    private func begin(_ id: String) {
        state.withLock { state in
            state.connection?.isResumed = client.dialect == .appNet && state.lastID?.hasSameBytes(as: id) == true
            state.connection?.id = id
            state.lastFailure = nil
            state.lastID = id
            for (id, follower) in state.followers {
                follower.connected()
                state.connection?.work.yield(id.string)
            }
        }
    }

    /// - Returns: Whether it was for somebody.
    private func route(_ frame: EventFrame) -> Bool {
        let ids = frame.subscriptionIDs
        let followers = state.withLock { state in ids.compactMap { id in state.followers[id].map { (id, $0) } } }
        for (id, follower) in followers {
            switch follower.received(frame) {
            case nil: break
            case .reading: readAgain([id])
            case .leaving: leaveSoon(id)
            }
        }
        return !followers.isEmpty
    }

    private func everybodyMissed() {
        let followers = state.withLock { $0.followers }
        for follower in followers.values { follower.missed() }
        readAgain(followers.keys.map(\.string))
    }

    private func readAgain(_ ids: some Sequence<String> & Sendable) {
        state.withLock { state in
            // Whatever was replayed, something is missing.
            state.connection?.isResumed = false
            for id in ids { state.connection?.work.yield(id) }
        }
    }

    // MARK: Lists

    /// Reads the lists that have to be, several at once.
    private func readLists(
        _ work: AsyncStream<String>,
        _ end: AsyncStream<String>.Continuation,
        _ confirm: @escaping @Sendable () -> Void
    ) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await id in work {
                group.addTask {
                    do { try await self.readList(id, confirm) } catch {
                        // Nothing more is begun: the connection is over.
                        end.finish()
                        throw error
                    }
                }
            }
        }
        try Task.checkCancellation()
    }

    private func readList(_ id: String, _ confirm: () -> Void) async throws {
        let (follower, connection) = state.withLock { ($0.followers[id], $0.connection) }
        guard let follower, let connection, let connectionID = connection.id else { return }
        let parameters = StreamSubscriptionParameters(connectionID: connectionID, subscriptionID: id)
        let goesOn: Bool
        do {
            goesOn = try await follower.catchUp(parameters, isResumed: connection.isResumed)
        } catch is DoubtfulConnection {
            throw endpoint.error(.connectionLost, .answered, "the service does not know the connection any more")
        }
        if goesOn {
            confirm()
        } else {
            state.withLock { state in
                // Another may have taken its name meanwhile.
                if state.followers[id]?.isOver == true { state.followers[id] = nil }
            }
        }
    }

    // MARK: Signs of life

    /// Watches that the service names the connection in time, and says something now and then where that is expected.
    private func tend(_ connection: StreamConnection) async throws {
        let clock = endpoint.clock
        try await clock.sleep(for: options.connection.connectTimeout)
        if isUnnamed {
            var error = endpoint.error(.timedOut, .answered, "the service did not name the connection in time")
            error[fact: \.phase] = .firstByte
            throw error
        }
        while client.dialect == .pnut {
            // pnut.io ends a connection on which nothing was said for 60 seconds (§6.2).
            try await connection.sendSignOfLife()
            try await clock.sleep(for: .seconds(45))
        }
        try await clock.sleep(for: .seconds(100 * 366 * 86_400))
    }
}
