import HeliumCore

@testable import HeliumCurl

/// The simulation's side of a loop: its clock, its connections and its wait.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class WireDriver: LoopDriver, @unchecked Sendable {
    private unowned let world: WireWorld
    private(set) var closes = 0

    init(_ world: WireWorld) { self.world = world }

    var now: UInt64 { world.now }

    func makeConnector(allowsLocalAddresses: Bool) -> (any LoopConnector)? { WireConnector(world) }

    func perform(now: UInt64) { world.perform() }
    func wait(until deadline: UInt64) -> Bool { world.wait(until: deadline) }
    func wake() { world.wake() }
    func close() { closes += 1 }

    // libcurl has no part in it.
    func serve(_ multi: UnsafeMutableRawPointer) {}
    func didOpen(_ socket: Int32) {}
    func willClose(_ socket: Int32) {}
    func watch(_ socket: Int32, for channel: ByteChannel) {}
}

/// Makes the simulated connections.
private final class WireConnector: LoopConnector {
    private unowned let world: WireWorld

    init(_ world: WireWorld) { self.world = world }

    func connect(_ channel: ByteChannel) -> (any ChannelLine)? { world.connect(channel) }
    func collect() { world.collect() }

    func dispose() {
        world.expect(world.lines.allSatisfy(\.isClosed), "connections are left at the end of the loop")
    }
}
