// A bot for App.net or pnut.io: answers each message of a channel that asks for the time.
//
//     swift run AppNetBot
//
// It runs against an embedded server, where Bob is the bot and Alice asks. For a real service, give AppNetConfiguration the
// service's dialect and a token.
import AppNet
import Foundation
import HeliumServer
import HeliumServerTesting

@main
struct AppNetBot {
    static func main() async {
        do {
            try await run()
        } catch {
            fail("\(error)")
        }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("AppNetBot: \(message)\n".utf8))
        exit(1)
    }

    private static func run() async throws {
        try await withEmbeddedServer { server in
            let service = server.ready.appNet
            func client(_ index: Int) throws -> AppNetClient {
                try AppNetClient(
                    configuration: AppNetConfiguration(
                        token: Secret(service.users[index].token),
                        baseURL: service.root,
                        userStreamURL: service.userStream
                    )
                )
            }
            let (alice, bob) = (try client(0), try client(1))
            let writer = AppNetUser.ID("@\(service.users[1].username)")
            let created = try await alice.channels.create(
                AppNetChannel(type: "com.example.clock", writers: ChannelAccess.writers(.users([writer])))
            )
            guard let channel = created.id else { fail("the server created a channel without an id") }

            // The subscription exists before Alice writes, so nothing is missed.
            let stream = bob.userStream()
            let updates = try await stream.subscribe(to: .messages(in: channel))
            _ = try await alice.messages.create(Message(text: "Hello"), in: channel)
            _ = try await alice.messages.create(Message(text: "What time is it?"), in: channel)

            for try await update in updates {
                guard case .added(let message) = update.change, let reply = reply(to: message) else { continue }
                _ = try await bob.messages.create(reply, in: channel)
                break
            }
            await stream.close()

            for try await message in alice.messages.list(in: channel) {
                print("\(message.user?.username ?? "-"): \(message.text ?? "-")")
            }
            await alice.close()
            await bob.close()
        }
    }

    /// The bot's reply; `nil` for messages that do not ask for the time.
    private static func reply(to message: Message) -> Message? {
        guard let text = message.text, text.contains("time"), let id = message.id else { return nil }
        let time = Date.now.formatted(.iso8601.time(includingFractionalSeconds: false))
        return Message(text: "It is \(time) UTC.", replyTo: id)
    }
}
