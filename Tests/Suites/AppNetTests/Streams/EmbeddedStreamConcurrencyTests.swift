import Foundation
import HeliumServer
import HeliumServerTesting
import HeliumWebSocket
import TestSupport
import Testing

@testable import AppNet

@Suite("Streams of the embedded server", .timeLimit(.minutes(5)))
struct EmbeddedStreamConcurrencyTests {
    /// The protocol that carries a user stream.
    enum Form: Sendable, CaseIterable {
        case webSocket, http1, http2

        var server: EmbeddedServerConfiguration {
            var configuration = EmbeddedServerConfiguration()
            configuration.usesPriorKnowledgeHTTP2 = self == .http2
            return configuration
        }

        /// Returns the URL of user streams.
        func url(_ ready: ReadyInformation.AppNet) -> URL {
            if self == .webSocket { return ready.userStream }
            return URL(string: "/stream/user", relativeTo: ready.root)?.absoluteURL ?? ready.root
        }
    }

    private static func client(
        _ ready: ReadyInformation.AppNet,
        user: Int,
        form: Form = .webSocket
    ) throws -> AppNetClient {
        var configuration = AppNetConfiguration(
            token: Secret(ready.users[user].token),
            baseURL: ready.root,
            userStreamURL: form.url(ready)
        )
        if form == .http2 {
            configuration.options.httpVersion = .http2PriorKnowledge
            configuration.options.streamHTTPVersion = .http2PriorKnowledge
        }
        return try AppNetClient(configuration: configuration)
    }

    private static func channel(_ client: AppNetClient) async throws -> AppNetChannel.ID {
        let draft = AppNetChannel(type: "com.example.chat", writers: ChannelAccess.writers(.users(["@bob"])))
        return try #require(try await client.channels.create(draft).id)
    }

    /// Breaks something of the server's streams.
    private static func breakSomething(_ control: AppNetControl, _ random: inout SeededRandom) {
        switch random.below(4) {
        case 0: control.dropStreams()
        case 1: control.expireUserStreams()
        case 2: control.cutNextFrames()
        default: control.duplicateNextFrames()
        }
    }

    @Test("a user stream has each message once, whatever fails", .tags(.random), arguments: Form.allCases)
    func everyMessageOnce(form: Form) async throws {
        let count = ProofLength.count(60, full: 3000)
        try await withEmbeddedServer(form.server) { server in
            let alice = try Self.client(server.ready.appNet, user: 0, form: form)
            let bob = try Self.client(server.ready.appNet, user: 1, form: form)
            let channel = try await Self.channel(alice)
            let stream = alice.userStream(.brisk)
            let messages = try await stream.subscribe(to: .messages(in: channel))
            let writing = Task {
                var random = ProofLength.random(seed: form == .webSocket ? 4 : 3)
                for number in 1...count {
                    _ = try await bob.messages.create(Message(text: "\(number)"), in: channel)
                    // Not after the last: a stream is not deleted if it has a new name that the client has not read yet.
                    if number % 3 == 0, number < count { Self.breakSomething(server.appNet, &random) }
                }
            }
            var told: [String] = []
            for try await update in messages {
                if case .added(let message) = update.change { told.append(message.text ?? "") }
                if told.last == "\(count)" { break }
            }
            try await writing.value
            await stream.close()
            #expect(told == (1...count).map(String.init))
            try await eventually { server.appNet.userStreamCount == 0 }
            await alice.close()
            await bob.close()
        }
    }

    @Test("a user stream of pnut.io subscribes again after each cut, and misses nothing")
    func pnut() async throws {
        let count = 60
        try await withEmbeddedServer { server in
            let ready = server.ready.appNet
            let clients = try ready.users.prefix(2).map { user in
                try AppNetClient(
                    configuration: AppNetConfiguration(
                        token: Secret(user.token),
                        dialect: .pnut,
                        baseURL: ready.pnut,
                        userStreamURL: URL(string: "/v1/user", relativeTo: ready.userStream)?.absoluteURL
                    )
                )
            }
            let channel = try await Self.channel(clients[0])
            let stream = clients[0].userStream(.brisk)
            let messages = try await stream.subscribe(to: .messages(in: channel))
            let writing = Task {
                for number in 1...count {
                    _ = try await clients[1].messages.create(Message(text: "\(number)"), in: channel)
                    if number % 5 == 0 { server.appNet.dropStreams() }
                }
            }
            var told: [String] = []
            var marks: Set<Bool> = []
            for try await update in messages {
                switch update.change {
                case .added(let message): told.append(message.text ?? "")
                case .caughtUp(let isResumed): marks.insert(isResumed)
                case .changed, .deleted: break
                }
                // The last message is followed by a cut, and that by a mark.
                if told.last == "\(count)", !marks.isEmpty { break }
            }
            try await writing.value
            await stream.close()
            #expect(told == (1...count).map(String.init))
            #expect(marks == [false])
            for client in clients { await client.close() }
        }
    }

    @Test("a user stream has events of channels, files, follows and the token")
    func topics() async throws {
        try await withEmbeddedServer { server in
            let alice = try Self.client(server.ready.appNet, user: 0)
            let bob = try Self.client(server.ready.appNet, user: 1)
            let channel = try await Self.channel(alice)
            _ = try await alice.channels.subscribe(to: channel)
            let stream = alice.userStream(.brisk)
            let channels = try await stream.subscribe(to: .channels())
            let files = try await stream.subscribe(to: .files())
            let followers = try await stream.subscribe(to: .followers())
            let token = try await stream.subscribe(to: .token)
            #expect(channels.initial.elements.map(\.id) == [channel])
            #expect(token.initial.elements.first?.user?.username == "alice")

            let message = try await bob.messages.create(Message(text: "hello"), in: channel)
            var toldChannels = channels.makeAsyncIterator()
            #expect(try await toldChannels.next()?.value?.recentMessageID == message.id)

            let file = try await alice.files.create(
                File(type: "com.example.file"),
                content: .data(Data("x".utf8), name: "x.txt")
            )
            var toldFiles = files.makeAsyncIterator()
            #expect(try await toldFiles.next()?.value?.id == file.id)

            _ = try await bob.users.follow("@alice")
            var toldFollowers = followers.makeAsyncIterator()
            #expect(try await toldFollowers.next()?.value?.username == "bob")
            _ = try await bob.users.unfollow("@alice")
            let change = try await toldFollowers.next()?.change
            guard case .deleted = change else {
                Issue.record("\(String(describing: change))")
                return
            }
            await stream.close()
            await alice.close()
            await bob.close()
        }
    }

    @Test("an app stream has events of the app's users", arguments: AppNetDialect.allCases)
    func appStream(dialect: AppNetDialect) async throws {
        try await withEmbeddedServer { server in
            let ready = server.ready.appNet
            let root = dialect == .pnut ? ready.pnut : ready.root
            let app = try AppNetClient(
                configuration: AppNetConfiguration(token: Secret(ready.appToken), dialect: dialect, baseURL: root)
            )
            // Its first stream is another: by the key the right one is found.
            if dialect == .pnut {
                _ = try await app.appStreams.create(AppStream(type: "long_poll", objectTypes: ["post"], key: "other"))
            }
            let alice = try Self.client(ready, user: 0)
            let bob = try Self.client(ready, user: 1)
            let created = try await app.appStreams.create(
                AppStream(type: "long_poll", objectTypes: ["message", "user_follow"], key: "key")
            )
            if dialect == .pnut { #expect(created.id == "key") }
            let events = try app.appStreams.events(of: created)
            let reading = Task {
                var found: [StreamEvent] = []
                for try await event in events {
                    found.append(event)
                    if found.count == 3 { break }
                }
                return found
            }
            try await eventually { server.appNet.connectedAppStreamCount > 0 }
            let channel = try await Self.channel(alice)
            let message = try await bob.messages.create(Message(text: "hello"), in: channel)
            _ = try await bob.users.follow("@alice")
            if let id = message.id { try await bob.messages.delete(id, in: channel) }
            let found = try await reading.value
            guard case .messages(let messages) = found[0].subject else {
                Issue.record("\(found[0])")
                return
            }
            #expect(messages.map(\.text) == ["hello"])
            guard case .follow(let followed, let by) = found[1].subject else {
                Issue.record("\(found[1])")
                return
            }
            #expect(followed?.username == "alice" && by?.username == "bob")
            #expect(found[2].isDeletion && found[2].kind == .message)
            #expect(found[2].date.map { abs($0.timeIntervalSinceNow) < 3600 } == true)
            for client in [app, alice, bob] { await client.close() }
        }
    }
}
