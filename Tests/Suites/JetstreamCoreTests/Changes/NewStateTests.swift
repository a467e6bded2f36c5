import Foundation
import HeliumCore
import HeliumJSON
import Testing

@testable import JetstreamCore

/// Docs/Protocols/Jetstream.md §7 no 5: sets that were never sent are made again on the state of a new session.
@Suite("Change sets on a new state")
struct NewStateTests {
    private let receiver = Receiver()
    private let session = RecordingSession()
    private var root: TestModel { receiver.root }
    private var scope: Scope { receiver.scope }

    init() {
        receiver.scope.attach(session.hooks())
        receiver.receiveChild()
    }

    /// A state without the child.
    private func receiveRoot() { receiver.receive(state: [Receiver.change(1, ["string": "other"])]) }

    @Test("a set whose only object is missing in a new state ends with an error")
    func gone() async throws {
        let set = scope.modify { root.childModel?.string = "late" }
        receiveRoot()
        let error = await #expect(throws: JetstreamError.self) { try await set.completion() }
        #expect(error?.kind == .objectRemoved && error?.delivery == .notSent && set.state == .reverted)
        #expect(session.applied.last?.isEmpty == true && scope.changeSets.isEmpty)
    }

    @Test("a set that changes nothing in a new state is complete")
    func sameValues() {
        let set = scope.modify { root.string = "other" }
        receiveRoot()
        #expect(set.state == .completed && set.error == nil)
    }

    @Test("the rest of a set on a new state is sent, and the set ends as partially reverted")
    func partial() throws {
        let set = scope.modify {
            root.string = "new"
            root.childModel?.string = "late"
        }
        receiveRoot()
        #expect(session.applied.last?.first === set && set.fragments.map(\.uuid) == [Receiver.rootID])
        try scope.reply(set, [FragmentReply()])
        #expect(set.state == .partiallyReverted && set.error?.kind == .objectRemoved)
        #expect(set.error?.delivery == .answered, "the rest was sent")
        #expect(root.string == "new")
    }

    @Test("an atomic set on a new state without one of its objects is not sent")
    func atomic() {
        let set = scope.modifyAtomically {
            root.string = "new"
            root.childModel?.string = "late"
        }
        receiveRoot()
        #expect(set.state == .reverted && set.error?.kind == .objectRemoved)
        #expect(root.string == "other" && session.applied.last?.isEmpty == true)
    }

    @Test("a set whose object only a later set brings back ends like the add of that object", arguments: [true, false])
    func carried(isAccepted: Bool) throws {
        let change = scope.modify { root.childModel?.string = "late" }
        let move = scope.modify { root.childModel2 = root.childModel }
        receiveRoot()
        #expect(change.state == .syncing && move.state == .syncing)
        #expect(session.applied.last?.count == 1 && session.applied.last?.first === move)
        let error = isAccepted ? nil : ErrorObject(message: "no")
        try scope.reply(move, move.fragments.map { _ in FragmentReply(error: error) })
        #expect(change.state == (isAccepted ? .completed : .reverted))
        #expect((change.error?.kind == .changesRefused) == !isAccepted)
    }

    @Test("a set whose object only a later set brings back ends with the scope", arguments: [true, false])
    func carriedToEnd(isSent: Bool) {
        let change = scope.modify { root.childModel?.string = "late" }
        let move = scope.modify { root.childModel2 = root.childModel }
        receiveRoot()
        if isSent { session.lastSent = move.changesID }
        scope.detachSession()
        scope.settleAll(sentThrough: nil)
        #expect(move.state == change.state && change.state == (isSent ? .maybeSent : .reverted))
    }

    @Test("an object that a set refers to is added again to a new state")
    func referred() throws {
        let set = scope.modify {
            root.childModel2 = root.childModel
            root.childModel?.string = "late"
        }
        receiveRoot()
        #expect(set.state == .syncing)
        let add = try #require(set.fragments.first { $0.kind == .add })
        #expect(add.uuid == Receiver.id(2) && add.properties["string"] == "late")
        try scope.reply(set, set.fragments.map { _ in FragmentReply() })
        #expect(set.state == .completed && root.childModel2?.uuid == Receiver.id(2))
    }
}
