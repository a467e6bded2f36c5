import AppNet
import Foundation
import Testing

extension ServerCase {
    static let others: [ServerCase] = [
        ServerCase("configuration.get") { world in
            let value = try await world.alice.configuration.get().message?.textLength
            #expect(value == 2048)
        },
        ServerCase("text.process") { world in
            let entities = Entities(parsesMarkdownLinks: true)
            let text = try await world.alice.text.process("a [b](http://c.example/d)", entities: entities)
            #expect(text.entities?.links?.first?.url?.text == "http://c.example/d")
        },
        ServerCase("places.get") { world in
            let id = try await world.place()
            #expect(try await world.alice.places.get(id).factualID == id)
        },
        ServerCase("places.search") { world in
            let place = try await world.alice.places.get(try await world.place())
            let (latitude, longitude) = (try #require(place.latitude), try #require(place.longitude))
            let found = try await world.alice.places.search(
                PlaceSearch(latitude: latitude, longitude: longitude, radius: 10)
            )
            #expect(found.first?.factualID == place.factualID && found.first?.distance ?? 99 < 10)
        },
        ServerCase("interactions.list") { world in
            try await world.alice.posts.star(try await world.post())
            let page = try await world.bob.interactions.list(.only(.star)).page()
            #expect(page.elements.first?.action == .star)
            #expect(page.elements.first?.users?.map(\.id) == [world.aliceID])
        },
        ServerCase("explore.list") { world in
            let value = try await world.alice.explore.streams().isEmpty
            #expect(value == false)
        },
        ServerCase("explore.posts") { world in
            let slug = try #require(try await world.alice.explore.streams().first?.slug)
            _ = try await world.alice.explore.posts(in: slug).page()
        },
        ServerCase("filters.create") { world in
            let clause = StreamFilter.Clause(objectType: "post", field: "/data/id", comparison: "gt", value: 1)
            let draft = StreamFilter(name: "x", matchPolicy: "include_any", clauses: [clause])
            let filter = try await world.alice.filters.create(draft)
            #expect(filter.id != nil && filter.clauses == [clause])
        },
        ServerCase("filters.get") { world in
            let id = try await world.filter()
            #expect(try await world.alice.filters.get(id).id == id)
        },
        ServerCase("filters.replace") { world in
            let id = try await world.filter()
            var filter = try await world.alice.filters.get(id)
            filter.name = "coffee"
            #expect(try await world.alice.filters.replace(id, with: filter).name == "coffee")
        },
        ServerCase("filters.delete") { world in try await world.alice.filters.delete(try await world.filter()) },
        ServerCase("filters.all") { world in
            let id = try await world.filter()
            #expect(try await world.alice.filters.all().contains { $0.id == id })
        },
        ServerCase("filters.deleteAll") { world in
            _ = try await world.filter()
            try await world.alice.filters.deleteAll()
            #expect(try await world.alice.filters.all().isEmpty)
        },
        ServerCase("search.posts") { world in
            let id = try await world.post()
            #expect(try await world.alice.search.posts(ContentSearch("hello")).page().elements.first?.id == id)
        },
        ServerCase("search.messages") { world in
            let channel = try await world.channel()
            let id = try await world.message(in: channel)
            var search = ContentSearch()
            search.hashtags = ["break"]
            let page = try await world.alice.search.messages(search, in: .channels([channel])).page()
            #expect(page.elements.map(\.id) == [id])
        },
        ServerCase("search.channels") { world in
            let id = try await world.channel(type: "com.example.searched")
            var search = ChannelSearch()
            search.type = "com.example.searched"
            search.order = .id
            let found = try await world.alice.search.channels(search).page().elements
            #expect(found.first?.id == id)
        },
        ServerCase("appStreams.create") { world in
            try await world.app.appStreams.deleteAll()
            let draft = AppStream(type: "long_poll", objectTypes: ["post"], key: "new")
            #expect(try await world.app.appStreams.create(draft).endpoint != nil)
        },
        ServerCase("appStreams.get") { world in
            let id = try await world.stream()
            #expect(try await world.app.appStreams.get(id).key == "k")
        },
        ServerCase("appStreams.update") { world in
            let id = try await world.stream()
            let changes = AppStream(type: "long_poll", objectTypes: ["message"], key: "k")
            #expect(try await world.app.appStreams.update(id, changes).objectTypes == ["message"])
        },
        ServerCase("appStreams.delete") { world in try await world.app.appStreams.delete(try await world.stream()) },
        ServerCase("appStreams.all") { world in
            _ = try await world.stream()
            #expect(try await world.app.appStreams.all(key: "k").map(\.key) == ["k"])
        },
        ServerCase("appStreams.deleteAll") { world in
            _ = try await world.stream()
            try await world.app.appStreams.deleteAll()
            #expect(try await world.app.appStreams.all().isEmpty)
        },
        ServerCase("userStreams.delete") { world in
            try await world.withUserStream { try await world.alice.userStreams.delete(connectionID: $0) }
        },
        ServerCase("userStreams.deleteSubscription") { world in
            let channel = try await world.channel()
            try await world.withUserStream { id in
                let subscription = StreamSubscriptionParameters(connectionID: id, subscriptionID: "mine")
                let page = try await world.alice.messages.list(in: channel).page(subscription: subscription)
                #expect(page.meta.subscriptionID == "mine")
                try await world.alice.userStreams.delete(connectionID: id, subscriptionID: "mine")
            }
        },
    ]

    static let pnutOnly: [ServerCase] = [
        ServerCase("channels.unreadCounts") { world in
            let counts = try await world.bob.channels.unreadCounts(of: ["net.app.core.pm"])
            #expect(counts["net.app.core.pm"] != nil)
        },
        ServerCase("channels.markRead") { world in
            _ = try await world.privateChannel()
            try await world.bob.channels.markRead(["net.app.core.pm"])
            #expect(try await world.bob.channels.unreadCounts(of: ["net.app.core.pm"]) == ["net.app.core.pm": 0])
        },
        ServerCase("channels.existingPrivate") { world in
            let id = try await world.privateChannel()
            #expect(try await world.alice.channels.existingPrivateChannel(with: [world.bobID]).id == id)
        },
        ServerCase("channels.transfer") { world in
            let id = try await world.channel()
            #expect(try await world.alice.channels.transfer(id, to: world.bobID).owner?.id == world.bobID)
        },
        ServerCase("explore.channels") { world in _ = try await world.alice.explore.channelStreams() },
        ServerCase("explore.channelsOfStream") { world in
            let slugs = try await world.alice.explore.channelStreams().compactMap(\.slug)
            #expect(slugs.count == 4)
            for slug in slugs { _ = try await world.alice.explore.channels(in: slug).page() }
        },
        ServerCase("messages.thread") { world in
            let channel = try await world.channel()
            let id = try await world.message(in: channel)
            #expect(try await world.alice.messages.thread(of: id, in: channel).page().elements.map(\.id) == [id])
        },
        ServerCase("messages.report") { world in
            let channel = try await world.channel()
            try await world.bob.messages.report(try await world.message(in: channel), in: channel, reason: "nsfw")
            try await world.bob.users.unmute(world.aliceID)
        },
        ServerCase("messages.stick") { world in
            let channel = try await world.channel()
            let id = try await world.message(in: channel)
            #expect(try await world.alice.messages.stick(id, in: channel).isSticky == true)
        },
        ServerCase("messages.unstick") { world in
            let channel = try await world.channel()
            let id = try await world.message(in: channel)
            try await world.alice.messages.stick(id, in: channel)
            #expect(try await world.alice.messages.unstick(id, in: channel).isSticky == false)
        },
        ServerCase("messages.sticky") { world in
            let channel = try await world.channel()
            let id = try await world.message(in: channel)
            try await world.alice.messages.stick(id, in: channel)
            #expect(try await world.alice.messages.sticky(in: channel).page().elements.map(\.id) == [id])
        },
        ServerCase("files.deleteMany") { world in
            let ids = [try await world.file(), try await world.file()]
            try await world.alice.files.deleteMany(ids)
            #expect(try await world.alice.files.get(ids).isEmpty)
        },
        ServerCase("configuration.operation") { world in
            let page = try await world.alice.files.deleteMany([try await world.file()])
            let id = try #require(page.statusURL?.text.split(separator: "/").last)
            #expect(try await world.alice.configuration.operation(String(id))["status"] == "completed")
        },
        ServerCase("configuration.statistics") { world in _ = try await world.alice.configuration.statistics() },
        ServerCase("users.removeAvatar") { world in
            let value = try await world.alice.users.removeAvatar().avatarImage?.isDefault
            #expect(value == true)
        },
        ServerCase("users.removeCover") { world in
            let value = try await world.alice.users.removeCover().coverImage?.isDefault
            #expect(value == true)
        },
        ServerCase("users.suggested") { world in _ = try await world.alice.users.suggested().page() },
        ServerCase("users.present") { world in
            try await world.alice.users.setPresence("tea")
            #expect(try await world.bob.users.present().contains { $0.id == world.aliceID })
        },
        ServerCase("users.presence") { world in
            try await world.alice.users.setPresence("tea")
            #expect(try await world.bob.users.presence(of: world.aliceID).text == "tea")
        },
        ServerCase("users.setPresence") { world in
            let value = try await world.alice.users.setPresence("coffee").text
            #expect(value == "coffee")
        },
        ServerCase("users.presentInChannel") { world in
            let channel = try await world.channel()
            try await world.alice.users.setPresence("tea", in: channel)
            #expect(try await world.bob.users.present(in: channel).contains { $0.id == world.aliceID })
        },
        ServerCase("users.presenceInChannel") { world in
            let channel = try await world.channel()
            try await world.alice.users.setPresence("tea", in: channel)
            #expect(try await world.bob.users.presence(of: world.aliceID, in: channel).text == "tea")
        },
        ServerCase("users.setPresenceInChannel") { world in
            let value = try await world.alice.users.setPresence("x", in: try await world.channel())
            #expect(value.text == "x")
        },
        ServerCase("users.badges") { world in
            let badges = try await world.stranger.users.badges()
            #expect(badges.contains { $0.id == "2" })
        },
        ServerCase("users.badge") { world in
            let badge = try await world.stranger.users.badge("2")
            #expect(badge.name == "Oak")
        },
        ServerCase("users.ownBadges") { world in _ = try await world.alice.users.ownBadges() },
        ServerCase("posts.revise") { world in
            let post = try await world.bob.posts.revise(try await world.post(), Post(text: "Hi #tea, @alice"))
            #expect(post.text == "Hi #tea, @alice" && post.isRevised == true)
        },
        ServerCase("posts.revisions") { world in
            let id = try await world.post()
            _ = try await world.bob.posts.revise(id, Post(text: "Bye #tea @alice"))
            let revisions = try await world.alice.posts.revisions(of: id)
            #expect(revisions.map(\.text) == ["Hello #tea and @alice"] && revisions.first?.revision == 0)
        },
        ServerCase("posts.interactions") { world in
            let id = try await world.post()
            try await world.alice.posts.star(id)
            #expect(try await world.bob.posts.interactions(with: id).page().elements.isEmpty == false)
        },
        ServerCase("polls.create") { world in
            let poll = try await world.alice.polls.create(ServerWorld.pollDraft)
            #expect(poll.prompt == "Tea?" && poll.token != nil && poll.options?.map(\.text) == ["Yes", "No"])
            #expect(poll.user?.id == world.aliceID && poll.isPublic == true)
        },
        ServerCase("polls.get") { world in
            let id = try await world.poll()
            #expect(try await world.bob.polls.get(id).id == id)
        },
        ServerCase("polls.byIDs") { world in
            let id = try await world.poll()
            #expect(try await world.bob.polls.get([id]).map(\.id) == [id])
        },
        ServerCase("polls.own") { world in
            let id = try await world.poll()
            #expect(try await world.alice.polls.own().page().elements.first?.id == id)
        },
        ServerCase("polls.respond") { world in
            let poll = try await world.bob.polls.respond(to: try await world.poll(), position: 2)
            #expect(poll.options?.map(\.isYourResponse) == [false, true])
        },
        ServerCase("polls.responses") { world in
            let id = try await world.poll()
            try await world.bob.polls.respond(to: id, positions: [1])
            #expect(try await world.alice.polls.responses(to: [id]).page().elements.map(\.id) == [id])
        },
        ServerCase("polls.delete") { world in
            let id = try await world.poll()
            #expect(try await world.alice.polls.delete(id).id == id)
            #expect(try await world.alice.polls.get([id]).isEmpty)
        },
        ServerCase("polls.search") { world in
            let id = try await world.poll()
            let found = try await world.bob.polls.search("tea", filters: ["is_closed": "0"]).page()
            #expect(found.elements.first?.id == id)
        },
        ServerCase("clients.registered") { world in
            let clients = try await world.bob.clients.registered(by: world.aliceID)
            #expect(clients.map(\.id) == ["helium"])
        },
        ServerCase("clients.get") { world in
            let client = try await world.bob.clients.get("helium")
            #expect(client.user?.id == world.aliceID && client.description?.text == "helium")
            #expect(client.createdAt != nil && client.postCount != nil && client.extra.isEmpty)
        },
        ServerCase("embedding.describe") { world in
            let id = try await world.post()
            let page = try #require(URL(string: "https://posts.pnut.io/\(id.text)"))
            #expect(try await world.alice.embedding.describe(page).authorName == "@bob")
        },
        ServerCase("appStreams.test") { world in try await world.app.appStreams.test(try await world.stream()) },
    ]
}
