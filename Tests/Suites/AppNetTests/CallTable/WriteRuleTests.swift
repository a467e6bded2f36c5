import AppNet
import Foundation
import HeliumKit
import HeliumTesting
import Testing

@Suite("Rules that are checked before a request")
struct WriteRuleTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let call: @Sendable (AppNetClient) async throws -> Void

        init(_ name: String, _ call: @escaping @Sendable (AppNetClient) async throws -> Void) {
            testDescription = name
            self.call = call
        }
    }

    private static let big = Annotation(
        type: "a.b",
        value: .object(["x": .string(String(repeating: "y", count: 8192))])
    )
    private static let small = Annotation(type: "a.b", value: .object(["x": 1]))

    static let refusals: [Case] = [
        Case("a message without text") { _ = try await $0.messages.create(Message(), in: 1) },
        Case("a message of 2,049 characters") {
            _ = try await $0.messages.create(Message(text: String(repeating: "é", count: 2049)), in: 1)
        },
        Case("a machine only message with text") {
            _ = try await $0.messages.create(Message(text: "x", annotations: [small], isMachineOnly: true), in: 1)
        },
        Case("a machine only message without annotations") {
            _ = try await $0.messages.create(Message(isMachineOnly: true), in: 1)
        },
        Case("a private message that is machine only") {
            _ = try await $0.messages.send(Message(annotations: [small], isMachineOnly: true), to: [2])
        },
        Case("a private message to nobody") { _ = try await $0.messages.send(Message(text: "x"), to: []) },
        Case("annotations of more than 8,192 bytes") {
            _ = try await $0.messages.create(Message(text: "x", annotations: [big]), in: 1)
        },
        Case("an annotation without a type") {
            let annotation = Annotation(type: "", value: .object([:]))
            _ = try await $0.messages.create(Message(text: "x", annotations: [annotation]), in: 1)
        },
        Case("a post of 257 characters") {
            _ = try await $0.posts.create(Post(text: String(repeating: "x", count: 257)))
        },
        Case("a channel without a type") { _ = try await $0.channels.create(AppNetChannel()) },
        Case("a channel of private messages") {
            _ = try await $0.channels.create(AppNetChannel(type: "net.app.core.pm"))
        },
        Case("readers that are public and listed") {
            _ = try await $0.channels.create(AppNetChannel(type: "a.b", readers: ACL(isPublic: true, userIDs: [2])))
        },
        Case("writers that are the public") {
            _ = try await $0.channels.update(1, AppNetChannel(writers: ACL(isPublic: true)))
        },
        Case("editors that are any user") {
            _ = try await $0.channels.update(1, AppNetChannel(editors: ACL(includesAnyUser: true)))
        },
        Case("more than 200 listed writers") {
            let users = (1...201).map { AppNetUser.ID($0) }
            _ = try await $0.channels.create(AppNetChannel(type: "a.b", writers: ACL(userIDs: users)))
        },
        Case("a profile without a locale") { _ = try await $0.users.replaceProfile(AppNetUser(name: "A")) },
        Case("a file without a type") { _ = try await $0.files.create(File(name: "x")) },
        Case("a point off the earth") { _ = try await $0.places.search(PlaceSearch(latitude: 91, longitude: 0)) },
        Case("a page of 201 items") { _ = try await $0.posts.globalStream().page(.newest(201)) },
        Case("a page of no items") { _ = try await $0.posts.globalStream().page(.newest(0)) },
    ]

    @Test("a value that App.net is known to refuse is a typed error, and nothing is sent", arguments: refusals)
    func refused(test: Case) async throws {
        let transport = MockTransport(answers: [answer("{}")])
        let client = try makeClient(transport)
        let error = try #require(await AppNetError.thrown { try await test.call(client) })
        #expect(error.kind == .invalidRequest && !error.hasReachedServer)
        #expect(transport.requests.isEmpty)
        if let violation = error.violation { #expect(error.message == violation.description) }
    }

    @Test("a value at the limit of App.net's rules is sent")
    func allowed() async throws {
        let transport = MockTransport(answers: [answer("{}")])
        let client = try makeClient(transport)
        // Code points count: these are 2,048 in twice as many bytes.
        _ = try await client.messages.create(Message(text: String(repeating: "é", count: 2048)), in: 1)
        _ = try await client.messages.create(Message(annotations: [Self.small], isMachineOnly: true), in: 1)
        let markdown = Entities(parsesMarkdownLinks: true)
        _ = try await client.posts.create(Post(text: String(repeating: "x", count: 300), entities: markdown))
        let readers = (1...300).map { AppNetUser.ID($0) }
        _ = try await client.channels.create(
            AppNetChannel(type: "net.app.core.broadcast", readers: ACL(userIDs: readers))
        )
        #expect(transport.requests.count == 4)
        // Whether a channel is a broadcast's only the service knows.
        let subject = Annotation(type: "net.app.core.broadcast.message.metadata", value: ["subject": "News"])
        _ = try await client.messages.create(Message(text: "x", annotations: [subject]), in: 1)
        _ = try await client.channels.update(1, AppNetChannel(readers: ACL(userIDs: readers)))
        #expect(transport.requests.count == 6)
    }
}
