import HeliumConcurrency
import Synchronization
import TestSupport
import Testing

@testable import MessageBeast

/// Collects the elements of an observation in a task of its own.
final class ObservationRecorder<Value: Sendable & Equatable>: Sendable {
    private let state = Guarded<(values: [Value], error: MessageBeastError?, hasEnded: Bool)>(([], nil, false))
    private let task = Guarded<Task<Void, Never>?>(nil)

    init(_ observation: MessageManager.Observation<Value>) {
        let task = Task { [self] in
            do {
                for try await value in observation { state.withLock { $0.values.append(value) } }
            } catch {
                state.withLock { $0.error = error as? MessageBeastError }
            }
            state.withLock { $0.hasEnded = true }
        }
        self.task.withLock { $0 = task }
    }

    var values: [Value] { state.withLock { $0.values } }
    var error: MessageBeastError? { state.withLock { $0.error } }
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func cancel() { task.withLock { $0?.cancel() } }

    /// Waits until there are as many elements.
    func wait(for count: Int, file: StaticString = #fileID, line: UInt = #line) async throws {
        try await eventually(file: file, line: line) { values.count >= count }
    }
}
