import Testing

@testable import AppNet

@Suite("Progress of a subscription")
struct SubscriptionProgressTests {
    private typealias Update = StreamUpdate<Message>

    private static func messages(_ ids: Int...) -> [Message] { ids.map { Message(id: Message.ID($0)) } }

    private static func page(_ ids: Int...) -> Page<Message> {
        let meta = ResponseMeta(more: false, minID: ids.last.map(String.init), maxID: ids.first.map(String.init))
        return Page(elements: ids.map { Message(id: Message.ID($0)) }, meta: meta, bounds: PageBounds())
    }

    private static func event(_ ids: Int..., more: Bool = false) -> SubscriptionEvent<Message> {
        let meta = ResponseMeta(more: more, maxID: ids.first.map(String.init))
        return SubscriptionEvent(values: ids.map { Message(id: Message.ID($0)) }, meta: meta)
    }

    private static func deletion(_ id: Int) -> SubscriptionEvent<Message> {
        SubscriptionEvent(meta: ResponseMeta(isDeleted: true, deletedID: String(id)))
    }

    private static func begun(_ ids: Int...) -> SubscriptionProgress<Message> {
        var progress = SubscriptionProgress<Message>(memory: 8, holdLimit: 4, traits: StreamItemTraits())
        progress.beginReading()
        let meta = ResponseMeta(maxID: ids.first.map(String.init))
        progress.begin(
            with: Page(elements: ids.map { Message(id: Message.ID($0)) }, meta: meta, bounds: PageBounds())
        )
        _ = progress.endReading(isResumed: nil)
        return progress
    }

    @Test("a subscription delivers an event's items once, oldest first")
    func once() {
        var progress = Self.begun(3, 2)
        #expect(progress.receive(Self.event(5, 4)).map(\.change) == Self.messages(4, 5).map { .added($0) })
        #expect(progress.receive(Self.event(5, 4, 3)).isEmpty)
    }

    @Test("a subscription delivers items that arrive out of order")
    func outOfOrder() {
        var progress = Self.begun(3)
        #expect(progress.receive(Self.event(6)).count == 1)
        #expect(progress.receive(Self.event(5)).map(\.change) == [.added(Message(id: 5))])
    }

    @Test("a subscription does not deliver items older than its first page")
    func old() {
        var progress = Self.begun(30, 29)
        #expect(progress.receive(Self.event(28)).isEmpty)
    }

    @Test("a subscription delivers a deletion once, and the item never again")
    func deletions() {
        var progress = Self.begun(3)
        #expect(progress.receive(Self.deletion(4)).map(\.change) == [.deleted(4, nil)])
        #expect(progress.receive(Self.deletion(4)).isEmpty)
        #expect(progress.receive(Self.event(4)).isEmpty)
        #expect(progress.receive(Self.deletion(1)).map(\.change) == [.deleted(1, nil)])
    }

    @Test("a subscription holds events until the list was read, and then delivers new items of them")
    func holding() {
        var progress = Self.begun(3)
        progress.beginReading()
        #expect(progress.receive(Self.event(5)).isEmpty)
        #expect(progress.receive(Self.deletion(4)).isEmpty)
        #expect(progress.receive(Self.event(6)).isEmpty)
        #expect(progress.read(Self.page(5, 4)).map(\.change) == Self.messages(4, 5).map { .added($0) })
        #expect(
            progress.endReading(isResumed: true).map(\.change) == [
                .caughtUp(isResumed: true), .deleted(4, nil), .added(Message(id: 6)),
            ]
        )
        #expect(!progress.isHolding)
    }

    @Test("missed items that cannot be decoded are named once, when the list was read")
    func unreadable() {
        var progress = Self.begun(3)
        progress.beginReading()
        let unreadable = UnreadableItems([UnreadableItems.Item(id: "5", reason: "at entities: found a string")])
        let page = Page<Message>(
            elements: Self.messages(6, 4),
            unreadable: unreadable,
            meta: ResponseMeta(more: false, minID: "4", maxID: "6"),
            bounds: PageBounds()
        )
        #expect(progress.read(page).map(\.change) == Self.messages(4, 6).map { .added($0) })
        #expect(progress.endReading(isResumed: true).map(\.unreadable) == [unreadable])
        progress.beginReading()
        #expect(progress.endReading(isResumed: true).map(\.unreadable.count) == [0])
    }

    @Test("a subscription that holds too many events drops them, and reads the list again")
    func tooManyHeld() {
        var progress = Self.begun(3)
        progress.beginReading()
        for id in 4...8 { #expect(progress.receive(Self.event(id)).isEmpty) }
        #expect(progress.mayMiss)
        progress.beginReading()
        #expect(!progress.mayMiss && progress.isHolding)
    }

    @Test("a subscription reads the list if an event leaves items out")
    func gapInEvent() {
        var progress = Self.begun(3)
        _ = progress.receive(Self.event(9, more: true))
        #expect(progress.mayMiss)
    }

    @Test("a subscription that misses items reads from before the gap, however many events follow")
    func burstAfterGap() {
        var progress = Self.begun(3)
        #expect(progress.receive(Self.event(9, more: true)).isEmpty)
        for id in 10...12 { #expect(progress.receive(Self.event(id)).isEmpty) }
        #expect(progress.mayMiss && progress.position == "3")
        progress.beginReading()
        let page = Self.page(9, 8, 7, 6, 5, 4)
        #expect(progress.read(page).map(\.change) == Self.messages(4, 5, 6, 7, 8, 9).map { .added($0) })
        let rest = Self.messages(10, 11, 12).map { Update.Change.added($0) }
        #expect(
            progress.endReading(isResumed: false).map(\.change) == [Update.Change.caughtUp(isResumed: false)] + rest
        )
        #expect(!progress.mayMiss && !progress.isHolding)
    }

    @Test("a subscription reads the list again for a gap that shows while it reads")
    func gapWhileReading() {
        var progress = Self.begun(3)
        progress.beginReading()
        #expect(progress.receive(Self.event(4)).isEmpty)
        #expect(progress.receive(Self.event(9, more: true)).isEmpty)
        #expect(progress.receive(Self.event(10)).isEmpty)
        #expect(progress.read(Self.page(4)).map(\.change) == [.added(Message(id: 4))])
        #expect(progress.endReading(isResumed: false).map(\.change) == [.caughtUp(isResumed: false)])
        #expect(progress.mayMiss && progress.position == "4")
        progress.beginReading()
        #expect(progress.read(Self.page(10, 9, 8)).count == 3)
        #expect(progress.endReading(isResumed: false).map(\.change) == [.caughtUp(isResumed: false)])
        #expect(!progress.mayMiss)
    }

    @Test("a subscription that missed a frame delivers later events only after the list")
    func orderAfterMiss() {
        var progress = Self.begun(3)
        progress.missed()
        for id in 5...40 { #expect(progress.receive(Self.event(id)).isEmpty) }
        #expect(progress.position == "3")
    }

    @Test("a subscription reads from before its last events, as earlier ones may be under way")
    func position() {
        var progress = Self.begun(3)
        for id in 4...23 { _ = progress.receive(Self.event(id)) }
        #expect(progress.position == "3")
        _ = progress.receive(Self.event(24))
        #expect(progress.position == "4")
        _ = progress.read(Self.page(25, 24))
        #expect(progress.position == "25")
    }

    @Test("a subscription remembers a limited number of items, and delivers none twice")
    func memory() {
        var progress = Self.begun(1)
        for id in 2...100 { #expect(progress.receive(Self.event(id)).count == 1) }
        for id in 1...100 { #expect(progress.receive(Self.event(id)).isEmpty) }
        #expect(progress.receive(Self.event(101)).count == 1)
    }

    @Test("a subscription delivers a channel when it changed, and never an older state")
    func channels() {
        var delivered = DeliveredItems<AppNetChannel>(limit: 8, traits: StreamItemTraits())
        let (first, second) = (AppNetChannel(id: 1, recentMessageID: 9), AppNetChannel(id: 1, recentMessageID: 10))
        delivered.begin(with: [first])
        #expect(delivered.take(first) == nil)
        #expect(delivered.take(second) == .changed(second))
        #expect(delivered.take(first) == nil)
        #expect(delivered.take(AppNetChannel(id: 2)) == .added(AppNetChannel(id: 2)))
        #expect(delivered.delete(1, nil) == .deleted(1, nil))
        #expect(delivered.take(second) == .added(second))
    }

    @Test("a subscription delivers a channel of pnut.io whose newest message was deleted, and each state after it")
    func deletedNewest() {
        var delivered = DeliveredItems<AppNetChannel>(limit: 8, traits: StreamItemTraits())
        let before = AppNetChannel(id: 1, recentMessageID: 10)
        let after = AppNetChannel(id: 1, recentMessageID: 9, recentDeletedMessageID: 10)
        let renamed = AppNetChannel(id: 1, type: "com.example.a", recentMessageID: 9, recentDeletedMessageID: 10)
        let emptied = AppNetChannel(id: 1, recentMessageID: 8, recentDeletedMessageID: 10)
        let next = AppNetChannel(id: 1, recentMessageID: 11)
        delivered.begin(with: [before])
        for state in [after, renamed, emptied] {
            #expect(delivered.take(state) == .changed(state))
            // A late event from before the deletion.
            #expect(delivered.take(before) == nil)
        }
        #expect(delivered.take(next) == .changed(next))
        #expect(delivered.take(after) == nil)
    }

    @Test("a subscription delivers the revision of a post once, and never an earlier state")
    func revision() {
        var delivered = DeliveredItems<Post>(limit: 8, traits: StreamItemTraits())
        let (first, revised) = (Post(id: 1, text: "a"), Post(id: 1, text: "b", isRevised: true))
        delivered.begin(with: [first])
        #expect(delivered.take(first) == nil)
        #expect(delivered.take(revised, revision: 1) == .changed(revised))
        #expect(delivered.take(revised) == nil)
        #expect(delivered.take(first) == nil)
        #expect(delivered.take(revised, revision: 2) == .changed(revised))
        #expect(delivered.take(Post(id: 2, isRevised: true)) == .added(Post(id: 2, isRevised: true)))
        #expect(delivered.take(Post(id: 2)) == nil)
        #expect(delivered.delete(1, nil) == .deleted(1, nil))
        #expect(delivered.take(revised, revision: 3) == nil)
    }

    @Test("a subscription delivers the token when it changed")
    func token() {
        var delivered = DeliveredItems<TokenInfo>(limit: 8, traits: StreamItemTraits())
        delivered.begin(with: [TokenInfo(scopes: [.basic])])
        #expect(delivered.take(TokenInfo(scopes: [.basic])) == nil)
        #expect(delivered.take(TokenInfo(scopes: [.files])) == .changed(TokenInfo(scopes: [.files])))
    }

    @Test("a subscription delivers a deleted item as a deletion")
    func deletedForm() {
        var delivered = DeliveredItems<Message>(limit: 8, traits: StreamItemTraits())
        delivered.begin(with: [Message(id: 1)])
        let form = Message(id: 1, isDeleted: true)
        #expect(delivered.take(form) == .deleted(1, form))
        #expect(delivered.take(form) == nil)
    }
}
