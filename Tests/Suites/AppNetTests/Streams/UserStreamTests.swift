import Foundation
import HeliumCore
import HeliumTesting
import HeliumWebSocket
import Synchronization
import TestSupport
import Testing

@testable import AppNet

@Suite("User streams of the client", .timeLimit(.minutes(5)))
struct UserStreamTests {
    static let channel: AppNetChannel.ID = "12"

    @Test("a user stream has events of new and deleted items, over both transports", arguments: ["ws", "http"])
    func tellEvents(scheme: String) async throws {
        try await TestStreamServer.run(scheme: scheme) { server, client in
            for _ in 1...3 { server.write() }
            let stream = client.userStream(.brisk)
            let messages = try await stream.subscribe(to: .messages(in: Self.channel))
            #expect(messages.initial.elements.map(\.id) == ["3", "2", "1"])
            server.write()
            server.delete(2)
            server.delete(2)
            server.write()
            var told = messages.makeAsyncIterator()
            let first = try #require(try await told.next())
            #expect(first.origin == .event)
            #expect(first.value?.text == "number 4")
            #expect(first.meta?.maxID == "4")
            #expect(try await told.next()?.change == .deleted("2", nil))
            #expect(try await told.next()?.value?.id == "5")
            await stream.close()
            #expect(try await told.next() == nil)
        }
    }

    @Test("a user stream ends with its client, and says so", arguments: ["ws", "http"])
    func closedClient(scheme: String) async throws {
        try await TestStreamServer.run(scheme: scheme) { _, client in
            let stream = client.userStream(.brisk)
            let messages = try await stream.subscribe(to: .messages(in: Self.channel))
            await client.close()
            let error = await #expect(throws: AppNetError.self) { for try await _ in messages {} }
            #expect(error?.underlying?.kind == .clientClosed, "\(String(describing: error))")
            await stream.close()
        }
    }

    @Test("parameters of values go into the connection, and those of items into the subscription")
    func placeParameters() async throws {
        try await TestStreamServer.run { server, client in
            var options = UserStreamOptions.brisk
            options.connectionID = "mine"
            options.parameters.includesAnnotations = true
            options.parameters.includesMuted = true
            let stream = client.userStream(options)
            var subscription = StreamSubscriptionOptions()
            subscription.subscriptionID = "lists"
            subscription.initialCount = 5
            _ = try await stream.subscribe(to: .messages(in: Self.channel), options: subscription)
            #expect(stream.connectionID == "mine")
            let connection = try #require(server.connections.first)
            #expect(connection.contains("include_annotations=1") && connection.contains("connection_id=mine"))
            #expect(!connection.contains("include_muted") && !connection.contains("EXAMPLE_TOKEN"))
            let list = try #require(server.lists.first)
            for part in ["include_muted=1", "count=5", "connection_id=mine", "subscription_id=lists"] {
                #expect(list.contains(part))
            }
            await stream.close()
        }
    }

    @Test("a user stream holds events until the list was read")
    func holdBack() async throws {
        try await TestStreamServer.run { server, client in
            server.write()
            let stream = client.userStream(.brisk)
            var options = StreamSubscriptionOptions()
            options.subscriptionID = "early"
            server.manners.holdsLists = true
            let subscribing = Task { try await stream.subscribe(to: .messages(in: Self.channel), options: options) }
            await server.wait { server.lists.count == 1 }
            // For a subscription that is being made: message 2 comes before the list, which has it too.
            server.say(
                #"{"meta":{"subscription_ids":["early"],"max_id":"2"},"data":[{"id":"2","text":"number 2"}]}"#
            )
            server.write()
            server.manners.holdsLists = false
            let messages = try await subscribing.value
            #expect(messages.initial.elements.map(\.id) == ["2", "1"])
            server.write()
            var told = messages.makeAsyncIterator()
            #expect(try await told.next()?.value?.id == "3")
            await stream.close()
        }
    }

    @Test("a user stream is not delayed by ids and names that are slow to compare", arguments: ["ws", "http"])
    func slowText(scheme: String) async throws {
        // One look-up of it in a dictionary of strings takes minutes.
        let marks = "a" + String(repeating: "\u{301}\u{316}", count: 400_000)
        try await TestStreamServer.run(scheme: scheme) { server, client in
            let stream = client.userStream(.brisk)
            var options = StreamSubscriptionOptions()
            options.subscriptionID = "mine"
            let messages = try await stream.subscribe(to: .messages(in: Self.channel), options: options)
            server.say(#"{"meta":{"subscription_ids":["\#(marks)"],"type":"\#(marks)"},"data":{"id":"7"}}"#)
            server.say(#"{"meta":{"subscription_id":"\#(marks)","connection_id":"\#(marks)"}}"#)
            // No message: its list is read again.
            server.say(#"{"meta":{"subscription_ids":["mine"]},"data":{"id":"8","is_deleted":"\#(marks)"}}"#)
            await server.wait { server.lists.count == 2 }
            server.write()
            var told = messages.makeAsyncIterator()
            var update = try await told.next()
            while update?.change == .caughtUp(isResumed: false) { update = try await told.next() }
            #expect(update?.value?.id == "1")
            await stream.close()
        }
    }

    @Test("a user stream is resumed after a cut, with the events that were missed")
    func resume() async throws {
        try await TestStreamServer.run { server, client in
            server.write()
            let stream = client.userStream(.brisk)
            let messages = try await stream.subscribe(to: .messages(in: Self.channel))
            let id = stream.connectionID
            server.cut()
            server.delete(1)
            server.write()
            var changes: [StreamUpdate<Message>.Change] = []
            for try await update in messages {
                changes.append(update.change)
                if changes.count == 3 { break }
            }
            #expect(stream.connectionID == id)
            #expect(changes.contains(.caughtUp(isResumed: true)))
            #expect(changes.contains(.deleted("1", nil)))
            #expect(changes.contains { $0 == .added(Message(id: "2", channelID: "12", text: "number 2")) })
            await stream.close()
        }
    }

    @Test("a user stream subscribes again if it cannot be resumed, and reads what was missed by pages")
    func fillGap() async throws {
        try await TestStreamServer.run { server, client in
            server.manners.resumes = false
            server.write()
            let stream = client.userStream(.brisk)
            let messages = try await stream.subscribe(to: .messages(in: Self.channel))
            let id = stream.connectionID
            for _ in 1...450 { server.write(tells: false) }
            server.cut()
            var told: [Message.ID] = []
            for try await update in messages {
                if let id = update.value?.id { told.append(id) }
                if update.change == .caughtUp(isResumed: false) { break }
                #expect(update.origin == .catchUp)
            }
            #expect(told == (2...451).map { Message.ID($0) })
            #expect(stream.connectionID != id)
            #expect(server.lists.contains { $0.contains("since_id=1") && $0.contains("count=-200") })
            await stream.close()
        }
    }

    @Test("a user stream continues after a page of which no item can be decoded, and names the items")
    func unreadable() async throws {
        try await TestStreamServer.run { server, client in
            server.write()
            server.manners.unreadable = [2]
            let stream = client.userStream(.brisk)
            let messages = try await stream.subscribe(to: .messages(in: Self.channel))
            server.write(tells: false)
            server.say("no JSON at all")
            var told = messages.makeAsyncIterator()
            let mark = try #require(try await told.next())
            #expect(mark.change == .caughtUp(isResumed: false) && mark.unreadable.ids == ["2"])
            server.write()
            #expect(try await told.next()?.value?.id == "3")
            await stream.close()
        }
    }

    @Test("a user stream reads the list again after an event that cannot be decoded")
    func readAgain() async throws {
        try await TestStreamServer.run { server, client in
            server.write()
            let stream = client.userStream(.brisk)
            let messages = try await stream.subscribe(to: .messages(in: Self.channel))
            server.write(tells: false)
            server.say("no JSON at all")
            var told = messages.makeAsyncIterator()
            #expect(try await told.next()?.value?.id == "2")
            #expect(try await told.next()?.change == .caughtUp(isResumed: false))
            await stream.close()
        }
    }

    @Test(
        "a subscription that the service refuses fails",
        arguments: [(401, "unauthorized"), (403, "forbidden"), (404, "notFound")]
    )
    func refuse(status: Int, kind: String) async throws {
        try await TestStreamServer.run { server, client in
            server.manners.refusals = [status]
            let stream = client.userStream(.brisk)
            let error = await #expect(throws: AppNetError.self) {
                try await stream.subscribe(to: .messages(in: Self.channel))
            }
            #expect(error?.kind.rawValue == kind)
            #expect(error?.serverMessage == "no")
            await stream.close()
        }
    }

    @Test("a subscription that the service refuses twice after a cut ends")
    func refuseLater() async throws {
        try await TestStreamServer.run { server, client in
            let stream = client.userStream(.brisk)
            let messages = try await stream.subscribe(to: .messages(in: Self.channel))
            server.manners.refusals = [404, 404]
            server.cut()
            let error = await #expect(throws: AppNetError.self) { for try await _ in messages {} }
            #expect(error?.kind == .notFound)
            #expect(server.manners.refusals.isEmpty)
            await stream.close()
        }
    }

    @Test("all subscriptions fail if the connection of a user stream is refused")
    func refuseConnection() async throws {
        try await TestStreamServer.run { server, client in
            server.manners.connectionStatus = 401
            let stream = client.userStream(.brisk)
            let error = await #expect(throws: AppNetError.self) {
                try await stream.subscribe(to: .messages(in: Self.channel))
            }
            #expect(error?.kind == .unauthorized)
            #expect(!String(describing: error).contains("EXAMPLE_TOKEN"))
            #expect(stream.connectionState.isClosed)
            server.manners.connectionStatus = 200
            _ = try await stream.subscribe(to: .messages(in: Self.channel))
            await stream.close()
        }
    }

    @Test("subscriptions that are not made in time fail with the error of the connection")
    func cause() async throws {
        // Only the pauses between connections let time pass.
        let clock = TestClock(skippingSleepsUpTo: .milliseconds(4))
        try await TestStreamServer.run(configure: { $0.environment.clock = clock }) { server, client in
            server.manners.connectionStatus = 503
            var options = UserStreamOptions.brisk
            options.subscribeTimeout = .milliseconds(100)
            let stream = client.userStream(options)
            let error = await #expect(throws: AppNetError.self) {
                try await stream.subscribe(to: .messages(in: Self.channel))
            }
            #expect(error?.kind == .timedOut && error?.status == 503)
            #expect(error?.message.contains("503") == true, "\(error?.message ?? "")")
            await stream.close()
        }
    }

    @Test("a subscription that the service does not make is an error")
    func notSubscribed() async throws {
        try await TestStreamServer.run { server, client in
            server.manners.forgetsSubscriptions = true
            let stream = client.userStream(.brisk)
            let error = await #expect(throws: AppNetError.self) {
                try await stream.subscribe(to: .messages(in: Self.channel))
            }
            #expect(error?.kind == .notSubscribed)
            await stream.close()
        }
    }

    @Test("a subscription whose updates are not read ends, and others continue")
    func slowConsumer() async throws {
        try await TestStreamServer.run { server, client in
            let stream = client.userStream(.brisk)
            var options = StreamSubscriptionOptions()
            options.bufferLimit = 3
            let slow = try await stream.subscribe(to: .messages(in: Self.channel), options: options)
            let quick = try await stream.subscribe(to: .messages(in: Self.channel))
            var told = quick.makeAsyncIterator()
            // An event arrives only after the subscription's list was read. Before that, a full buffer leads to a new list and not
            // to an error.
            server.write()
            var begun = slow.makeAsyncIterator()
            _ = try await begun.next()
            for _ in 1...4 { server.write() }
            for _ in 1...5 { _ = try await told.next() }
            await server.wait { server.subscriptionCount == 1 }
            var count = 0
            let error = await #expect(throws: AppNetError.self) { for try await _ in slow { count += 1 } }
            #expect(error?.kind == .consumerTooSlow)
            #expect(count == 3)
            server.write()
            #expect(try await told.next()?.value?.id == "6")
            await stream.close()
        }
    }

    @Test("ended subscriptions and streams are deleted on the service")
    func forget() async throws {
        try await TestStreamServer.run { server, client in
            let stream = client.userStream(.brisk)
            let messages = try await stream.subscribe(to: .messages(in: Self.channel))
            #expect(server.subscriptionCount == 1)
            await messages.unsubscribe()
            #expect(server.subscriptionCount == 0)
            #expect(server.streamCount == 1)
            await stream.close()
            #expect(server.streamCount == 0)
            await #expect(throws: AppNetError.self) { try await stream.subscribe(to: .messages(in: Self.channel)) }
        }
    }

    @Test("a subscription that renews another under its id goes on when the earlier one is released or unsubscribed")
    func renew() async throws {
        try await TestStreamServer.run { server, client in
            let stream = client.userStream(.brisk)
            var options = StreamSubscriptionOptions()
            options.subscriptionID = "main"
            var kept: [StreamSubscription<Message>] = []
            for isReleased in [true, false] {
                var first: StreamSubscription<Message>? = try await stream.subscribe(
                    to: .messages(in: Self.channel),
                    options: options
                )
                let second = try await stream.subscribe(to: .messages(in: Self.channel), options: options)
                kept.append(second)
                var ended = first?.makeAsyncIterator()
                let end = try await ended?.next()
                #expect(end == nil)
                ended = nil
                if !isReleased { await first?.unsubscribe() }
                first = nil
                var told = second.makeAsyncIterator()
                let id = server.write()
                #expect(try await told.next()?.value?.id == Message.ID(id))
                #expect(server.subscriptionCount == 1)
            }
            #expect(!server.requests.contains { $0.hasPrefix("DELETE") } && kept.count == 2)
            await stream.close()
        }
    }

    @Test("a subscription whose id another takes before the response fails, and the other one begins")
    func renewPending() async throws {
        try await TestStreamServer.run { server, client in
            let stream = client.userStream(.brisk)
            var options = StreamSubscriptionOptions()
            options.subscriptionID = "main"
            server.manners.holdsLists = true
            let first = Task { [options] in
                try await stream.subscribe(to: .messages(in: Self.channel), options: options)
            }
            await server.wait { server.lists.count == 1 }
            let second = Task { [options] in
                try await stream.subscribe(to: .messages(in: Self.channel), options: options)
            }
            let error = await #expect(throws: AppNetError.self) { try await first.value }
            #expect(error?.kind == .invalidRequest)
            server.manners.holdsLists = false
            let messages = try await second.value
            server.write()
            var told = messages.makeAsyncIterator()
            #expect(try await told.next()?.value?.id == "1")
            #expect(server.subscriptionCount == 1)
            await stream.close()
        }
    }

    @Test("a subscription is deleted on the service although the task is cancelled that ends it")
    func forgetCancelled() async throws {
        try await TestStreamServer.run { server, client in
            let stream = client.userStream(.brisk)
            let messages = try await stream.subscribe(to: .messages(in: Self.channel))
            let leaving = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                await messages.unsubscribe()
            }
            await leaving.value
            #expect(server.requests.contains { $0.hasPrefix("DELETE") && $0.hasSuffix(messages.id) })
            let closing = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                await stream.close()
            }
            await closing.value
            #expect(server.streamCount == 0)
        }
    }

    @Test("without a connection, a subscription ends at once, and the next connection begins with its deletion")
    func endWithoutConnection() async throws {
        try await TestStreamServer.run { server, client in
            let stream = client.userStream(.brisk)
            let messages = try await stream.subscribe(to: .messages(in: Self.channel))
            let other = try await stream.subscribe(to: .messages(in: Self.channel))
            server.manners.connectionStatus = 503
            server.manners.holdsDeletions = true
            server.cut()
            await server.wait { server.connections.count >= 3 }
            await messages.unsubscribe()
            #expect(!server.requests.contains { $0.hasPrefix("DELETE") })
            server.manners.holdsDeletions = false
            server.manners.connectionStatus = 200
            await server.wait { server.subscriptionCount == 1 }
            #expect(server.requests.contains { $0.hasPrefix("DELETE") && $0.hasSuffix(messages.id) })
            server.write()
            var told = other.makeAsyncIterator()
            var update = try await told.next()
            while update?.value == nil { update = try await told.next() }
            #expect(update?.value?.id == "1")
            await stream.close()
        }
    }

    @Test("without a connection, a stream closes at once, and is deleted when the service can be reached")
    func closeWithoutConnection() async throws {
        try await TestStreamServer.run { server, client in
            let stream = client.userStream(.brisk)
            let messages = try await stream.subscribe(to: .messages(in: Self.channel))
            server.manners.connectionStatus = 503
            server.manners.holdsDeletions = true
            server.cut()
            await server.wait { server.connections.count >= 3 }
            await stream.close()
            #expect(server.streamCount == 1)
            var told = messages.makeAsyncIterator()
            while try await told.next() != nil {}
            server.manners.holdsDeletions = false
            await server.wait { server.streamCount == 0 }
        }
    }

    @Test("a subscription that could not be deleted is deleted after the next connect, unless its id is used again")
    func deleteLater() async throws {
        try await TestStreamServer.run(configure: { $0.options.retry = .never }) { server, client in
            let stream = client.userStream(.brisk)
            var options = StreamSubscriptionOptions()
            var subscriptions: [StreamSubscription<Message>] = []
            for id in ["a", "b"] {
                options.subscriptionID = id
                subscriptions.append(try await stream.subscribe(to: .messages(in: Self.channel), options: options))
            }
            server.manners.deletionStatus = 503
            for subscription in subscriptions { await subscription.unsubscribe() }
            #expect(server.subscriptionCount == 2)
            // Their events are ignored.
            server.write()
            let renewed = try await stream.subscribe(to: .messages(in: Self.channel), options: options)
            server.manners.deletionStatus = nil
            server.cut()
            await server.wait { server.connections.count == 2 && server.subscriptionCount == 1 }
            #expect(server.requests.count { $0.hasPrefix("DELETE") } == 3)
            #expect(server.requests.last { $0.hasPrefix("DELETE") }?.hasSuffix("/a") == true)
            server.write()
            var told = renewed.makeAsyncIterator()
            var update = try await told.next()
            while update?.value == nil { update = try await told.next() }
            #expect(update?.value?.id == "2")
            await stream.close()
        }
    }

    @Test("a subscription that ends while its list is read is deleted after the response, however long it takes")
    func deleteAfterList() async throws {
        let clock = TestClock(skippingSleepsUpTo: .milliseconds(4))
        try await TestStreamServer.run(configure: { $0.environment.clock = clock }) { server, client in
            let stream = client.userStream(.patient)
            let kept = try await stream.subscribe(to: .messages(in: Self.channel))
            server.manners.holdsLists = true
            let subscribing = Task {
                var options = StreamSubscriptionOptions()
                options.subscriptionID = "late"
                return try await stream.subscribe(to: .messages(in: Self.channel), options: options)
            }
            await server.wait { server.lists.count == 2 }
            subscribing.cancel()
            await #expect(throws: CancellationError.self) { try await subscribing.value }
            try await eventually { stream.keeper.state.withLock { $0.turns["late"]?.userCount == 2 } }
            clock.advance(by: .seconds(11))
            server.manners.holdsLists = false
            await server.wait { server.requests.contains { $0.hasPrefix("DELETE") && $0.hasSuffix("/late") } }
            await server.wait { server.subscriptionCount == 1 }
            await kept.unsubscribe()
            await stream.close()
        }
    }

    @Test("unsubscribing and closing wait ten seconds for the service, and no longer")
    func deletionLimit() async throws {
        let clock = TestClock(skippingSleepsUpTo: .milliseconds(4))
        try await TestStreamServer.run(configure: { $0.environment.clock = clock }) { server, client in
            let stream = client.userStream(.patient)
            let messages = try await stream.subscribe(to: .messages(in: Self.channel))
            server.manners.holdsDeletions = true
            let unsubscribe: @Sendable () async -> Void = { await messages.unsubscribe() }
            let close: @Sendable () async -> Void = { await stream.close() }
            for (count, end) in [(1, unsubscribe), (2, close)] {
                let ending = Task { await end() }
                await server.wait { server.requests.count { $0.hasPrefix("DELETE") } == count }
                // Those of the call and of the wait for it.
                await clock.waitForDeadlines(2)
                clock.advance(by: .seconds(10))
                await ending.value
            }
            server.manners.holdsDeletions = false
        }
    }

    @Test("a subscription begins although the listener of the states makes it as soon as the stream is closed")
    func subscribeAfterClosed() async throws {
        try await TestStreamServer.run { server, client in
            for _ in 0..<20 {
                let stream = client.userStream(.brisk)
                server.manners.connectionStatus = 401
                let failing = Task { try await stream.subscribe(to: .messages(in: Self.channel)) }
                for await state in stream.connectionStates where state.isClosed { break }
                server.manners.connectionStatus = 200
                _ = try await stream.subscribe(to: .messages(in: Self.channel))
                await #expect(throws: AppNetError.self) { try await failing.value }
                await stream.close()
            }
        }
    }

    @Test("an endless response has the own query of its URL, with its plus signs as spaces")
    func ownQuery() async throws {
        try await TestStreamServer.run(
            scheme: "http",
            configure: { $0.userStreamURL = $0.userStreamURL.flatMap { URL(string: "\($0)?a=b+c%2Bd") } }
        ) { server, client in
            let stream = client.userStream(.brisk)
            _ = try await stream.subscribe(to: .messages(in: Self.channel))
            #expect(server.connections.first?.contains("a=b%20c%2Bd") == true, "\(server.connections)")
            await stream.close()
        }
    }

    @Test("a subscription that is refused for a time asks again only after it, on any connection")
    func keepPause() async throws {
        let clock = TestClock(skippingSleepsUpTo: .milliseconds(4))
        let pause = Duration.seconds(599)..<Duration.seconds(601)
        try await TestStreamServer.run(configure: {
            $0.environment.clock = clock
            $0.options.retry = .never
        }) { server, client in
            let stream = client.userStream(.patient)
            let messages = try await stream.subscribe(to: .messages(in: Self.channel))
            server.manners.refusals = [429]
            server.manners.refusalFields = "Retry-After: 600\r\n"
            server.say("no JSON at all")
            await server.wait { server.lists.count == 2 }
            try await eventually { clock.requestedSleeps.contains { pause.contains($0) } }
            // A new connection does not end the pause.
            server.cut()
            await server.wait { server.connections.count == 2 }
            try await eventually { clock.requestedSleeps.count { pause.contains($0) } == 2 }
            #expect(server.lists.count == 2)
            clock.advance(by: .seconds(601))
            await server.wait { server.lists.count == 3 }
            server.write()
            var told = messages.makeAsyncIterator()
            var update = try await told.next()
            while update?.value == nil { update = try await told.next() }
            #expect(update?.value?.id == "1")
            await stream.close()
        }
    }

    @Test("a cancelled or released consumer unsubscribes")
    func letGo() async throws {
        try await TestStreamServer.run { server, client in
            let stream = client.userStream(.brisk)
            let messages = try await stream.subscribe(to: .messages(in: Self.channel))
            let consuming = Task { for try await _ in messages {} }
            consuming.cancel()
            await #expect(throws: CancellationError.self) { try await consuming.value }
            await server.wait { server.subscriptionCount == 0 }
            _ = try await stream.subscribe(to: .messages(in: Self.channel))
            await server.wait { server.requests.count { $0.hasPrefix("DELETE") } == 2 }
            await stream.close()
        }
    }

    @Test("more subscriptions than the service allows are refused before a request")
    func limit() async throws {
        try await TestStreamServer.run(dialect: .pnut) { server, client in
            let stream = client.userStream(.brisk)
            var kept: [StreamSubscription<Message>] = []
            for _ in 1...16 { kept.append(try await stream.subscribe(to: .messages(in: Self.channel))) }
            let count = server.lists.count
            let error = await #expect(throws: AppNetError.self) {
                try await stream.subscribe(to: .messages(in: Self.channel))
            }
            #expect(error?.kind == .invalidRequest)
            #expect(server.lists.count == count && kept.count == 16)
            await stream.close()
        }
    }

    @Test("a user stream of pnut.io sends a keep-alive every 45 seconds, and asks for no name")
    func signOfLife() async throws {
        let clock = TestClock()
        try await TestStreamServer.run(dialect: .pnut, configure: { $0.environment.clock = clock }) { server, client in
            let stream = client.userStream(.patient)
            let messages = try await stream.subscribe(to: .messages(in: Self.channel))
            #expect(server.connections.allSatisfy { !$0.contains("connection_id") })
            try await eventually {
                clock.advance(by: .seconds(1))
                return server.texts.count >= 2
            }
            #expect(clock.requestedSleeps.contains(.seconds(45)) && clock.uptime >= .seconds(55))
            #expect(messages.id.count == 32)
            await stream.close()
            #expect(!server.requests.contains { $0.hasPrefix("DELETE") })
        }
    }

    @Test("a user stream of pnut.io sends keep-alives also while a long time limit for its name runs")
    func earlySignOfLife() async throws {
        let clock = TestClock()
        try await TestStreamServer.run(dialect: .pnut, configure: { $0.environment.clock = clock }) { server, client in
            var options = UserStreamOptions.patient
            options.connection.connectTimeout = .seconds(1000)
            let stream = client.userStream(options)
            _ = try await stream.subscribe(to: .messages(in: Self.channel))
            try await eventually { clock.requestedSleeps.contains(.seconds(45)) }
            clock.advance(by: .seconds(46))
            try await eventually { !server.texts.isEmpty }
            #expect(server.connections.count == 1)
            await stream.close()
        }
    }

    @Test("a user stream decodes frames however they are cut", arguments: ["ws", "http"])
    func pieces(scheme: String) async throws {
        try await TestStreamServer.run(scheme: scheme) { server, client in
            server.manners.pieces = 1
            let stream = client.userStream(.brisk)
            let messages = try await stream.subscribe(to: .messages(in: Self.channel))
            for _ in 1...3 { server.write() }
            var told = messages.makeAsyncIterator()
            for id in 1...3 { #expect(try await told.next()?.value?.id == Message.ID(id)) }
            await stream.close()
        }
    }
}
