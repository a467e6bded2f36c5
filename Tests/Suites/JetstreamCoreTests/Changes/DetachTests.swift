import HeliumCore
import HeliumJSON
import Testing

@testable import JetstreamCore

@Suite("Scopes that leave their session")
struct DetachTests {
    @Test("sent sets of a detached scope end as possibly applied, and others wait for another session")
    func detach() async throws {
        let (receiver, session) = (Receiver(), RecordingSession())
        let (scope, root) = (receiver.scope, receiver.root)
        scope.attach(session.hooks())
        receiver.receiveChild()
        let sent = scope.modify { root.integer = 1 }
        let unsent = scope.modify { root.string = "new" }
        session.lastSent = sent.changesID
        scope.detachSession()
        let error = await #expect(throws: JetstreamError.self) { try await sent.completion() }
        #expect(sent.state == .maybeSent && error?.kind == .invalidScope && error?.delivery == .maybeSent)
        #expect(unsent.state == .syncing && unsent.changesID == nil)
        #expect(root.integer == 1 && scope.changeSets.count == 1)

        let next = RecordingSession()
        scope.attach(next.hooks())
        receiver.receive(state: [Receiver.change(1, ["integer": 2])])
        #expect(next.applied.count == 1 && next.applied.last?.first === unsent && next.applied.last?.count == 1)
        #expect(root.integer == 2 && root.string == "new")
    }

    @Test("the end of an earlier connection does not end a later one")
    func laterConnection() {
        let receiver = Receiver()
        let first = receiver.scope.attach(RecordingSession().hooks())
        receiver.scope.detachSession(first)
        let second = receiver.scope.attach(RecordingSession().hooks())
        receiver.scope.detachSession(first)
        #expect(receiver.scope.isAttached && receiver.scope.isAttached(by: second))
        #expect(!receiver.scope.isAttached(by: first))
    }

    @Test("all pending sets settle when their scope is freed")
    func freed() async throws {
        let (root, session) = (TestModel(), RecordingSession())
        var scope: Scope? = Scope(name: "Canvas", root: root)
        scope?.attach(session.hooks())
        let sent = try #require(scope?.modify { root.integer = 1 })
        let unsent = try #require(scope?.modify { root.string = "new" })
        session.lastSent = sent.changesID
        var told: [DeliveryState?] = []
        unsent.observeCompletion(nil) { told.append($0?.delivery) }
        scope = nil
        #expect(sent.state == .maybeSent && sent.error?.delivery == .maybeSent)
        #expect(unsent.state == .reverted && told == [.notSent])
        await #expect(throws: JetstreamError.self) { try await sent.completion() }
        await #expect(throws: JetstreamError.self) { try await unsent.completion() }
        #expect(root.scope == nil && root.integer == 1)
    }

    @Test("a set of a scope without a session settles when the scope is freed")
    func neverFetched() async throws {
        let root = TestModel()
        var scope: Scope? = Scope(name: "Canvas", root: root)
        let set = try #require(scope?.modify { root.integer = 1 })
        scope = nil
        let error = await #expect(throws: JetstreamError.self) { try await set.completion() }
        #expect(error?.delivery == .notSent)
    }
}

@Suite("Many pending change sets")
struct ManyChangeSetTests {
    /// The references that are counted while sets are announced and settled, of which one holds a removed object.
    private func counted(_ count: Int) throws -> Int {
        let (receiver, session) = (Receiver(), RecordingSession())
        let (scope, root) = (receiver.scope, receiver.root)
        scope.attach(session.hooks())
        receiver.receiveChild()
        scope.modify { root.childModel = nil }
        for number in 1...count {
            scope.modify { root.childModel2 = number.isMultiple(of: 2) ? nil : TestModel() }
        }
        #expect(scope.changeSets.count == count + 1)
        let counted = scope.changeSets.countedReferences
        for set in session.submitted.dropFirst() {
            try scope.reply(set, set.fragments.map { _ in FragmentReply() })
        }
        #expect(scope.changeSets.count == 1)
        return counted
    }

    @Test("each pending change set costs the same, however many there are")
    func references() throws {
        let (few, many) = (try counted(100), try counted(1000))
        #expect(few > 0 && many <= 11 * few, "\(few), \(many)")
    }
}
