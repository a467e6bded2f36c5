import AppNet
import Foundation
import HeliumCore
import Testing

@testable import MessageBeast

@Suite("Helpers of messages")
struct MessageHelperTests {
    @Test("an Ohai date is read with and without milliseconds", .behaviour(38))
    func readsDates() {
        for (text, milliseconds) in [("2014-03-05T06:07:08.009Z", 9.0), ("2014-03-05T06:07:08Z", 0)] {
            let message = Message(annotations: [
                Annotation(type: MessageBeastNames.displayDate, value: ["date": .string(text)])
            ])
            #expect(message.ohaiDisplayDate?.timeIntervalSince1970 == 1_393_999_628 + milliseconds / 1000)
        }
        #expect(Message().ohaiDisplayDate == nil)
        let odd = Annotation(type: MessageBeastNames.displayDate, value: ["date": 7])
        #expect(Message(annotations: [odd]).ohaiDisplayDate == nil)
    }

    @Test("the target of an action is read from texts and numbers")
    func targets() {
        var message = Message()
        #expect(message.targetMessageID == nil)
        message.addTargetMessage(12)
        #expect(message.targetMessageID == 12)
        let number = Annotation(type: MessageBeastNames.targetMessage, value: ["id": 13])
        #expect(Message(annotations: [number]).targetMessageID == 13)
    }

    @Test("attached files are added to one list, and an expanded list is left alone")
    func attachments() {
        let expanded = Annotation(type: MessageBeastNames.attachments, value: [MessageBeastNames.fileList: []])
        var message = Message(annotations: [expanded])
        message.appendAttachment(FileReference(id: 1, token: Secret("a")))
        message.appendAttachment(FileReference(id: 2, token: Secret("b")))
        let list = message.annotations?.last?.value?[MessageBeastNames.fileListReplacement]?.arrayValue
        #expect(message.annotations?.count == 2)
        #expect(message.annotations?.first == expanded)
        #expect(list?.map { $0["file_id"]?.stringValue } == ["1", "2"])
        #expect(list?.first?["format"] == "metadata")
        #expect(list?.first?["file_token"] == "a")
    }

    @Test("a check-in, coordinates and a custom place become annotations")
    func places() throws {
        var message = Message()
        message.addCheckin(factualID: "f1")
        message.addGeolocation(latitude: 1.5, longitude: -2)
        message.addGeolocation(latitude: .nan, longitude: 0)
        try message.addLocation(CustomPlace(id: "u1", place: Place(name: "Home", latitude: 1, longitude: 2)))
        #expect(
            message.annotations?.map(\.type) == [
                "net.app.core.checkin", "net.app.core.geolocation", "net.app.ohai.location",
            ]
        )
        #expect(message.annotations?[0].value == ["+net.app.core.place": ["factual_id": "f1"]])
        #expect(message.annotations?[1].value == ["latitude": 1.5, "longitude": -2])
        #expect(message.annotations?[2].value == ["id": "u1", "name": "Home", "latitude": 1, "longitude": 2])
    }

    @Test("embedded content is read by its type, also with members of a wrong type")
    func oembeds() throws {
        let journal = try Journal()
        let annotations = [
            Annotation(
                type: MessageBeastNames.oembed,
                value: ["type": "photo", "width": "wide", "height": "20", "url": "https://example.com/a"]
            ),
            Annotation(
                type: MessageBeastNames.oembed,
                value: [
                    "type": "html5video", "poster_url": "https://example.com/p", "url_expires": "2014-01-01T00:00:00Z",
                    "sources": [["url": "https://example.com/v"]],
                ]
            ),
            Annotation(type: MessageBeastNames.oembed, value: ["type": "rich"]),
            Annotation(
                type: MessageBeastNames.oembed,
                value: ["type": "photo", "+net.app.core.file": ["file_id": "1"]]
            ),
        ]
        try journal.store([Journal.message(1, annotations: annotations)])
        let message = try #require(try journal.read { try $0.message(id: 1) })
        #expect(message.photoOEmbeds.count == 1)
        #expect(message.firstPhotoOEmbed?.width == nil)
        #expect(message.firstPhotoOEmbed?.height == 20)
        #expect(message.firstPhotoOEmbed?.url?.text == "https://example.com/a")
        #expect(message.firstHTML5VideoSourceURL?.text == "https://example.com/v")
        #expect(message.firstHTML5VideoOEmbed?.posterURL?.text == "https://example.com/p")
        #expect(message.firstHTML5VideoOEmbed?.isURLExpired(at: Date(timeIntervalSince1970: 1_400_000_000)) == true)
        #expect(message.hasOEmbedWithReplacementValue)
    }

    @Test("the description of an error has neither texts nor coordinates")
    func errors() {
        let error = MessageBeastError(.notIndexed, "the annotation type a.b is not indexed")
        #expect("\(error)" == "notIndexed: the annotation type a.b is not indexed")
    }

    @Test("a display date, and the target of an action, replace earlier ones")
    func replaced() {
        var message = Message(text: "Tea")
        for seconds in [1.0, 2] { message.addDisplayDate(Date(timeIntervalSince1970: seconds)) }
        for id in ["1", "2"] { message.addTargetMessage(Message.ID(id)) }
        #expect(message.ohaiDisplayDate == Date(timeIntervalSince1970: 2))
        #expect(message.targetMessageID == "2")
        #expect(message.annotations?.count == 2)
    }
}
