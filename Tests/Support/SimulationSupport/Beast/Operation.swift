import AppNet
import HeliumCore
import HeliumJSON
import HeliumTesting
import MessageBeast

/// Something that a user, an app or the surroundings do with a device. A further one is an entry of ``Operation/all``.
struct Operation: Sendable {
    /// The surroundings of one operation.
    struct Scene: Sendable {
        let world: BeastSystem.World
        let device: SimulatedDevice
        /// The number of the device's process.
        let process: Int
        let engine: SimulatedDevice.Incarnation
        let channels: Channels
        let channel: AppNetChannel.ID
        let random: RandomSource

        var manager: MessageManager { engine.manager }
        var record: CallRecord { world.record }

        /// One of the newest messages, with a text.
        ///
        /// - Parameter isOwn: Whether it was written on this device.
        func message(in other: AppNetChannel.ID? = nil, isOwn: Bool = false) async throws -> MessagePlus? {
            let messages = try await manager.page(of: other ?? channel, limit: 12).messages.filter { message in
                message.message.text.map { !isOwn || $0.contains(" of \(device.name) ") } ?? false
            }
            return messages.isEmpty ? nil : messages[random.below(messages.count)]
        }

        /// One of the newest messages that were not sent, parked ones included.
        func unsent() async throws -> MessagePlus? {
            let messages = try await manager.page(of: channel, limit: 12).messages.filter { message in
                message.message.text != nil && message.state == .unsent
            }
            return messages.isEmpty ? nil : messages[random.below(messages.count)]
        }

        func parked() async throws -> ParkedMessage? {
            let parked = try await manager.parkedMessages()
            return parked.isEmpty ? nil : parked[random.below(parked.count)]
        }

        /// Creates a message with a new text.
        ///
        /// - Parameter call: Creates it. If it throws, nothing is stored, unless the engine was killed.
        func create(_ call: (Message) async throws -> MessagePlus) async throws {
            let text = record.newText(by: device.name)
            record.beginCreation(of: text, by: device.name, in: channel)
            do {
                _ = try await call(Operation.message(text))
            } catch {
                if !engine.gate.isShut { record.refuseCreation(of: text) }
                throw error
            }
            record.endCreation(of: text)
        }
    }

    let name: String
    /// Its share among all operations.
    let share: Int
    /// Whether the device does other things while it runs.
    var isConcurrent = false
    let run: @Sendable (Scene) async throws -> Void

    static let all =
        writing + richWriting + reading + [
            Self(name: "kill", share: 3) { $0.device.kill($0.process) },
            Self(name: "restart", share: 2) { await $0.device.stop($0.process) },
            Self(name: "disconnect", share: 3) { $0.device.setReachable(false) },
            Self(name: "connect", share: 6) { $0.device.setReachable(true) },
            Self(name: "busy", share: 4) { $0.engine.gate.failDatabase(1 + $0.random.below(4)) },
        ]

    private static let writing = [
        Self(name: "create", share: 40) { scene in
            let isImmediate = scene.random.below(4) > 0
            var failure: (any Error)?
            do {
                for _ in 0..<(scene.random.below(3) == 0 ? 3 : 1) {
                    try await scene.create { message in
                        try await scene.disturbed {
                            try await scene.manager.create(message, in: scene.channel, sendsImmediately: isImmediate)
                        }
                    }
                }
            } catch {
                failure = error
            }
            // Otherwise they would wait for a call that may never come.
            if !isImmediate { try await scene.manager.sendAll(in: scene.channel) }
            if let failure { throw failure }
        },
        Self(name: "cancelledCreate", share: 6) { scene in
            try await scene.create { message in
                let call = Task { try await scene.manager.create(message, in: scene.channel) }
                call.cancel()
                return try await call.value
            }
        },
        Self(name: "delete", share: 12) { scene in
            guard let message = try await scene.message(), let id = message.message.id, let text = message.message.text
            else { return }
            let number = scene.record.beginDeletion(of: text, id: id, by: scene.device.name)
            do {
                try await scene.disturbed { try await scene.manager.delete(id) }
            } catch {
                // It went away meanwhile, the database was busy, or the call was cancelled: nothing was recorded.
                if !scene.engine.gate.isShut { scene.record.setDeletion(number, .cancelled) }
                throw error
            }
            scene.record.setDeletion(number, .acknowledged)
        },
        Self(name: "cancelDeletion", share: 6) { scene in
            guard let (number, id) = scene.record.deletions(by: scene.device.name).last else { return }
            scene.record.setDeletion(number, .unknown)
            let isBack = try await scene.disturbed { try await scene.manager.cancelDeletion(of: id) }
            scene.record.setDeletion(number, isBack ? .cancelled : .acknowledged)
        },
        Self(name: "retry", share: 5) { scene in
            guard let parked = try await scene.parked(), let id = parked.message.message.id else { return }
            // An action has no text.
            if let text = parked.message.message.text { scene.record.noteRetry(text) }
            let revived = parked.reason.code == "maybeDeletedElsewhere" ? parked.message.message.text : nil
            if let revived { scene.record.beginRevival(of: revived, token: id.text) }
            try await scene.disturbed { try await scene.manager.retry(id) }
            if let revived { scene.record.endRevival(of: revived, token: id.text) }
        },
        Self(name: "discard", share: 2) { scene in
            guard let parked = try await scene.parked(), let id = parked.message.message.id,
                let text = parked.message.message.text
            else { return }
            let number = scene.record.beginDeletion(of: text, id: id, by: scene.device.name)
            do {
                try await scene.disturbed { try await scene.manager.discard(id) }
            } catch {
                if !scene.engine.gate.isShut { scene.record.setDeletion(number, .cancelled) }
                throw error
            }
            scene.record.setDeletion(number, .acknowledged)
        },
    ]

    private static let reading = [
        Self(name: "fetchNewest", share: 14, isConcurrent: true) { scene in
            _ = try await scene.manager.fetchNewest(in: scene.channel)
        },
        Self(name: "fetchMore", share: 4, isConcurrent: true) { scene in
            _ = try await scene.manager.fetchMore(in: scene.channel)
        },
        Self(name: "fullSync", share: 5, isConcurrent: true) { scene in
            try await scene.manager.fullSync(of: scene.channel).run()
        },
        Self(name: "reconcile", share: 5, isConcurrent: true) { scene in
            _ = try await scene.manager.reconcile(scene.channel)
        },
        Self(name: "sendAll", share: 8, isConcurrent: true) { try await $0.manager.sendAll() },
        Self(name: "cancelledSend", share: 6, isConcurrent: true) { scene in
            let call = Task { try await scene.manager.sendAll() }
            try? await scene.world.simulation.clock.sleep(for: .milliseconds(scene.random.below(1000)))
            call.cancel()
            try await call.value
        },
        Self(name: "refresh", share: 3, isConcurrent: true) { scene in
            guard let message = try await scene.message(), message.state == .sent, let id = message.message.id else {
                return
            }
            _ = try await scene.manager.refresh(id, in: scene.channel)
        },
        Self(name: "rebuild", share: 2, isConcurrent: true) { scene in
            try await scene.manager.rebuild()
            if let problem = try await scene.manager.check().first { throw Finding("after a rebuild: \(problem)") }
        },
        Self(name: "privateChannel", share: 2, isConcurrent: true) { scene in
            // Of this device alone: two that make one at a time would have two.
            _ = try await scene.manager.privateChannel(ofType: "com.example.of.\(scene.device.name)")
        },
    ]

    /// A new message. Some are at one of a few places, which have another name in each.
    fileprivate static func message(_ text: String) -> Message {
        var message = Message(text: text)
        guard let number = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }), number % 3 == 0 else {
            return message
        }
        let place = number % 4
        message.annotations = [
            Annotation(
                type: MessageBeastNames.ohaiLocation,
                value: [
                    "id": .string("place \(place)"), "name": .string("Name \(number)"),
                    "latitude": .number(JSONNumber(place)),
                    "longitude": 8,
                ]
            )
        ]
        return message
    }

    static func pick(_ random: RandomSource) -> Self { random.pick(all, by: \.share) }
}
