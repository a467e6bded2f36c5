import AppNet
import Foundation
import HeliumServer

/// The steps of the demonstration with channels and messages.
struct AppNetDemo {
    private let alice: AppNetClient
    private let bob: AppNetClient
    /// The user that the channel is shared with.
    private let other: String

    init(_ server: ReadyInformation.AppNet) throws {
        guard server.users.count >= 2 else { throw DemoFailure("the server has \(server.users.count) users, not 2") }
        func client(_ user: ReadyInformation.AppNet.User) throws -> AppNetClient {
            try AppNetClient(
                configuration: AppNetConfiguration(
                    token: Secret(user.token),
                    baseURL: server.root,
                    userStreamURL: server.userStream
                )
            )
        }
        alice = try client(server.users[0])
        bob = try client(server.users[1])
        other = server.users[1].username
    }

    func run(_ stage: inout DemoStage) async {
        let text = await stage.value("create a channel for two") {
            let channel = try await alice.channels.create(
                AppNetChannel(
                    type: "com.example.trip",
                    readers: ChannelAccess.readers(.nobody),
                    writers: ChannelAccess.writers(.users([AppNetUser.ID("@\(other)")]))
                )
            )
            guard let id = channel.id else { throw DemoFailure("it has no id") }
            return (id.text, "channel \(id), type \(channel.type?.rawValue ?? "-")")
        }
        let channel = AppNetChannel.ID(text)
        await messages(&stage, channel)
        await stage.step("receive what others write and delete") {
            try await follow(channel)
        }
        await stage.step("deactivate the channel") {
            let channel = try await alice.channels.deactivate(channel)
            try expect(channel.isInactive == true, "it is active")
            return "its messages stay readable"
        }
        await alice.close()
        await bob.close()
    }

    private func messages(_ stage: inout DemoStage, _ channel: AppNetChannel.ID) async {
        await stage.step("write a message with an annotation") {
            let place = Geolocation(latitude: 47.0, longitude: 8.3)
            let message = try await alice.messages.create(
                Message(text: "We are here, @\(other) #trip", annotations: [try Annotation(place)]),
                in: channel,
                parameters: GeneralParameters(includesAnnotations: true)
            )
            let found = try message.annotations?.first(of: Geolocation.self)
            try expect(found?.latitude == 47.0, "the annotation is lost")
            let tags = message.entities?.hashtags?.compactMap(\.name) ?? []
            return "at \(found?.latitude ?? 0), \(found?.longitude ?? 0), tagged \(tags.joined(separator: ", "))"
        }
        await stage.step("attach a file") {
            let content = FileContent.data(
                Data("Tickets, passports, maps.".utf8),
                name: "list.txt",
                mediaType: "text/plain"
            )
            let file = try await alice.files.create(File(type: "com.example.list"), content: content)
            guard let reference = file.reference else { throw DemoFailure("it has no token") }
            let message = try await alice.messages.create(
                Message(text: "What to bring", annotations: [.attachments([reference])]),
                in: channel,
                parameters: GeneralParameters(includesAnnotations: true)
            )
            let attached = try message.annotations?.first(of: Attachments.self)?.files?.first
            return "\(file.name ?? "-"), \(file.size ?? 0) bytes, attached as \(attached?.fileID?.text ?? "-")"
        }
        await stage.step("write 45 more, and read all by pages of 20") {
            for number in 1...45 { _ = try await bob.messages.create(Message(text: "step \(number)"), in: channel) }
            var pages = 0
            var count = 0
            for try await page in alice.messages.list(in: channel).before(pageSize: 20).pages {
                pages += 1
                count += page.elements.count
            }
            try expect(count == 47 && pages == 3, "\(count) messages on \(pages) pages")
            return "\(count) messages on \(pages) pages"
        }
        await stage.step("search them") {
            let found = alice.search.messages(ContentSearch("bring"), in: .channels([channel]))
            let texts = try await found.page().elements.compactMap(\.text)
            try expect(texts == ["What to bring"], "found \(texts)")
            return texts.joined(separator: ", ")
        }
    }

    private func follow(_ channel: AppNetChannel.ID) async throws -> String {
        let stream = alice.userStream()
        let updates = try await stream.subscribe(to: .messages(in: channel))
        var told: [String] = []
        for word in ["nearly", "there"] {
            _ = try await bob.messages.create(Message(text: word), in: channel)
        }
        for try await update in updates {
            switch update.change {
            case .added(let message):
                told.append(message.text ?? "-")
                if told.count == 2, let id = message.id { try await bob.messages.delete(id, in: channel) }
            case .deleted(let id, _): told.append("\(id) deleted")
            case .changed, .caughtUp: break
            }
            if told.count == 3 { break }
        }
        await stream.close()
        try expect(told.prefix(2) == ["nearly", "there"], "it received \(told)")
        return told.joined(separator: " → ")
    }
}
