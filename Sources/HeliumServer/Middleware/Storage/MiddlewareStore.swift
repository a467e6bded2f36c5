/// Where devices and todos live. Every method is one atomic step.
protocol MiddlewareStore: Sendable {
    func device(_ id: String) async throws -> DeviceRecord?
    /// Inserts or replaces; a new device beyond `maximum` first removes the one with the oldest `lastModified`.
    func save(_ device: DeviceRecord, maximum: Int) async throws
    /// Applies `change` to a stored device. Returns the changed record, nil where there is none.
    func updateDevice(
        _ id: String,
        _ change: @escaping @Sendable (inout DeviceRecord) -> Void
    ) async throws -> DeviceRecord?
    func removeDevice(_ id: String) async throws -> Bool
    /// Removes the devices for which `isRemoved` holds, and tells how many those were.
    func removeDevices(where isRemoved: @escaping @Sendable (DeviceRecord) -> Bool) async throws -> Int
    func deviceCount() async throws -> Int

    func todo(_ id: String) async throws -> TodoRecord?
    /// A page of the todos in ascending order.
    func todos(by order: TodoOrder?, skip: Int, limit: Int) async throws -> [TodoRecord]
    /// Inserts; beyond `maximum` the oldest is removed.
    func insert(_ todo: TodoRecord, maximum: Int) async throws
    /// Applies `change` to a stored todo. Returns the changed record, nil where there is none.
    func updateTodo(
        _ id: String,
        _ change: @escaping @Sendable (inout TodoRecord) -> Void
    ) async throws -> TodoRecord?
    func removeTodo(_ id: String) async throws -> Bool
}
