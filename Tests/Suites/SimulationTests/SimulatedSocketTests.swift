import HeliumCore
import Testing

@testable import SimulationSupport

@Suite("Simulated sockets of Jetstream", .timeLimit(.minutes(1)))
struct SimulatedSocketTests {
    /// Both sides of a connection, with the frames that they received.
    private final class Sides: SimulatedSocket.Client, SimulatedSocket.Server {
        var socket: SimulatedSocket?
        var atClient: [String] = []
        var atServer: [String] = []
        var endCount = 0

        func arrived(_ item: SimulatedSocket.Item, on socket: SimulatedSocket) {
            if case .frame(let frame) = item { atClient.append(frame) }
        }

        func arrived(_ frame: String, on number: Int) { atServer.append(frame) }

        func ended(_ number: Int) { endCount += 1 }
    }

    /// A server that learns of the end long after the client receives what the client sends meanwhile, unless it is lost.
    @Test(
        "a connection that breaks once or more loses a suffix of each direction",
        arguments: [[], [500], [500, 800], [300, 600, 900]]
    )
    func losesSuffix(breaks: [Int]) throws {
        let frames = (0..<120).map { "\($0)" }
        for seed in 1...20 as ClosedRange<UInt64> {
            let (world, sides) = (SyncWorld(Simulation(seed: seed)), Sides())
            let socket = SimulatedSocket(1, client: sides, server: sides, in: world)
            sides.socket = socket
            for (number, frame) in frames.enumerated() {
                world.after(.milliseconds(10 * number)) {
                    socket.sendUp(frame)
                    socket.sendDown(.frame(frame))
                }
            }
            for time in breaks { world.after(.milliseconds(time)) { socket.breakOff(serverDelay: .seconds(30)) } }
            try world.pass(until: .seconds(60))
            for received in [sides.atClient, sides.atServer] {
                #expect(received == Array(frames.prefix(received.count)), "seed \(seed)")
                #expect((received.count == frames.count) == breaks.isEmpty, "seed \(seed)")
            }
            #expect(sides.endCount == (breaks.isEmpty ? 0 : 1))
        }
    }
}
