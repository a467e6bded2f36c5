import HeliumCore

/// A fault of network, clients or server. A further one is an entry of ``all``.
struct Fault: Sendable {
    let kind: Kind
    /// Its share among all faults.
    let share: Int
    /// Lets it happen to a client or the server.
    let happen: @Sendable (SyncWorld, SimulatedClient) -> Void

    static let all: [Fault] = [
        Self(kind: .brokenSocket, share: 30) { world, client in
            // Sometimes the server sees the end long after the client has opened another socket.
            let isLate = world.random.below(3) == 0
            client.process?.socket?.breakOff(serverDelay: isLate ? world.delay(100...40_000) : nil)
        },
        Self(kind: .deadSocket, share: 12) { _, client in client.process?.socket?.die() },
        Self(kind: .kill, share: 16) { world, client in
            client.kill(for: world.random.below(4) == 0 ? world.delay(1000...60_000) : world.delay(10...1000))
        },
        Self(kind: .close, share: 4) { _, client in client.process?.close() },
        Self(kind: .absence, share: 1) { world, client in client.kill(for: world.delay(600_000...700_000)) },
        Self(kind: .unreachable, share: 8) { world, client in client.cutOff(for: world.delay(100...20_000)) },
        Self(kind: .serverKill, share: 5) { world, _ in world.server?.kill(committing: false, losesStore: false) },
        Self(kind: .serverKillAfterCommit, share: 4) { world, _ in
            world.server?.kill(committing: true, losesStore: false)
        },
        Self(kind: .storeReset, share: 1) { world, _ in world.server?.kill(committing: false, losesStore: true) },
        Self(kind: .expiry, share: 4) { world, _ in world.server?.expireSessions() },
    ]

    static func pick(_ random: RandomSource) -> Fault { random.pick(all, by: \.share) }
}
