import AppNet
import Foundation
import Testing

@testable import MessageBeast

/// A public call that writes, and what is there before it.
struct WritingCall: Sendable, CustomTestStringConvertible {
    typealias Call = @Sendable (WriteWorld) async throws -> String

    let name: String
    /// Makes what is there before, and returns the call. Its result is compared as a text.
    let prepare: @Sendable (WriteWorld) async throws -> Call

    var testDescription: String { name }

    /// The calls whose only effect is one transaction.
    static let all = messages + states + deletions + files + drafts + others

    private static let (journal, actions) = (WriteWorld.journal, WriteWorld.actions)

    private static let messages = [
        Self(name: "create") { _ in
            { world in
                var message = Message(text: "Tea with #Anna")
                message.addGeolocation(latitude: 1, longitude: 2)
                return "\(try await world.manager.create(message, in: journal))"
            }
        },
        Self(name: "create, not sent at once") { _ in
            { "\(try await $0.manager.create(Message(text: "Tea"), in: journal, sendsImmediately: false))" }
        },
        Self(name: "create with a file") { world in
            let file = PendingFileAttachment(pendingFileID: try await world.stage(), isOEmbed: false)
            return { "\(try await $0.manager.create(Message(text: "Tea"), in: journal, attachments: [file]))" }
        },
        Self(name: "edit") { world in
            let id = try await world.write()
            return { "\(try await $0.manager.edit(id, to: Message(text: "Coffee #other")))" }
        },
        Self(name: "edit with an unknown outcome") { world in
            let id = try await world.write(parkedFor: "outcomeUnknown")
            return { "\(try await $0.manager.edit(id, to: Message(text: "Coffee #other")))" }
        },
        Self(name: "delete an unsent message") { world in
            let id = try await world.write(files: [try await world.stage()])
            return { world in
                try await world.manager.delete(id)
                return ""
            }
        },
        Self(name: "delete a sent message with an action") { world in
            let id = try await world.receive("7")
            try await world.manager.actions.apply(actions, to: id)
            return { world in
                try await world.manager.delete(id)
                return ""
            }
        },
        Self(name: "cancelDeletion") { world in
            let id = try await world.receive("7")
            try await world.manager.actions.apply(actions, to: id)
            try await world.manager.delete(id)
            return { "\(try await $0.manager.cancelDeletion(of: id))" }
        },
        Self(name: "refresh") { world in
            let id = try await world.receive("7")
            return { "\(try await $0.manager.refresh(id, in: journal))" }
        },
        Self(name: "refresh several") { world in
            let ids = [try await world.receive("7"), try await world.receive("8")]
            return { "\(try await $0.manager.refresh(ids, in: journal))" }
        },
    ]

    private static let states = [
        Self(name: "retry") { world in
            let id = try await world.write(parkedFor: "forbidden")
            return { world in
                try await world.manager.retry(id)
                return ""
            }
        },
        Self(name: "retry a message that may be deleted elsewhere") { world in
            let id = try await world.write(parkedFor: "maybeDeletedElsewhere")
            return { world in
                try await world.manager.retry(id)
                return ""
            }
        },
        Self(name: "discard a message with a reply") { world in
            let id = try await world.write(parkedFor: "forbidden")
            _ = try await world.manager.create(Message(text: "Reply", replyTo: id), in: journal)
            return { world in
                try await world.manager.discard(id)
                return ""
            }
        },
        Self(name: "apply an action") { world in
            let ids = [try await world.receive("7"), try await world.write()]
            return { "\(try await $0.manager.actions.apply(actions, to: ids))" }
        },
        Self(name: "remove an action") { world in
            let id = try await world.receive("7")
            try await world.manager.actions.apply(actions, to: id)
            return { "\(try await $0.manager.actions.remove(actions, from: id))" }
        },
    ]

    private static let deletions = [
        Self(name: "retryDeletion") { world in
            let id = try await world.receive("7")
            try await world.manager.delete(id)
            try world.execute("UPDATE pending_message_deletion SET claimed = 1, parked = 1")
            return { world in
                try await world.manager.retryDeletion(of: id)
                return ""
            }
        },
        Self(name: "discardDeletion") { world in
            let id = try await world.receive("7")
            try await world.manager.delete(id)
            try world.execute("UPDATE pending_message_deletion SET claimed = 1, parked = 1")
            return { world in
                try await world.manager.discardDeletion(of: id)
                return ""
            }
        },
        Self(name: "retryFileDeletion") { world in
            try world.execute("INSERT INTO pending_file_deletion (file_id, parked) VALUES ('9', 1)")
            return { world in
                try await world.manager.retryFileDeletion(of: "9")
                return ""
            }
        },
        Self(name: "discardFileDeletion") { world in
            try world.execute("INSERT INTO pending_file_deletion (file_id, parked) VALUES ('9', 1)")
            return { world in
                try await world.manager.discardFileDeletion(of: "9")
                return ""
            }
        },
    ]

    private static let files = [
        Self(name: "stage") { _ in
            { "\(try await $0.manager.stage(Data("bytes".utf8), name: "a.txt", type: "com.example.file"))" }
        },
        Self(name: "stage a file of the disk") { _ in
            let folder = try TemporaryFolder()
            let path = folder.path("a.txt")
            try Data("bytes".utf8).write(to: URL(fileURLWithPath: path))
            // The folder lives as long as the call.
            return { world in
                defer { withExtendedLifetime(folder) {} }
                return "\(try await world.manager.stage(fileAtPath: path, type: "com.example.file"))"
            }
        },
        Self(name: "retryFile") { world in
            let file = try await world.stage()
            _ = try await world.write(files: [file], parkedFor: "fileParked")
            try world.execute("UPDATE pending_file SET state = 'parked'")
            return { world in
                try await world.manager.retryFile(id: file)
                return ""
            }
        },
        Self(name: "discardFile") { world in
            let file = try await world.stage()
            try world.execute("UPDATE pending_file SET state = 'parked'")
            return { world in
                try await world.manager.discardFile(id: file)
                return ""
            }
        },
    ]

    private static let drafts = [
        Self(name: "createDraft") { world in
            let file = PendingFileAttachment(pendingFileID: try await world.stage(), isOEmbed: false)
            return { "\(try await $0.manager.createDraft(Message(text: "Tea"), in: journal, attachments: [file]))" }
        },
        Self(name: "updateDraft") { world in
            let id = try #require(try await world.manager.createDraft(Message(text: "Tea"), in: journal).message.id)
            return { "\(try await $0.manager.updateDraft(id, to: Message(text: "Coffee")))" }
        },
        Self(name: "deleteDraft") { world in
            let file = PendingFileAttachment(pendingFileID: try await world.stage(), isOEmbed: false)
            let draft = try await world.manager.createDraft(Message(text: "Tea"), in: journal, attachments: [file])
            let id = try #require(draft.message.id)
            return { world in
                try await world.manager.deleteDraft(id)
                return ""
            }
        },
        Self(name: "promoteDraft") { world in
            let id = try #require(
                try await world.manager.createDraft(Message(text: "Tea #tag"), in: journal).message.id
            )
            return { "\(try await $0.manager.promoteDraft(id))" }
        },
    ]

    private static let others = [
        Self(name: "setParameters") { _ in
            { world in
                try await world.manager.setParameters(GeneralParameters(includesDeleted: true), of: journal)
                return ""
            }
        },
        Self(name: "privateChannel with other parameters") { _ in
            { world in
                let parameters = GeneralParameters(includesDeleted: true)
                let type = MessageBeastNames.journalChannelType
                return "\(try await world.manager.privateChannel(ofType: type, parameters: parameters))"
            }
        },
        Self(name: "updateServiceConfiguration") { _ in
            { "\(try await $0.manager.updateServiceConfiguration())" }
        },
        Self(name: "removePlace") { world in
            try await addPlace(to: world)
            return { world in
                try await world.manager.removePlace("home")
                return ""
            }
        },
        Self(name: "removeAllPlaces") { world in
            try await addPlace(to: world)
            return { world in
                try await world.manager.removeAllPlaces()
                return ""
            }
        },
        Self(name: "importLegacy") { _ in
            let folder = try TemporaryFolder()
            let (path, picture) = (folder.path("legacy.sqlite"), folder.path("a.jpg"))
            try Data("picture".utf8).write(to: URL(fileURLWithPath: picture))
            try LegacyDatabase.android.make(at: path, picture: picture)
            // The folder lives as long as the call.
            return { world in
                defer { withExtendedLifetime(folder) {} }
                return "\(try await world.manager.importLegacy(from: path))"
            }
        },
        Self(name: "restore") { world in
            let other = try WriteWorld()
            _ = try await other.write(files: [try await other.stage()])
            let folder = try TemporaryFolder()
            let path = folder.path("export.jsonl")
            try await other.manager.export(to: path)
            try world.execute("DELETE FROM channel")
            // The folder lives as long as the call.
            return { world in
                defer { withExtendedLifetime(folder) {} }
                return "\(try await world.manager.restore(from: path))"
            }
        },
    ]

    private static func addPlace(to world: WriteWorld) async throws {
        var message = Message(text: "Home")
        try message.addLocation(CustomPlace(id: "home", place: Place(name: "Home")))
        _ = try await world.manager.create(message, in: journal)
    }
}
