internal import Foundation
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumJSON
internal import Synchronization

/// The lifetime of one connection.
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
                // The first task that ends has found that the connection has ended.
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
                // The frame may have been for any subscription.
                markAllMissed()
                continue
            }
            if let id = frame.meta.connectionID, isUnnamed { begin(id) }
            if route(frame) { confirm() }
        }
    }

    private var isUnnamed: Bool { state.withLock { $0.connection != nil && $0.connection?.id == nil } }

    /// Handles the id that the service gave the connection, and subscribes everything to it.
    ///
    /// An unchanged id means that the stream was resumed (Docs/Protocols/AppNet.md §2.14). However, the service also
    /// returns an id that the client chose if it has forgotten the stream. The lists are therefore always read.
    /// Subscribing again has no effect.
    private func begin(_ id: String) {
        let (work, ids) = state.withLock { state in
            let isSame = state.lastID?.hasSameBytes(as: id) == true
            state.connection?.isResumed = client.dialect == .appNet && isSame
            // Another stream has no subscriptions yet.
            if !isSame || options.isAutoDeleted { state.requested = [] }
            state.connection?.id = id
            state.lastFailure = nil
            state.lastID = id
            for follower in state.followers.values { follower.connected() }
            // Including those that ended in the meantime, to delete them.
            return (state.connection?.work, state.requested.union(state.followers.keys))
        }
        for id in ids { work?.yield(id.string) }
    }

    /// - Returns: `true` if the frame was for at least one subscription.
    private func route(_ frame: EventFrame) -> Bool {
        let ids = frame.subscriptionIDs
        let followers = state.withLock { state in ids.compactMap { id in state.followers[id].map { (id, $0) } } }
        for (id, follower) in followers {
            switch follower.received(frame) {
            case nil: break
            case .reading: readAgain([id])
            case .leaving: leaveSoon(id, follower)
            }
        }
        return !followers.isEmpty
    }

    private func markAllMissed() {
        let followers = state.withLock { $0.followers }
        for follower in followers.values { follower.missed() }
        readAgain(followers.keys.map(\.string))
    }

    private func readAgain(_ ids: some Sequence<String> & Sendable) {
        let work = state.withLock { state in
            // Even if events were replayed, something is missing.
            state.connection?.isResumed = false
            return state.connection?.work
        }
        for id in ids { work?.yield(id) }
    }

    // MARK: Lists

    /// Reads the lists of the subscriptions that need it, several at once.
    private func readLists(
        _ work: AsyncStream<String>,
        _ end: AsyncStream<String>.Continuation,
        _ confirm: @escaping @Sendable () -> Void
    ) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await id in work {
                group.addTask {
                    do { try await self.readList(id, confirm) } catch {
                        // The connection has ended, so no further reading is started.
                        end.finish()
                        throw error
                    }
                }
            }
        }
        try Task.checkCancellation()
    }

    /// Reads the list of a subscription, or deletes the subscription on the service if it has ended.
    private func readList(_ id: String, _ confirm: () -> Void) async throws {
        guard let follower = state.withLock({ $0.followers[id] }) else { return await delete(id) }
        guard follower.beginReading() else { return }
        try await inTurn(of: id) {
            // The subscription may have ended while it waited.
            guard let connection = beginRequest(id, of: follower), let connectionID = connection.id else { return }
            let parameters = StreamSubscriptionParameters(connectionID: connectionID, subscriptionID: id)
            do {
                if try await follower.catchUp(parameters, isResumed: connection.isResumed) {
                    confirm()
                } else {
                    leaveSoon(id, follower)
                }
            } catch is DoubtfulConnection {
                throw endpoint.error(.connectionLost, .answered, "the service no longer knows the connection")
            }
        }
    }

    // MARK: Keep-alive

    /// Checks that the service names the connection in time, and sends keep-alives where they are required.
    private func tend(_ connection: StreamConnection) async throws {
        let clock = endpoint.clock
        var limit = options.connection.connectTimeout
        while client.dialect == .pnut, limit > Self.keepAliveInterval {
            try await clock.sleep(for: Self.keepAliveInterval)
            try await connection.sendKeepAlive()
            limit -= Self.keepAliveInterval
        }
        try await clock.sleep(for: limit)
        if isUnnamed {
            var error = endpoint.error(.timedOut, .answered, "the service did not send the connection's id in time")
            error[fact: \.phase] = .firstByte
            throw error
        }
        while client.dialect == .pnut {
            try await connection.sendKeepAlive()
            try await clock.sleep(for: Self.keepAliveInterval)
        }
        try await clock.sleep(for: .century)
    }

    /// pnut.io closes a connection on which the client has sent nothing for 60 seconds (Docs/Protocols/AppNet.md §6.2).
    private static let keepAliveInterval = Duration.seconds(45)
}
