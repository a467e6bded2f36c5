import AppNet
import MessageBeast
import SimulationSupport

extension Operation {
    /// Messages of another program, retention and wipes.
    static let removing = [
        Self(name: "writeElsewhere", share: 4) { scene in
            let text = scene.record.newText(by: CallRecord.elsewhere)
            scene.record.beginCreation(of: text, by: CallRecord.elsewhere, in: scene.channel)
            _ = try await scene.world.client().messages.create(
                try Decoration.message(text, scene.random),
                in: scene.channel
            )
            scene.record.endCreation(of: text)
        },
        Self(name: "retain", share: 3) { scene in
            scene.device.noteRetention()
            try await scene.manager.apply(MessageRetention(maximumCount: scene.random.below(6)), to: scene.channel)
        },
        Self(name: "news", share: 4) { scene in
            guard scene.device.tellNews(of: scene.channel) else { return }
            scene.world.simulation.trace.count("newsTold")
        },
        Self(name: "wipe", share: 1) { scene in
            // Another process would not know.
            guard scene.device.processCount == 1 else { return }
            scene.record.noteWipe(of: scene.device.name)
            try await scene.manager.wipe()
        },
    ]
}
