import AppNet
import Foundation
import GRDB
import HeliumConcurrency
import HeliumCore
import HeliumDatabase
import HeliumTesting
import MessageBeast
import Synchronization

/// A device: a disk, a clock and a network, which outlive its engines.
final class SimulatedDevice: Sendable {
    /// One life of an engine, until it is killed or stopped.
    struct Incarnation: Sendable {
        let name: String
        let gate: Gate
        let manager: MessageManager
    }

    let name: String
    let disk: DatabaseQueue
    let staged = StagedDisk()
    let network: SimulatedNetwork
    let clock: DeviceClock
    private let connectivity = AppConnectivity()
    private let simulation: Simulation
    private let world: BeastSystem.World
    private let random: RandomSource
    private let options: MessageManager.Options
    private let transport: TracingTransport
    private let state: Guarded<State>

    private struct State {
        /// The engines of the device's processes: an app, and on some devices a worker on the same file.
        var processes: [Incarnation?]
        var count = 0
        var killsEngines = false
    }

    /// The gates of the engines that have not ended, by owner. Apart, because an engine ends while another one takes its place.
    private let alive = Guarded<[String: Gate]>([:])

    init(_ name: String, processes: Int, world: BeastSystem.World, disk: DatabaseQueue) {
        self.name = name
        self.world = world
        self.disk = disk
        simulation = world.simulation
        random = simulation.random("device \(name)")
        clock = DeviceClock(simulation.clock)
        network = SimulatedNetwork(
            world.service,
            clock: clock,
            random: simulation.random("network \(name)"),
            trace: simulation.trace,
            weather: .fair
        )
        transport = TracingTransport(network, simulation.trace)
        var options = MessageManager.Options()
        // Small pages and few attempts: what happens with many messages, happens with few.
        options.pageSize = [2, 3, 7, 40][random.below(4)]
        options.maximumSendAttempts = 3 + random.below(6)
        self.options = options
        state = Guarded(State(processes: Array(repeating: nil, count: processes)))
        disk.add(transactionObserver: TransactionTracer(name, simulation.trace), extent: .databaseLifetime)
    }

    var processCount: Int { state.withLock { $0.processes.count } }

    /// Sets whether kills are planned for new engines.
    func setKills(_ areOn: Bool) { state.withLock { $0.killsEngines = areOn } }

    /// The engine of a process; a new one after a kill.
    func engine(_ process: Int = 0) async throws -> Incarnation {
        if let running = state.withLock({ $0.processes[process] }), !running.gate.isShut { return running }
        let started = try open()
        state.withLock { $0.processes[process] = started }
        do {
            try await started.manager.start()
        } catch {
            // An app whose engine does not start ends, and is opened again.
            kill(process)
            throw error
        }
        return started
    }

    /// The engines that run.
    var running: [Incarnation] { state.withLock { $0.processes.compactMap(\.self) }.filter { !$0.gate.isShut } }

    /// Sets whether requests leave the device, and reports it to the engines.
    func setReachable(_ isReachable: Bool) {
        network.setReachable(isReachable)
        connectivity.isReachable = isReachable
    }

    /// Kills the engine of a process now.
    func kill(_ process: Int) {
        let running = state.withLock { state in
            defer { state.processes[process] = nil }
            return state.processes[process]
        }
        running?.gate.shut()
    }

    /// Stops the engine of a process, as an app that ends.
    func stop(_ process: Int) async {
        let running = state.withLock { state in
            defer { state.processes[process] = nil }
            return state.processes[process]
        }
        await running?.manager.stop()
    }

    /// Ends all processes without a kill.
    func stop() async { for process in 0..<processCount { await stop(process) } }

    private func open() throws -> Incarnation {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let name = "\(name).\(number)"
        let gate = Gate(name, simulation.trace)
        let watched = WatchedTransport(
            base: transport,
            rules: world.rules,
            engine: name,
            device: self.name,
            gate: gate
        )
        var configuration = AppNetConfiguration(token: "alice-token", baseURL: world.root)
        configuration.environment = ClientEnvironment(
            transport: gate.gated(watched),
            clock: gate.gated(clock),
            random: simulation.random("engine \(name)")
        )
        var options = options
        options.reached = { [trace = simulation.trace] in CrashPointCount(trace: trace, gate: gate).reached($0) }
        let owner = "\(configuration.environment.random.bits())"
        alive.withLock { $0[owner] = gate }
        let manager = try MessageManager(
            client: try AppNetClient(configuration: configuration),
            account: world.account,
            database: gate.gated(disk),
            owners: DeviceOwners(own: owner, device: self),
            configuration: .derivingAll,
            options: options,
            connectivity: connectivity,
            staged: staged,
            passing: { try gate.pass($0) }
        )
        let events = manager.events
        Task { [trace = simulation.trace] in
            for await event in events where !gate.isShut { trace.event("event \(name): \(event)") }
        }
        if state.withLock({ $0.killsEngines }) { plan(gate) }
        return Incarnation(name: name, gate: gate, manager: manager)
    }

    /// Decides when an engine is killed.
    private func plan(_ gate: Gate) {
        switch random.below(4) {
        case 0: break
        case 1:
            let points = CrashPoint.allCases
            gate.shut(atPlace: "\(points[random.below(points.count)])", occurrence: 1 + random.below(3))
        default: gate.shut(after: 1 + random.below(160))
        }
    }

    fileprivate func isAlive(_ owner: String) -> Bool { alive.withLock { $0[owner] }?.isShut == false }

    fileprivate func end(_ owner: String) { alive.withLock { $0[owner] = nil } }
}

/// The engines of a device's database.
private struct DeviceOwners: ClaimOwners {
    let own: String
    // Weak: engines keep nothing alive that a run has ended with.
    weak let device: SimulatedDevice?

    func isAlive(_ owner: String) -> Bool { device?.isAlive(owner) ?? false }

    func end() { device?.end(own) }
}

extension MessageManagerConfiguration {
    /// Everything that messages of a simulation have is derived.
    fileprivate static var derivingAll: Self {
        var configuration = Self()
        configuration.isHashtagExtractionEnabled = true
        configuration.isLocationLookupEnabled = true
        configuration.annotationTypes = [MessageBeastNames.ohaiLocation, MessageBeastNames.attachments]
        configuration.dateAdapter = .ohaiDisplayDate
        return configuration
    }
}
