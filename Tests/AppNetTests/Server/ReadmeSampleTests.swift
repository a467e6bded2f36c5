import AppNet
import HeliumServer
import HeliumServerTesting
import TestSupport
import Testing

/// The README's sample of App.net: here and not in the consumer package, which is to build without SwiftNIO.
@Suite("The README's sample of App.net", .timeLimit(.minutes(1)))
struct ReadmeSampleTests {
    @Test("works with the embedded server")
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

    private static func sample(_ configuration: AppNetConfiguration, _ channel: Channel.ID) async throws {
        // README sample
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

    @Test("stands in the README as it is compiled here")
    func text() throws { #expect(try ReadmeSample.stands(in: #filePath)) }
}
