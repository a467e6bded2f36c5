import AppNet
import Foundation
import MessageBeast

extension Operation {
    /// Actions, files, replies, edits and drafts.
    static let richWriting = [
        Self(name: "act", share: 12) { scene in
            let journal = scene.channels.journal
            guard let message = try await scene.message(in: journal, isOwn: scene.random.below(4) > 0),
                let id = message.message.id, let text = message.message.text
            else { return }
            let isOn = scene.random.below(3) > 0
            let number = scene.record.beginAction(on: text, by: scene.device.name, isOn: isOn)
            _ = try await scene.disturbed {
                let (actions, channel) = (scene.manager.actions, scene.channels.actions)
                return isOn ? try await actions.apply(channel, to: id) : try await actions.remove(channel, from: id)
            }
            scene.record.endAction(number)
        },
        Self(name: "createWithFile", share: 5) { scene in
            let file = "The file of \(scene.record.newText(by: scene.device.name))"
            let staged = try await scene.manager.stage(
                Data(file.utf8),
                name: "\(file.utf8.count).bin",
                type: "com.example.file"
            )
            // Two messages may use one file.
            for _ in 0...scene.random.below(2) {
                let text = scene.record.newText(by: scene.device.name)
                scene.record.beginCreation(of: text, by: scene.device.name, in: scene.channel, file: file)
                try await scene.finishCreation(of: text) {
                    try await scene.manager.create(
                        Message(text: text),
                        in: scene.channel,
                        attachments: [PendingFileAttachment(pendingFileID: staged.id, isOEmbed: false)]
                    )
                }
            }
        },
        Self(name: "reply", share: 6) { scene in
            guard let target = try await scene.message(isOwn: true), let id = target.message.id,
                let targetText = target.message.text
            else { return }
            let text = scene.record.newText(by: scene.device.name)
            scene.record.beginCreation(
                of: text,
                by: scene.device.name,
                in: scene.channel,
                replyingTo: CallRecord.key(of: targetText)
            )
            try await scene.finishCreation(of: text) {
                try await scene.manager.create(Message(text: text, replyTo: id), in: scene.channel)
            }
        },
        Self(name: "edit", share: 6) { scene in
            guard let message = try await scene.unsent(), let id = message.message.id, let text = message.message.text
            else { return }
            // It may be parked, because the other device may have deleted it. An edit sends it again.
            scene.record.revive(text, by: scene.device.name)
            let new = scene.record.beginEdit(of: text)
            do {
                _ = try await scene.disturbed {
                    try await scene.manager.edit(id, to: Message(text: new, replyTo: message.message.replyTo))
                }
            } catch {
                if !scene.engine.gate.isShut { scene.record.refuseEdit(to: new) }
                if let error = error as? MessageBeastError, error.kind == .notEditable { return }
                throw error
            }
            scene.record.endEdit(to: new)
        },
        Self(name: "draft", share: 5) { scene in
            let (record, manager, device) = (scene.record, scene.manager, scene.device.name)
            let drafts = record.drafts(of: device)
            guard drafts.count > 1 || (!drafts.isEmpty && scene.random.below(2) == 0) else {
                let text = record.newText(by: device)
                let draft = try await scene.disturbed {
                    try await manager.createDraft(Message(text: text), in: scene.channel)
                }
                guard let id = draft.message.id else { throw Finding("a draft has no id") }
                return record.add(CallRecord.Draft(key: text, device: device, channel: scene.channel, id: id))
            }
            let draft = drafts[scene.random.below(drafts.count)]
            record.remove(draft)
            do {
                guard scene.random.below(3) > 0 else {
                    return try await scene.disturbed { try await manager.deleteDraft(draft.id) }
                }
                record.beginCreation(of: draft.key, by: device, in: draft.channel)
                try await scene.finishCreation(of: draft.key) { try await manager.promoteDraft(draft.id) }
            } catch {
                if !scene.engine.gate.isShut { record.add(draft) }
                throw error
            }
        },
    ]
}
