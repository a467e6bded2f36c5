import Foundation
import HeliumConcurrency
import HeliumKit
import HeliumServer
import HeliumWebSocket
import JetstreamCore
import Synchronization

/// The steps of the demonstration with a drawing that two clients share.
struct JetstreamDemo {
    private let control: JetstreamControl
    private let one: Drawer
    private let two: Drawer
    /// The connection of the second client.
    private let line = DemoLine()

    init(_ server: ReadyInformation.Jetstream, control: JetstreamControl) throws {
        self.control = control
        one = try Drawer("one", server.webSocket)
        two = try Drawer("two", server.webSocket, over: line)
    }

    func run(_ stage: inout DemoStage) async {
        await stage.step("open a drawing on two clients") {
            for drawer in [one, two] { try await drawer.read { $0.rootUUID != nil } }
            return "scope \(Drawer.scope)"
        }
        await stage.step("draw on both") {
            let square = try await one.draw(["x": 10, "y": 10, "width": 40, "height": 40, "color": 0x3366_FFFF])
            try await two.read { $0.shapes.contains(square) }
            let bar = try await two.draw(["x": 80, "y": 20, "width": 120, "height": 8, "color": 0xCC33_00FF])
            try await one.read { $0.shapes.contains(bar) }
            return "2 shapes on each"
        }
        await stage.step("disconnect one, and continue drawing on both") {
            line.isCut = true
            await control.dropSockets()
            // The client may write to the old connection until it notices its end.
            try await two.loseConnection()
            let shapes = one.mirror.shapes
            guard let square = shapes.first, let bar = shapes.last else { throw DemoFailure("there are no shapes") }
            try two.set("color", to: 0x22AA_44FF, of: square)
            try await one.change("x", to: 25, of: square)
            try await one.change("width", to: 200, of: bar)
            let hosted = await control.objects(in: Drawer.scope)
            let hasArrived = hosted.contains { $0.properties["color"] == 0x22AA_44FF }
            try expect(!hasArrived, "the change was sent without a connection")
            return "1 change waiting on the disconnected one"
        }
        await stage.step("reconnect it: both drawings are equal") {
            line.isCut = false
            for drawer in [one, two] { try await drawer.read { $0.colors.contains(0x22AA_44FF) } }
            try await two.read { $0.objects == one.mirror.objects }
            let hosted = await control.objects(in: Drawer.scope).map(\.properties)
            try expect(hosted == one.mirror.objects.map(\.properties), "the server has another drawing")
            return "\(hosted.count) objects, as on the server"
        }
        await one.client.close()
        await two.client.close()
    }
}

/// A client with the shared drawing.
private struct Drawer {
    static let scope = "Canvas"

    let name: String
    let client: JetstreamClient
    private let scope: MirroredScope

    init(_ name: String, _ url: URL, over line: DemoLine? = nil) throws {
        self.name = name
        let transport = try WebSocketTransport(url: url)
        var options = JetstreamClientOptions()
        options.backoff.maximumDelay = .milliseconds(500)
        client = JetstreamClient(transport: line.map { $0.over(transport) } ?? transport, options: options)
        scope = client.mirror(Self.scope)
        client.connect()
    }

    var mirror: ScopeMirror { scope.mirror }

    /// Reads events until the drawing meets a condition.
    func read(until isReached: (ScopeMirror) -> Bool) async throws {
        while !isReached(scope.mirror) { _ = try await next() }
    }

    /// Adds a shape, and waits for the server's reply.
    func draw(_ shape: JSONObject) async throws -> UUID {
        guard let root = scope.mirror.objects.first else { throw DemoFailure("\(name) has no drawing") }
        let uuid = UUID()
        let shapes = (root.properties["shapes"]?.arrayValue ?? []) + [.string(uuid.wireText)]
        try await settle(
            scope.submit([
                SyncFragment(.add, uuid: uuid, className: "Shape", properties: shape),
                SyncFragment(
                    .change,
                    uuid: root.uuid,
                    className: root.className,
                    properties: ["shapes": .array(shapes)]
                ),
            ])
        )
        return uuid
    }

    /// Changes a shape and waits for the server's reply.
    func change(_ key: String, to value: JSONValue, of shape: UUID) async throws {
        try await settle(set(key, to: value, of: shape))
    }

    /// Changes a shape, at once or when there is a connection.
    @discardableResult
    func set(_ key: String, to value: JSONValue, of shape: UUID) throws -> MirroredChanges {
        try scope.submit([SyncFragment(.change, uuid: shape, className: "Shape", properties: [key: value])])
    }

    private func settle(_ changes: MirroredChanges) async throws {
        while true {
            guard case .settled(changes, let result) = try await next() else { continue }
            _ = try result.get()
            return
        }
    }

    /// Waits until the connection is lost.
    func loseConnection() async throws {
        try await Deadline(after: .seconds(20), clock: CommandContext.current.clock).race {
            for await status in client.statuses where !status.isConnected { return }
        }
    }

    private func next() async throws -> MirrorEvent {
        let event = try await Deadline(after: .seconds(20), clock: CommandContext.current.clock).race {
            try await scope.next()
        }
        guard let event else { throw DemoFailure("\(name) was closed") }
        return event
    }
}

extension ScopeMirror {
    fileprivate var shapes: [UUID] { objects.filter { $0.className == "Shape" }.map(\.uuid) }
    fileprivate var colors: [Int] { objects.compactMap { $0.properties["color"]?.intValue } }
}

/// A connection that can be cut.
private final class DemoLine: Sendable {
    private let cut = Guarded(false)

    var isCut: Bool {
        get { cut.withLock { $0 } }
        set { cut.withLock { $0 = newValue } }
    }

    func over(_ base: WebSocketTransport) -> any JetstreamTransport { Transport(base: base, line: self) }

    private struct Transport: JetstreamTransport {
        let base: WebSocketTransport
        let line: DemoLine

        func connect(token: Secret?) async throws -> any JetstreamSocket {
            guard line.isCut else { return try await base.connect(token: token) }
            throw HeliumError(
                .connectionFailed,
                request: RequestSummary(method: .get, url: base.url.absoluteString),
                delivery: .notSent,
                message: "the connection is cut"
            )
        }
    }
}
