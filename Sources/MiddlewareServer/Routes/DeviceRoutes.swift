internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// The registration and update of devices (Docs/Protocols/Middleware.md §3.1 and §3.2).
struct DeviceRoutes: Sendable {
    let store: MiddlewareStore
    let maximumDevices: Int

    var routes: [MiddlewareRoute] {
        [
            MiddlewareRoute(
                id: "devices.create",
                kind: .create,
                resource: "devices",
                rules: DeviceRules.all,
                isSigned: false,
                isRegistration: true,
                run: create
            ),
            MiddlewareRoute(
                id: "devices.update",
                kind: .update,
                resource: "devices",
                rules: [Self.idRule] + DeviceRules.all,
                codes: [400: ["DeviceIdDoesNotExist"]],
                run: update
            ),
        ]
    }

    private static let idRule = ParameterRule(id: "id", section: .path, minimumLength: 32, maximumLength: 32)

    @Sendable private func create(_ call: MiddlewareCall) async throws -> JSONValue? {
        let userAgent = call.request.fields[.userAgent]
        guard DeviceDescription.isUsable(userAgent) else { throw RouteFailure(.badRequest) }
        let device = DeviceRecord(
            id: store.newID(byteCount: 16),
            status: .inactive,
            description: DeviceDescription.completed(call.values.body, userAgent: userAgent ?? ""),
            created: call.now,
            lastModified: call.now,
            client: AddressShare.client(of: call.request.address)
        )
        try await store.insert(device, maximum: maximumDevices)
        return ["id": .string(device.id)]
    }

    @Sendable private func update(_ call: MiddlewareCall) async throws -> JSONValue? {
        guard case .device(let device) = call.identity, device.id == call.identifier else {
            throw RouteFailure(.forbidden)
        }
        guard DeviceDescription.isUsable(call.request.fields[.userAgent]) else {
            let violation = Violation(
                code: "MinLengthUnderachieved",
                id: "userAgent",
                section: .header,
                message: "userAgent length is less than \(DeviceDescription.minimumUserAgentLength) chars"
            )
            throw RouteFailure(.internalServerError, errors: [violation.document])
        }
        // An update without changes is not an error.
        let change = call.values.body
        let now = call.now
        let changed = try await store.updateDevice(device.id, maximum: maximumDevices) { record in
            record.description = DeviceDescription.merged(record.description, with: change)
            record.lastModified = now
        }
        guard let changed else {
            throw RouteFailure(.badRequest, code: "DeviceIdDoesNotExist", "Device id does not exist")
        }
        return ["id": .string(changed.id)]
    }
}
