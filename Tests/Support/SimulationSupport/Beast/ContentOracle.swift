import AppNet
import Foundation
import HeliumCrypto
import MessageBeast

/// Compares what live messages refer to, files and other messages, with what was asked.
struct ContentOracle {
    let world: BeastSystem.World
    /// Asks the server with nothing in between.
    let client: AppNetClient

    func check(_ live: [Message], in channel: AppNetChannel.ID) async throws {
        let messages = Dictionary(live.map { (CallRecord.key(of: $0.text ?? ""), $0) }) { first, _ in first }
        for creation in world.record.creations where creation.channel == channel {
            guard let message = messages[creation.key] else { continue }
            try await checkFile(of: message, creation)
            // The target of a message that is not live any more may have been removed before the reply was sent.
            guard let key = creation.target, let target = messages[key]?.id, creation.texts.count == 1 else { continue }
            guard let replied = message.replyTo else { throw Finding("\"\(creation.key)\" is no reply any more") }
            guard replied == target || world.rules.areCopies(replied.text, target.text) else {
                throw Finding("\"\(creation.key)\" replies to \(replied), and not to \(target)")
            }
        }
    }

    private func checkFile(of message: Message, _ creation: CallRecord.Creation) async throws {
        let annotations = (message.annotations ?? []).filter { $0.type == MessageBeastNames.attachments }
        let ids = annotations.flatMap { $0.value?[MessageBeastNames.fileList]?.arrayValue ?? [] }
            .compactMap { $0["file_id"]?.stringValue }
        guard let content = creation.file else {
            guard ids.isEmpty else { throw Finding("\"\(creation.key)\" has files of its own") }
            return
        }
        guard let id = ids.first, ids.count == 1 else {
            throw Finding("\"\(creation.key)\" has \(ids.count) files: \(annotations)")
        }
        let file: File
        do {
            file = try await client.files.get(File.ID(id))
        } catch {
            throw Finding("the file of \"\(creation.key)\", live as \(message.id?.text ?? ""), can't be read: \(error)")
        }
        guard file.isComplete == true, file.sha1 == SHA1.hex(of: Array(content.utf8)) else {
            throw Finding("the file of \"\(creation.key)\" has other bytes")
        }
    }
}
