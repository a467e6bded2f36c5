import HeliumServer
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Rights of the streams of App.net", .timeLimit(.minutes(5)))
struct StreamRightsTests {
    /// The secrets that each reader may find in events. An app also gets the files of users who granted `files`.
    private static let visible: [RightsReader: [RightsSecret]] = [
        .owner: [.room, .title, .letter, .file], .writer: [.room, .title], .removed: [], .other: [],
        .blocked: [.letter], .muted: [], .narrow: [], .app: [.room, .title, .letter, .file], .otherApp: [],
    ]

    private static let lists = [
        "channels", "channels/ROOM/messages", "channels/ROOM/subscribers", "channels/LETTERS/messages",
        "users/me/files", "token", "posts/stream",
    ]

    @Test("streams show no reader more than a call would", arguments: [false, true])
    func events(isOverWebSocket: Bool) async throws {
        try await RightsWorld.make { world in
            let (owner, writer) = (try world.peer(.owner), try world.peer(.writer))
            // The removed reader subscribes while reading is still allowed.
            let room = world.filled("channels/ROOM")
            try await owner.data("PATCH", room, #"{"readers":{"user_ids":["3"]}}"#)
            try await writer.post("\(room)/subscribe")
            var streams: [RightsReader: any FrameReader] = [:]
            for reader in Self.visible.keys {
                streams[reader] = try await Self.open(world.peer(reader), world, isOverWebSocket)
            }
            try await owner.data("PATCH", room, #"{"readers":{"user_ids":[]}}"#)
            try await writer.createMessage(RightsSecret.room.text, in: world.filled("ROOM"))
            try await owner.createMessage(RightsSecret.letter.text, in: world.filled("LETTERS"))
            try await owner.data("PATCH", world.filled("files/PAPER"), "{}")
            try await owner.createMessage("the end", in: world.filled("HALL"))
            for (reader, secrets) in Self.visible {
                let text = try await Self.frames(of: #require(streams[reader]))
                let found = RightsSecret.all.filter { text.contains($0.text) }.map(\.name)
                #expect(Set(found) == Set(secrets.map(\.name)), "\(reader): \(text)")
                for token in world.tokens { #expect(!text.contains(token), "\(reader): \(text)") }
            }
        }
    }

    /// Opens a stream with all subscriptions that the server grants to the reader, or the stream of an app.
    private static func open(
        _ peer: AppNetPeer,
        _ world: RightsWorld,
        _ isOverWebSocket: Bool
    ) async throws -> any FrameReader {
        let visitor = AppNetVisitor(running: peer.running, token: peer.token)
        let types = #"["message","channel","channel_subscription","file","post","user","token"]"#
        if let id = try await peer.send("POST", "streams", #"{"object_types":\#(types)}"#).tree["data"]?["id"] {
            let target = "/stream/app/\(id.stringValue ?? "")?include_annotations=1"
            return try await ChunkedClient(visitor, target)
        }
        let stream: any FrameReader
        let connection: String
        if isOverWebSocket {
            let socket = try await SocketClient.user(visitor, "include_annotations=1")
            (stream, connection) = (socket, socket.connectionID)
        } else {
            let body = try await ChunkedClient.user(visitor, "include_annotations=1")
            (stream, connection) = (body, body.connectionID)
        }
        for list in Self.lists {
            _ = try await peer.send("GET", world.filled("\(list)?connection_id=") + connection)
        }
        let last = try await peer.send("GET", world.filled("channels/HALL/messages?connection_id=") + connection)
        #expect(last.meta["subscription_id"] != nil, "\(last.text)")
        return stream
    }

    /// Returns the texts of all frames up to the last event of the test.
    private static func frames(of stream: any FrameReader) async throws -> String {
        var text = ""
        while !text.contains("the end") { text += try await stream.frame().text }
        return text
    }

    @Test("streams are opened by the kinds of tokens that their routes allow")
    func routes() async throws {
        let routes = AppNetRoutes.all.filter { $0.area == .live }
        #expect(Set(routes.map(\.pattern.description)) == ["app/{id}", "user"], "a row is missing")
        try await RightsWorld.make { world in
            for route in routes {
                let path = world.filled(route.pattern.description.replacing("{id}", with: "FEED"))
                for reader in RightsReader.allCases {
                    let peer = try world.peer(reader)
                    let visitor = AppNetVisitor(running: peer.running, token: peer.token)
                    let status = try await ChunkedClient(visitor, "/stream/\(path)").status
                    let isForeign = reader == .otherApp && path.hasPrefix("app")
                    #expect(status == reader.refusal(by: route) ?? (isForeign ? 404 : 200), "\(reader) \(path)")
                }
            }
        }
    }
}
