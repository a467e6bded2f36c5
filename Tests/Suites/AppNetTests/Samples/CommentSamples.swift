import AppNet
import Foundation
import HTTPTypes
import HeliumTesting
import TestSupport
import Testing

/// The samples of doc comments that no article has. Those of streams and lists are compiled, not run.
@Suite("Samples: doc comments of AppNet", .timeLimit(.minutes(5)))
struct CommentSamples {
    @Test("sample in AppNet's doc comments: values")
    func values() {
        // sample
        let channel: AppNetChannel.ID = 27024
        // end of sample
        // sample
        let room = AppNetChannel(
            type: .patterRoom,
            readers: ChannelAccess.readers(.public),
            writers: ChannelAccess.writers(.users(["@alice", "@bob"]))
        )
        // end of sample
        #expect(channel.text == "27024" && room.readers?.isPublic == true)
        #expect(room.writers?.userIDs == ["@alice", "@bob"])
    }

    @Test("sample in AppNet's doc comments: a type of annotation")
    func annotation() throws {
        let message = Message(annotations: [Annotation(type: "com.example.mood", value: ["level": 3])])
        // sample
        struct Mood: AnnotationValue {
            static let annotationType = "com.example.mood"
            var level: Int
        }

        let mood = try message.annotations?.first(of: Mood.self)
        // end of sample
        #expect(mood?.level == 3)
    }

    @Test("sample in AppNet's doc comments: a text")
    func text() {
        let print = Printer()
        // sample
        let processor = TextProcessor(parsesMarkdownLinks: true)
        let text = processor.process("See [the page](https://example.com/) #news")
        print(text.text ?? "")  // See the page #news
        for link in text.entities?.links ?? [] { print(link.position ?? 0, link.length ?? 0) }  // 4 8
        // end of sample
        #expect(print.output == ["See the page #news", "4 8"])
    }

    @Test("sample in AppNet's doc comments: parameters of all calls")
    func parameters() async throws {
        func included(by client: AppNetClient) -> Bool? {
            // sample
            let client = client.with(GeneralParameters(includesAnnotations: true))
            // end of sample
            return client.parameters.includesAnnotations
        }
        let client = try makeClient(MockTransport())
        #expect(included(by: client) == true)
    }

    @Test("sample in AppNet's doc comments: an error")
    func error() async throws {
        let fields: HTTPFields = [.named("X-OAuth-Scopes"): "basic,files"]
        let client = try makeClient(MockTransport(answers: [refusal(403, fields: fields)]))
        let draft = Message(text: "x")
        let channel: AppNetChannel.ID = 1
        let print = Printer()
        // sample
        do {
            _ = try await client.messages.create(draft, in: channel)
        } catch let error as AppNetError where error.kind == .missingScope {
            print(error.missingScopes)
        }
        // end of sample
        #expect(print.output.count == 1)
    }

    private func firstCall(token: Secret) async throws {
        // sample
        let client = try AppNetClient(configuration: AppNetConfiguration(token: token, dialect: .pnut))
        for try await message in client.messages.list(in: "12") {
            print(message.text ?? "")
        }
        // end of sample
    }

    private func configuration(token: Secret) throws -> AppNetClient {
        // sample
        var configuration = AppNetConfiguration(token: token, dialect: .pnut)
        configuration.parameters.includesAnnotations = true
        let client = try AppNetClient(configuration: configuration)
        // end of sample
        return client
    }

    private func appToken(secret: Secret) async throws -> AccessGrant {
        // sample
        let authenticator = try AppNetAuthenticator(clientID: "…", clientSecret: secret, dialect: .pnut)
        let grant = try await authenticator.appToken()
        // end of sample
        return grant
    }

    private func lists(_ client: AppNetClient, _ channel: AppNetChannel.ID) async throws {
        // sample
        let list = client.messages.list(in: channel)
        let newest = try await list.page()
        print(newest.elements.count, newest.hasMore)
        for try await message in list { print(message.text ?? "") }  // all, newest first
        for try await message in list.after(.lastRead) { print(message.text ?? "") }  // what is unread, oldest first
        // end of sample
    }

    private func topic(_ stream: UserStream) async throws -> StreamSubscription<Message> {
        // sample
        let subscription = try await stream.subscribe(to: .messages(in: "12"))
        // end of sample
        return subscription
    }

    private func stream(_ client: AppNetClient) async throws {
        // sample
        let stream = client.userStream()
        let messages = try await stream.subscribe(to: .messages(in: "12"))
        for try await update in messages {
            if case .added(let message) = update.change { print(message.text ?? "") }
        }
        await stream.close()
        // end of sample
    }
}
