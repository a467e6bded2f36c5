import AppNet
import HeliumServer
import HeliumServerTesting
import TestSupport
import Testing

/// The samples of AppNet.md and Streams.md that follow streams. The consumer package does not have them, because it builds
/// without the server.
@Suite("Samples: App.net's streams", .timeLimit(.minutes(5)))
struct StreamSampleTests {
    @Test("sample of App.net's streams runs with the embedded server")
    func run() async throws {
        try await withEmbeddedServer { server in
            let world = try await ServerWorld(server.ready.appNet, .appNet)
            let channel = try await world.channel()
            let sample = Task { try await Self.sample(world.alice.settings, channel) }
            try await eventually { try await !world.bob.messages.list(in: channel).page().elements.isEmpty }
            try await eventually { server.appNet.subscriptionCount > 0 }
            sample.cancel()
            // It goes on until it is cancelled, and may end in either way then.
            _ = await sample.result
            let first = try #require(try await world.bob.messages.list(in: channel).page().elements.first)
            #expect(first.text == "We are here #trip" && first.entities?.hashtags?.first?.name == "trip")
        }
    }

    private static func sample(_ configuration: AppNetConfiguration, _ channel: AppNetChannel.ID) async throws {
        // sample
        let client = try AppNetClient(configuration: configuration)  // a token, and a dialect: .pnut or .appNet
        let place = try Annotation(Geolocation(latitude: 47.0, longitude: 8.3))
        let message = Message(text: "We are here #trip", annotations: [place])
        _ = try await client.messages.create(message, in: channel)

        for try await message in client.messages.list(in: channel) {
            print(message.user?.username ?? "somebody", message.text ?? "")
        }

        let stream = client.userStream()
        for try await update in try await stream.subscribe(to: .messages(in: channel)) {
            if case .added(let message) = update.change { print(message.text ?? "") }
        }
        // end of sample
    }

    @Test("sample of a user stream gets a message")
    func userStream() async throws {
        try await withEmbeddedServer { server in
            let world = try await ServerWorld(server.ready.appNet, .appNet)
            #expect(try await world.channel() == 1)
            let shown = Printer()
            let sample = Task { try await Self.follow(world.alice, shown) }
            try await eventually { server.appNet.subscriptionCount > 0 }
            _ = try await world.bob.messages.create(Message(text: "Tea is ready"), in: 1)
            try await eventually { shown.output.contains("Tea is ready") }
            sample.cancel()
            _ = await sample.result
        }
    }

    private static func follow(_ client: AppNetClient, _ shown: Printer) async throws {
        func show(_ message: Message) { shown(message.text ?? "") }
        func hide(_ id: Message.ID) { shown("deleted", id) }
        // sample
        let stream = client.userStream()
        let messages = try await stream.subscribe(to: .messages(in: 1))
        for message in messages.initial.elements.reversed() { show(message) }
        for try await update in messages {
            switch update.change {
            case .added(let message): show(message)
            case .changed(let message): show(message)
            case .deleted(let id, _): hide(id)
            case .caughtUp: break
            }
        }
        // end of sample
    }

    @Test("sample of an app stream gets the events of all channels")
    func appStream() async throws {
        try await withEmbeddedServer { server in
            let world = try await ServerWorld(server.ready.appNet, .appNet)
            let channel = try await world.channel()
            let shown = Printer()
            let sample = Task { try await Self.follow(app: world.app, shown) }
            // The stream keeps what happens before the sample has connected; what happens before it is made is lost.
            while !shown.output.contains("Tea is ready") {
                try Task.checkCancellation()
                _ = try await world.bob.messages.create(Message(text: "Tea is ready"), in: channel)
            }
            sample.cancel()
            _ = await sample.result
        }
    }

    private static func follow(app client: AppNetClient, _ shown: Printer) async throws {
        func store(_ messages: [Message], isDeletion: Bool) { for message in messages { shown(message.text ?? "") } }
        func log(_ item: some Any) { shown("\(item)") }
        // sample
        let stream = try await client.appStreams.create(
            AppStream(type: "long_poll", objectTypes: ["message", "channel"])
        )
        for try await event in try client.appStreams.events(of: stream) {
            switch event.subject {
            case .messages(let messages): store(messages, isDeletion: event.isDeletion)
            case .control(let message): log(message)
            default: break
            }
        }
        // end of sample
    }
}
