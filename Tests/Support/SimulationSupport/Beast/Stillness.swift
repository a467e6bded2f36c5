import AppNet
import GRDB
import HeliumCore
import HeliumJSON
import HeliumTesting
import MessageBeast

/// Lets time pass, and nothing else: everything that is due is done by the loops of the engines, without a call.
///
/// Then something is done to engines whose loops have ended, which makes work due in an unusual way, and again only time
/// passes.
struct Stillness {
    let world: BeastSystem.World
    let devices: [SimulatedDevice]
    let channels: Channels
    let random: RandomSource

    /// The names of the acts, as they are counted.
    static let kinds = acts.map { "still: \($0.name)" }

    private static let roundCount = 3
    /// Longer than any delay that an engine has stored.
    private static let limit = Duration.seconds(2 * 3600)
    private static let step = Duration.seconds(30)

    func check() async throws {
        for device in devices {
            device.network.setWeather(.fair)
            device.setReachable(true)
            device.setKills(false)
            for engine in device.running {
                engine.gate.cancelPlan()
                engine.gate.failDatabase(0)
            }
            // A process that was killed is started again, because no other process does its work.
            for process in 0..<device.processCount { _ = try await device.engine(process) }
        }
        world.simulation.trace.event("still")
        try await wait("the random calls")
        for _ in 0..<Self.roundCount {
            let act = random.pick(Self.acts, by: \.share)
            let device = devices[random.below(devices.count)]
            let scene = Operation.Scene(
                world: world,
                device: device,
                process: 0,
                engine: try await device.engine(),
                channels: channels,
                channel: channels.content[random.below(2)],
                random: random
            )
            world.simulation.trace.event("act \(act.name) on \(scene.engine.name)")
            try await act.run(scene)
            world.simulation.trace.count("still: \(act.name)")
            try await wait(act.name)
        }
    }

    /// Waits until nothing is due any more.
    private func wait(_ reason: String) async throws {
        var waited = Duration.zero
        while true {
            try await world.simulation.clock.sleep(for: Self.step)
            waited += Self.step
            // A parked deletion is not due: it waits for the user, as a parked message does.
            let left = try devices.flatMap { device in
                try Oracle.leftovers(device.disk, withParked: false).map { "\(device.name): \($0)" }
            }
            guard let first = left.first else { return }
            guard waited < Self.limit else { throw Finding("after \(reason), what is due is not done: \(first)") }
        }
    }

    // MARK: Acts

    private static let acts = [
        EndlessRefusal.act,
        Operation(name: "copy", share: 3) { scene in
            // A request arrives for the second time, and the device meets the copy.
            guard let message = try await scene.message(isOwn: true), message.state == .sent,
                let body = scene.world.rules.body(of: message.message.id?.text ?? "")
            else { return }
            let copy = try HeliumJSONDecoder().decode(Message.self, from: body)
            let client = try scene.world.client()
            let id: Message.ID?
            do {
                id = try await client.messages.create(copy, in: message.channelID).id
            } catch let error as AppNetError where error.status == 400 && copy.replyTo != nil {
                // The message that it replies to was deleted in the meantime.
                return
            }
            guard let id else { throw Finding("a copy has no id") }
            _ = try await scene.manager.refresh([id], in: message.channelID)
        },
        Operation(name: "discardWithReply", share: 3) { scene in
            scene.device.network.plan([.serverError(status: 403, hasEffect: false)])
            let text = scene.record.newText(by: scene.device.name)
            scene.record.beginCreation(of: text, by: scene.device.name, in: scene.channel)
            let first = try await scene.manager.create(Message(text: text), in: scene.channel)
            guard let id = first.message.id else { throw Finding("a message has no id") }
            scene.record.endCreation(of: text)
            try await scene.create {
                var reply = $0
                reply.replyTo = id
                return try await scene.manager.create(reply, in: scene.channel)
            }
            guard case .parked = try await scene.manager.outcome(of: id) else { return }
            let number = scene.record.beginDeletion(of: text, id: id, by: scene.device.name)
            try await scene.manager.discard(id)
            scene.record.setDeletion(number, .acknowledged)
        },
        Operation(name: "cancelledSend", share: 3) { scene in
            scene.device.network.plan([[.late, .responseLost, .slowResponse][scene.random.below(3)]])
            try await scene.create { try await scene.manager.create($0, in: scene.channel, sendsImmediately: false) }
            let call = Task { try await scene.manager.sendAll(in: scene.channel) }
            try await scene.world.simulation.clock.sleep(for: .milliseconds(scene.random.below(400)))
            call.cancel()
            _ = await call.result
        },
        Operation(name: "signIn", share: 2) { scene in
            // The loops of both channels wait for a sign-in. The call after it fails, because the database is busy.
            scene.device.network.plan([.serverError(status: 401, hasEffect: false)])
            for channel in scene.channels.content {
                let scene = Operation.Scene(
                    world: scene.world,
                    device: scene.device,
                    process: scene.process,
                    engine: scene.engine,
                    channels: scene.channels,
                    channel: channel,
                    random: scene.random
                )
                try await scene.create { try await scene.manager.create($0, in: channel) }
            }
            try await scene.world.simulation.clock.sleep(for: .seconds(5))
            scene.engine.gate.failDatabase(1)
            _ = try? await scene.manager.sendAll()
        },
        Operation(name: "network", share: 2) { scene in
            scene.device.setReachable(false)
            try await scene.world.simulation.clock.sleep(for: .seconds(1))
            try await scene.create { try await scene.manager.create($0, in: scene.channel) }
            try await scene.world.simulation.clock.sleep(for: .seconds(5))
            scene.engine.gate.failDatabase(1)
            scene.device.setReachable(true)
        },
        Operation(name: "delete", share: 1) { scene in
            guard let message = try await scene.message() else { return }
            try await delete(message, scene)
        },
        Operation(name: "deleteElsewhere", share: 2) { scene in
            // Another app of the user deletes a message that has an action.
            guard let message = try await scene.message(in: scene.channels.journal), message.state == .sent,
                let id = message.message.id, let text = message.message.text
            else { return }
            let action = scene.record.beginAction(on: text, by: scene.device.name, isOn: true)
            _ = try await scene.manager.actions.apply(scene.channels.actions, to: id)
            scene.record.endAction(action)
            try await scene.world.simulation.clock.sleep(for: step)
            let number = scene.record.beginDeletion(of: text, id: id, by: "elsewhere")
            _ = try await scene.world.client().messages.delete(id, in: scene.channels.journal)
            // The app deletes what it sees. Another copy of the message, which no engine has met yet, remains.
            if !scene.world.rules.hasCopy(of: id.text) { scene.record.setDeletion(number, .acknowledged) }
        },
        Operation(name: "cancelledAction", share: 2) { scene in
            // An action is taken off while it is sent, all rows are derived again, and the action is applied again.
            let journal = scene.channels.journal
            guard let message = try await scene.message(in: journal, isOwn: true), message.state == .sent,
                let id = message.message.id, let text = message.message.text
            else { return }
            let actions = scene.manager.actions
            guard try await !actions.isActioned(id, in: scene.channels.actions) else { return }
            scene.device.network.plan([[.late, .slowResponse][scene.random.below(2)]])
            for isOn in [true, false, true] {
                let number = scene.record.beginAction(on: text, by: scene.device.name, isOn: isOn)
                if isOn {
                    _ = try await actions.apply(scene.channels.actions, to: id)
                } else {
                    _ = try await actions.remove(scene.channels.actions, from: id)
                }
                scene.record.endAction(number)
                try await scene.world.simulation.clock.sleep(for: .milliseconds(20))
                if !isOn { try await scene.manager.rebuild() }
            }
        },
        Operation(name: "lateAction", share: 2) { scene in
            // Another app of the user applies an action, and does not know yet that the message was deleted.
            guard let message = try await scene.message(in: scene.channels.journal), message.state == .sent,
                let id = message.message.id
            else { return }
            try await delete(message, scene)
            try await scene.world.simulation.clock.sleep(for: step)
            var action = Message(isMachineOnly: true)
            action.addTargetMessage(id)
            _ = try await scene.world.client().messages.create(action, in: scene.channels.actions)
        },
    ]

    private static func delete(_ message: MessagePlus, _ scene: Operation.Scene) async throws {
        guard let id = message.message.id, let text = message.message.text else { return }
        let number = scene.record.beginDeletion(of: text, id: id, by: scene.device.name)
        try await scene.manager.delete(id)
        scene.record.setDeletion(number, .acknowledged)
    }
}
