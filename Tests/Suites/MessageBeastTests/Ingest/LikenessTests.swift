import AppNet
import HeliumJSON
import Testing

@testable import MessageBeast

@Suite("Likeness of messages")
struct LikenessTests {
    private func likeness(_ message: Message, channel: String = "100", isSent: Bool = true) -> String {
        MessageLikeness(message, channel: channel, isSent: isSent).text
    }

    private func message(_ annotations: [Annotation] = []) -> Message {
        Message(text: "Hello", annotations: annotations)
    }

    @Test("likenesses are equal for any order of annotations and members, and any spelling of a number")
    func order() {
        let left = message([
            Annotation(type: "b", value: ["x": 1, "y": ["p": 1.5, "q": nil]]),
            Annotation(type: "a", value: ["z": true]),
        ])
        let right = message([
            Annotation(type: "a", value: ["z": true]),
            Annotation(type: "b", value: ["y": ["q": nil, "p": 1.5], "x": .number(JSONNumber("1.0") ?? 1)]),
        ])
        #expect(likeness(left) == likeness(right))
        #expect(likeness(left).utf8.count == 64)
    }

    @Test("a likeness ignores values that the service makes, fallback URLs and tokens")
    func service() {
        let sent = message([
            Annotation(type: MessageBeastNames.oembed, value: ["+net.app.core.file": ["file_id": "1"]]),
            Annotation(type: MessageBeastNames.attachments, value: ["+net.app.core.file_list": []]),
            Annotation(type: MessageBeastNames.token, value: ["token": "a"]),
        ])
        let echo = message([
            Annotation(type: MessageBeastNames.attachments, value: ["net.app.core.file_list": [["id": "1"]]]),
            Annotation(type: MessageBeastNames.oembed, value: ["type": "photo"]),
            Annotation(type: "net.app.core.fallback_url", value: ["url": "https://example.com/"]),
        ])
        #expect(likeness(sent) == likeness(echo))
        // Their number counts.
        #expect(likeness(sent) != likeness(message(Array(sent.annotations?.dropFirst() ?? []))))
    }

    @Test("likenesses differ by channel, text, reply, machine_only, type and value")
    func differences() {
        var reply = message()
        reply.replyTo = 4
        var machine = message()
        machine.isMachineOnly = true
        let others = [
            likeness(message()), likeness(message(), channel: "101"), likeness(Message(text: "Hullo")), likeness(reply),
            likeness(machine), likeness(Message()), likeness(message([Annotation(type: "a", value: ["z": 1])])),
            likeness(message([Annotation(type: "a", value: ["z": 2])])),
            likeness(message([Annotation(type: "b", value: ["z": 1])])),
        ]
        #expect(Set(others).count == others.count)
        #expect(likeness(Message(text: "")) == likeness(Message()))
    }

    @Test("the likeness of an unsent message is that of the text which the service stores")
    func amendedText() {
        var link = Entities.Link()
        link.text = "here"
        link.url = "https://example.com/page"
        (link.position, link.length) = (4, 4)
        let unsent = Message(text: "See here", entities: Entities(links: [link]))
        let stored = TextProcessor(amendsLinks: true).process("See here", links: [link]).text
        #expect(stored == "See here [example.com]")
        #expect(likeness(unsent, isSent: false) == likeness(Message(text: stored)))
        #expect(likeness(unsent, isSent: false) != likeness(unsent, isSent: true))
    }
}
