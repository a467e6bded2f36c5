import AppNet
import Foundation
import GRDB
import HeliumCore
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import MessageBeast

/// Two devices of one user with the engine, and the server: random calls, a bad network, kills and clocks that jump. When all
/// is quiet, nothing is lost and nothing doubled (Docs/Protocols/MessageBeast.md §11.5).
enum BeastSystem: SimulatedSystem {
    static let name = "beast"
    static let kinds: [String] = {
        let fates = RequestFate.all.dropFirst().map(\.kind)
        let places = ["at rest", "request", "response", "read", "write", "commit", "committed"]
        return fates + [NetworkWeather.jump, Gate.failure, Operation.Scene.disturbance] + Stillness.kinds
            + places.map { "killed: \($0)" }
            + CrashPointCount.kinds
    }()

    /// The parts that outlive every engine.
    struct World: Sendable {
        let simulation: Simulation
        /// The server with nothing in between.
        let server: InMemoryTransport
        /// The service at the other end of the devices' networks.
        let service: ArrivalTransport
        let root: URL
        let account: AppNetUser.ID
        let rules: SendingRules
        let record = CallRecord()
    }

    /// The operations of a device.
    private static let operationCount = 30

    static func simulate(_ simulation: Simulation) async throws { try await simulate(simulation) { $0 } }

    /// - Parameter change: What is put between the devices' networks and the server.
    static func simulate(
        _ simulation: Simulation,
        changing change: (InMemoryTransport) -> any HTTPTransport
    ) async throws {
        let world = try await world(of: simulation, changing: change)
        let random = simulation.random("setting")
        let devices = try ["phone", "laptop"].map { name in
            SimulatedDevice(name, processes: random.below(3) == 0 ? 2 : 1, world: world, disk: try DatabaseQueue())
        }
        let hasDuplicate = random.below(4) == 0
        let channels = try await channels(
            of: devices,
            makesDuplicate: hasDuplicate ? { try await DuplicateChannel(world: world, journal: $0).make() } : nil
        )
        for device in devices { try Parkings.watch(device.disk) }
        for device in devices {
            device.network.setWeather([.fair, .foul, .foul, .foul, .slow, .slow][random.below(6)])
            device.setKills(true)
        }
        try await withThrowingTaskGroup { group in
            for device in devices { group.addTask { try await use(device, channels, world) } }
            try await group.waitForAll()
        }
        try await Stillness(world: world, devices: devices, channels: channels, random: random).check()
        try await Oracle(world: world, devices: devices, channels: channels).check()
    }

    private static func world(
        of simulation: Simulation,
        changing change: (InMemoryTransport) -> any HTTPTransport
    ) async throws -> World {
        let server = try EmbeddedServer(.repeatable(clock: simulation.clock, random: simulation.random("server")))
        let transport = try InMemoryTransport(server, clock: simulation.clock)
        let rules = SendingRules()
        var configuration = AppNetConfiguration(token: "alice-token", baseURL: transport.ready.appNet.root)
        configuration.environment = ClientEnvironment(transport: transport, clock: simulation.clock)
        let client = try AppNetClient(configuration: configuration)
        guard let account = try await client.users.get(.me).id else { throw Finding("the user has no id") }
        return World(
            simulation: simulation,
            server: transport,
            service: ArrivalTransport(base: change(transport), rules: rules),
            root: transport.ready.appNet.root,
            account: account,
            rules: rules
        )
    }

    /// The channels, which the first device has made and the others have found.
    ///
    /// - Parameter makesDuplicate: Makes a second channel for the actions before a device looks for one.
    static func channels(
        of devices: [SimulatedDevice],
        makesDuplicate: ((AppNetChannel.ID) async throws -> AppNetChannel.ID)? = nil
    ) async throws -> Channels {
        var all: [Channels] = []
        var duplicate: AppNetChannel.ID?
        for device in devices {
            let manager = try await device.engine().manager
            let journal = try await manager.privateChannel(ofType: "com.example.journal").id
            let notes = try await manager.privateChannel(ofType: "com.example.notes").id
            if all.isEmpty { duplicate = try await makesDuplicate?(journal) }
            let actions = try await manager.actions.channel(ofType: Channels.actionType, target: journal).id
            all.append(Channels(journal: journal, notes: notes, actions: actions, duplicate: duplicate))
        }
        guard all.allSatisfy({ $0.all == all[0].all }) else { throw Finding("the devices have different channels") }
        return all[0]
    }

    /// Does random things with a device, some of them at the same time.
    private static func use(_ device: SimulatedDevice, _ channels: Channels, _ world: World) async throws {
        let random = world.simulation.random("user of \(device.name)")
        try await withThrowingTaskGroup { group in
            for _ in 0..<operationCount {
                // Seldom long enough for a late request to arrive.
                let pause = random.below(8) == 0 ? random.below(90_000) : random.below(4000)
                try await world.simulation.clock.sleep(for: .milliseconds(pause))
                let operation = Operation.pick(random)
                let process = random.below(device.processCount)
                // What runs beside other things reads.
                let isOfActions = operation.isConcurrent && random.below(4) == 0
                let content = random.below(3) == 0 ? channels.notes : channels.journal
                let channel = isOfActions ? channels.actions : content
                let work: @Sendable () async throws -> Void = {
                    try await run(operation, on: device, process, channels, channel, random, world)
                }
                if operation.isConcurrent, random.below(2) == 0 {
                    group.addTask { try await work() }
                } else {
                    try await work()
                }
            }
            try await group.waitForAll()
        }
    }

    private static func run(
        _ operation: Operation,
        on device: SimulatedDevice,
        _ process: Int,
        _ channels: Channels,
        _ channel: AppNetChannel.ID,
        _ random: RandomSource,
        _ world: World
    ) async throws {
        let trace = world.simulation.trace
        var engine: SimulatedDevice.Incarnation?
        do {
            let running = try await device.engine(process)
            engine = running
            trace.event("call \(running.name) \(operation.name)")
            let scene = Operation.Scene(
                world: world,
                device: device,
                process: process,
                engine: running,
                channels: channels,
                channel: channel,
                random: random
            )
            try await operation.run(scene)
            trace.event("returned \(running.name) \(operation.name)")
        } catch {
            trace.event("failed \(engine?.name ?? device.name) \(operation.name): \(error)")
            guard engine?.gate.isShut != false || isExpected(error) else {
                throw Finding("\(operation.name) on \(engine?.name ?? device.name) failed: \(error)")
            }
        }
    }

    /// Whether an error belongs to a bad network, to an engine that was stopped, or to calls at the same time.
    private static func isExpected(_ error: any Error) -> Bool {
        switch error {
        case is AppNetError, is CancellationError, is Gate.Shut: true
        case let error as MessageBeastError: [.blocked, .locked, .notFound, .stopped].contains(error.kind)
        default: false
        }
    }
}

/// Something that the engine did wrong.
struct Finding: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
