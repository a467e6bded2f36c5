import JetstreamCore

/// A client's device: its store, and the process that runs, if one does.
final class SimulatedClient {
    let number: Int
    private unowned let world: SyncWorld
    /// The stored session, which outlives processes.
    var stored: StoredSession?
    private(set) var process: ClientProcess?
    private var launches = 0
    /// Whether the network of the device works.
    private(set) var isReachable = true

    var name: String { ["ann", "bob", "cid"][number % 3] }

    init(_ number: Int, in world: SyncWorld) {
        self.number = number
        self.world = world
        world.after(world.delay(0...500)) { [unowned self] in launch() }
    }

    private func launch() {
        launches += 1
        process = ClientProcess("\(name)\(launches)", of: self, in: world)
        process?.begin()
    }

    /// Ends the process, whatever it does. Only the store is left.
    ///
    /// - Parameter pause: The time until another begins.
    func kill(for pause: Duration) {
        guard let process else { return }
        world.note("\(process.name) is killed")
        process.die()
        self.process = nil
        relaunch(after: pause)
    }

    /// Begins another process after the client of the one before has ended.
    func processEnded() {
        relaunch(after: world.delay(100...3000))
    }

    /// Begins another process, unless one begins before: of a process that ends and is then killed there is one successor.
    private func relaunch(after pause: Duration) {
        let count = launches
        world.after(pause) { [unowned self] in
            guard launches == count else { return }
            process?.die()
            launch()
        }
    }

    func cutOff(for pause: Duration) {
        guard isReachable else { return }
        isReachable = false
        process?.socket?.breakOff()
        world.after(pause) { [unowned self] in isReachable = true }
    }

    /// Ends what only a fault or a user would end.
    func heal() {
        isReachable = true
        process?.document?.endPauses()
    }
}
