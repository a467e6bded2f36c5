import HeliumCore
import HeliumTesting
import MessageBeast

extension Operation.Scene {
    /// The name of a call that was disturbed and has thrown, as it is counted.
    static let disturbance = "disturbed call"

    /// Makes a call that writes. Some calls are cancelled at any time, and for some the database is busy.
    ///
    /// - Throws: The error of the call; ``Finding`` if the call has thrown although it has changed the store.
    func disturbed<Value: Sendable>(_ call: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let note = WriteNote()
        let task = Task { try await WriteNote.$current.withValue(note) { try await call() } }
        switch random.below(12) {
        case 0: task.cancel()
        case 1:
            // Some calls make requests.
            try? await world.simulation.clock.sleep(for: .milliseconds(random.below(200)))
            task.cancel()
        case 2: engine.gate.failDatabase(1)
        default: break
        }
        do {
            let value = try await task.value
            _ = note.end()
            return value
        } catch {
            // A kill may come after a commit.
            let hasChanged = note.end() && !engine.gate.isShut
            if hasChanged { throw Finding("a call has changed the store of \(engine.name), and has thrown \(error)") }
            world.simulation.trace.count(Self.disturbance)
            throw error
        }
    }

    /// Makes a call that creates a message, whose creation is recorded. If it throws, nothing is stored, unless the engine was
    /// killed.
    func finishCreation(of text: String, _ call: @escaping @Sendable () async throws -> MessagePlus) async throws {
        do {
            _ = try await disturbed(call)
        } catch {
            if !engine.gate.isShut { record.refuseCreation(of: text) }
            throw error
        }
        record.endCreation(of: text)
    }
}
