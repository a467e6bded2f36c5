internal import HeliumConcurrency
internal import Synchronization

/// Devices and todos in memory: gone when the server stops.
final class MemoryStore: MiddlewareStore {
    private struct State {
        var devices: [String: DeviceRecord] = [:]
        /// In the order of creation.
        var todos: [TodoRecord] = []
    }

    private let state = Guarded(State())

    func device(_ id: String) -> DeviceRecord? { state.withLock { $0.devices[id] } }

    func save(_ device: DeviceRecord, maximum: Int) {
        state.withLock { state in
            if state.devices[device.id] == nil, state.devices.count >= maximum,
                let oldest = state.devices.values.min(by: { ($0.lastModified, $0.id) < ($1.lastModified, $1.id) })
            {
                state.devices[oldest.id] = nil
            }
            state.devices[device.id] = device
        }
    }

    func updateDevice(
        _ id: String,
        _ change: @escaping @Sendable (inout DeviceRecord) -> Void
    ) -> DeviceRecord? {
        state.withLock { state in
            guard var record = state.devices[id] else { return nil }
            change(&record)
            state.devices[id] = record
            return record
        }
    }

    func removeDevice(_ id: String) -> Bool { state.withLock { $0.devices.removeValue(forKey: id) != nil } }

    func removeDevices(where isRemoved: @escaping @Sendable (DeviceRecord) -> Bool) -> Int {
        state.withLock { state in
            let before = state.devices.count
            state.devices = state.devices.filter { !isRemoved($0.value) }
            return before - state.devices.count
        }
    }

    func deviceCount() -> Int { state.withLock { $0.devices.count } }

    func todo(_ id: String) -> TodoRecord? { state.withLock { $0.todos.first { $0.id == id } } }

    func todos(by order: TodoOrder?, skip: Int, limit: Int) -> [TodoRecord] {
        let all = state.withLock { $0.todos }
        let sorted: [TodoRecord]
        switch order {
        // Swift's sort is stable in practice but does not promise it, hence the position as the second key.
        case .id: sorted = all.sortedStably(by: \.id)
        case .name: sorted = all.sortedStably(by: \.name)
        case .status: sorted = all.sortedStably(by: \.status)
        case .group: sorted = all.sortedStably(by: \.group)
        case .created: sorted = all.sortedStably(by: \.created)
        case .lastModified: sorted = all.sortedStably(by: \.lastModified)
        case nil: sorted = all
        }
        return Array(sorted.dropFirst(skip).prefix(limit))
    }

    func insert(_ todo: TodoRecord, maximum: Int) {
        state.withLock { state in
            if state.todos.count >= maximum { state.todos.removeFirst(state.todos.count - maximum + 1) }
            state.todos.append(todo)
        }
    }

    func updateTodo(_ id: String, _ change: @escaping @Sendable (inout TodoRecord) -> Void) -> TodoRecord? {
        state.withLock { state in
            guard let index = state.todos.firstIndex(where: { $0.id == id }) else { return nil }
            change(&state.todos[index])
            return state.todos[index]
        }
    }

    func removeTodo(_ id: String) -> Bool {
        state.withLock { state in
            guard let index = state.todos.firstIndex(where: { $0.id == id }) else { return false }
            state.todos.remove(at: index)
            return true
        }
    }
}

extension [TodoRecord] {
    fileprivate func sortedStably(by key: (TodoRecord) -> some Comparable) -> Self {
        enumerated()
            .sorted { (key($0.element), $0.offset) < (key($1.element), $1.offset) }
            .map(\.element)
    }
}
