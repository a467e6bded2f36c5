import AppNet
import Testing

extension ServerCase {
    static let channels: [ServerCase] = [
        ServerCase("channels.create") { world in
            let draft = AppNetChannel(
                type: "com.example.room",
                readers: ACL(userIDs: [world.bobID]),
                autoSubscribe: true
            )
            let channel = try await world.alice.channels.create(draft)
            #expect(channel.readers?.userIDs == [world.bobID] && channel.type == "com.example.room")
        },
        ServerCase("channels.get") { world in
            let id = try await world.channel()
            #expect(try await world.alice.channels.get(id).id == id)
        },
        ServerCase("channels.byIDs") { world in
            let ids = [try await world.channel(), try await world.channel()]
            #expect(Set(try await world.alice.channels.get(ids).compactMap(\.id)) == Set(ids))
        },
        ServerCase("channels.update") { world in
            let changed = try await world.alice.channels.update(
                try await world.channel(),
                AppNetChannel(writers: ACL(userIDs: [world.bobID]))
            )
            #expect(changed.writers?.userIDs == [world.bobID] && changed.writers?.includesAnyUser == false)
        },
        ServerCase("channels.deactivate") { world in
            let value = try await world.alice.channels.deactivate(try await world.channel())
            #expect(value.isInactive == true)
        },
        ServerCase("channels.subscribed") { world in
            let id = try await world.channel()
            #expect(try await world.bob.channels.subscribed().page().elements.contains { $0.id == id })
        },
        ServerCase("channels.created") { world in
            let id = try await world.channel()
            #expect(try await world.alice.channels.created().page().elements.first?.id == id)
        },
        ServerCase("channels.muted") { world in
            let id = try await world.channel()
            _ = try await world.bob.channels.mute(id)
            #expect(try await world.bob.channels.muted().contains { $0.id == id })
        },
        ServerCase("channels.subscribe") { world in
            let value = try await world.alice.channels.subscribe(to: try await world.channel())
            #expect(value.youSubscribed == true)
        },
        ServerCase("channels.unsubscribe") { world in
            let value = try await world.bob.channels.unsubscribe(from: try await world.channel())
            #expect(value.youSubscribed == false)
        },
        ServerCase("channels.mute") { world in
            let value = try await world.bob.channels.mute(try await world.channel())
            #expect(value.youMuted == true)
        },
        ServerCase("channels.unmute") { world in
            let value = try await world.bob.channels.unmute(try await world.channel())
            #expect(value.youMuted == false)
        },
        ServerCase("channels.subscribers") { world in
            let page = try await world.alice.channels.subscribers(of: try await world.channel()).page()
            #expect(page.elements.contains { $0.id == world.bobID })
        },
        ServerCase("channels.subscriberIDs") { world in
            let value = try await world.alice.channels.subscriberIDs(of: try await world.channel())
            #expect(value.contains(world.bobID))
        },
        ServerCase("channels.subscriberIDsOfChannels") { world in
            let id = try await world.channel()
            #expect(try await world.alice.channels.subscriberIDs(of: [id])[id]?.contains(world.bobID) == true)
        },
        ServerCase("channels.unreadPrivateCount") { world in
            _ = try await world.privateChannel()
            #expect(try await world.bob.channels.unreadPrivateCount() > 0)
        },
        ServerCase("channels.unreadBroadcastCount") { world in
            let channel = try await world.channel(type: "net.app.core.broadcast")
            _ = try await world.message(in: channel)
            #expect(try await world.bob.channels.unreadBroadcastCount() > 0)
        },
        ServerCase("channels.markBroadcastsRead") { world in
            try await world.bob.channels.markBroadcastsRead()
            #expect(try await world.bob.channels.unreadBroadcastCount() == 0)
        },
    ]

    static let messages: [ServerCase] = [
        ServerCase("messages.create") { world in
            let mood = Annotation(type: "com.example.mood", value: ["level": 2])
            let sent = try await world.alice.messages.create(
                Message(text: "Hello @bob", annotations: [mood]),
                in: try await world.channel(),
                parameters: GeneralParameters(includesAnnotations: true)
            )
            #expect(sent.text == "Hello @bob" && sent.annotations == [mood])
            #expect(sent.entities?.mentions?.first?.id == world.bobID)
        },
        ServerCase("messages.inChannel") { world in
            let channel = try await world.channel()
            let ids = [try await world.message(in: channel), try await world.message(in: channel)]
            let page = try await world.alice.messages.list(in: channel).page()
            #expect(page.elements.map(\.id) == ids.reversed() && page.meta.marker?.name == "channel:\(channel)")
        },
        ServerCase("messages.get") { world in
            let channel = try await world.channel()
            let id = try await world.message(in: channel)
            #expect(try await world.bob.messages.get(id, in: channel).id == id)
        },
        ServerCase("messages.byIDs") { world in
            let id = try await world.message(in: try await world.channel())
            #expect(try await world.bob.messages.get([id]).map(\.id) == [id])
        },
        ServerCase("messages.own") { world in
            let id = try await world.message(in: try await world.channel())
            #expect(try await world.alice.messages.own().page().elements.first?.id == id)
        },
        ServerCase("messages.delete") { world in
            let channel = try await world.channel()
            let deleted = try await world.alice.messages.delete(try await world.message(in: channel), in: channel)
            #expect(deleted.isDeleted == true && deleted.text == nil)
        },
        ServerCase("streamMarkers.update") { world in
            let channel = try await world.channel()
            let id = try await world.message(in: channel)
            let marker = StreamMarker(name: "channel:\(channel)", id: AppNetID(id.text), percentage: 50)
            let stored = try await world.bob.streamMarkers.update(marker)
            #expect(stored.lastReadID?.text == id.text && stored.percentage == 50)
        },
    ]
}
