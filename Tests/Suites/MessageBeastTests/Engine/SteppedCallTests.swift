import AppNet
import TestSupport
import Testing

@testable import MessageBeast

/// Calls that are exempt from the contract of calls that write, because they consist of several transactions, or of a
/// request that changes the service and a transaction (Docs/Protocols/MessageBeast.md §4.2).
@Suite("Calls of several steps", .timeLimit(.minutes(5)), .tags(.random))
struct SteppedCallTests {
    /// Makes a call, and repeats it if something went wrong.
    ///
    /// - Parameter fault: The access that goes wrong.
    /// - Returns: What is there afterwards, and whether the fault has happened.
    private static func run(
        _ call: SteppedCall,
        _ fault: (number: Int, way: SteppedWorld.Way)?
    ) async throws -> (contents: String, hasHappened: Bool) {
        let world = try await SteppedWorld()
        try await call.prepare(world)
        if let fault { world.arm(fault.number, fault.way) }
        let start = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in start.stream { break }
            try await call.call(world)
        }
        world.faults.onCancel { task.cancel() }
        start.continuation.finish()
        let result = await task.result
        let happened = world.faults.hasHappened
        world.disarm()
        let comment: Comment = "\(call.name), \(String(describing: fault))"
        if fault == nil { try result.get() }
        #expect(try world.problems() == [], comment)
        if happened { try await call.call(world) }
        await world.manager.stop()
        #expect(try world.problems() == [], comment)
        return (try await world.contents(), happened)
    }

    /// Whether each access has its turn in every way. Otherwise there are gaps among the later ones, and the ways take
    /// turns from call to call.
    private static let isComplete = ProofLength.count(1, full: 2) > 1

    private static func ways(of call: SteppedCall) -> [SteppedWorld.Way] {
        let ways = SteppedWorld.Way.allCases
        guard !isComplete, let turn = SteppedCall.all.firstIndex(where: { $0.name == call.name }) else { return ways }
        return [ways[turn % ways.count]]
    }

    @Test(
        """
        a call of several steps that is cancelled or fails at any of them leaves a store without faults, and is completed \
        when it is repeated
        """,
        arguments: SteppedCall.all
    )
    func repetition(_ call: SteppedCall) async throws {
        let reference = try await Self.run(call, nil).contents
        for way in Self.ways(of: call) {
            var number = 0
            while true {
                let outcome = try await Self.run(call, (number, way))
                #expect(outcome.contents == reference, "\(call.name), \(way) at access \(number)")
                guard outcome.hasHappened else { break }
                number += Self.isComplete ? 1 : 1 + number
            }
        }
    }
}
