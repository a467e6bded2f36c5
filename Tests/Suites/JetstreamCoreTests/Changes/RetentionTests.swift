import HeliumJSON
import Testing

@testable import JetstreamCore

/// Objects that the tree does not have, but the server does, or may again (Docs/Protocols/Jetstream.md §4.3).
@Suite("Retained objects")
struct RetentionTests {
    private let root = Panel()
    private let scope = Scope(name: "test")
    private let session = RecordingSession()

    /// The root has the panels 2 and 3. Only weak properties of these lead to 4 and 5.
    init() {
        root.setScopeAndMakeRootModel(scope)
        scope.attach(session.hooks())
        scope.receive(state: [
            PanelFragment.change(1, ["panels": [Receiver.text(2), Receiver.text(3)]]),
            PanelFragment.add(2, ["partner": Receiver.text(4)]), PanelFragment.add(3, ["partner": Receiver.text(5)]),
            PanelFragment.add(4, ["name": "four"]), PanelFragment.add(5, ["name": "five"]),
        ])
    }

    @Test("objects that the server keeps by weak properties are not looked at after each message")
    func keptByServer() {
        #expect(root.panels.map(\.partner?.name) == ["four", "five"] && scope.retained.count == 2)
        #expect(scope.releasable.isEmpty)
        scope.receive(.sync([PanelFragment.change(1, ["name": "one"])]))
        #expect(scope.releasable.isEmpty && scope.retained.count == 2)
    }

    @Test("an object is released once the server does not keep it any more")
    func releasedByServer() {
        scope.receive(.sync([PanelFragment.change(2, ["partner": .null])]))
        #expect(root.panels.map(\.partner?.name) == [nil, "five"])
        #expect(scope.releasable.isEmpty && scope.retained.count == 1)
    }

    @Test("an object that a pending set may restore is looked at until the set is settled", arguments: [true, false])
    func pending(isAccepted: Bool) throws {
        root.panels.removeFirst()
        let set = try #require(scope.flush(at: .zero))
        scope.receive(.sync([PanelFragment.change(1, ["name": "one"])]))
        #expect(scope.retained.count == 3 && !scope.releasable.isEmpty)
        try scope.reply(
            set,
            set.fragments.map { _ in isAccepted ? FragmentReply() : FragmentReply(error: ErrorObject(message: "no")) }
        )
        #expect(root.panels.count == (isAccepted ? 1 : 2))
        #expect(scope.releasable.isEmpty && scope.retained.count == (isAccepted ? 1 : 2))
    }

    @Test("an object is released when its weak property changes while a set is pending, and that set is settled")
    func releasedLater() throws {
        root.panels[1].name = "mine"
        let set = try #require(scope.flush(at: .zero))
        scope.receive(.sync([PanelFragment.change(2, ["partner": .null])]))
        try scope.reply(set, [FragmentReply()])
        #expect(scope.releasable.isEmpty && scope.retained.count == 1)
    }

    @Test("an object that lost a link, and that a peer removes before the batch is collected, is forgotten")
    func removedWhileDoubtful() {
        scope.lostLink(root.panels[0].modelNode)
        scope.receive(.sync([PanelFragment.change(1, ["panels": [Receiver.text(3)]])]))
        #expect(scope.flush(at: .zero) == nil)
        #expect(root.panels.count == 1 && scope.node(Receiver.id(2)) == nil && scope.retained.count == 1)
    }

    @Test(
        "an object that only a local property held stays with what it leads to when messages come before the next set",
        arguments: [false, true]
    )
    func formerlyPinned(isPending: Bool) throws {
        let id = root.panels[0].uuid
        scope.receive(
            .sync([PanelFragment.change(2, ["panels": [Receiver.text(6)]]), PanelFragment.add(6, ["name": "six"])])
        )
        root.pinned = root.panels[0]
        // A weak property leads to it too, of a pending set or not.
        root.partner = root.panels[0]
        let set = try #require(scope.flush(at: .zero))
        if !isPending { try scope.reply(set, [FragmentReply()]) }
        scope.receive(.sync([PanelFragment.change(1, ["panels": [Receiver.text(3)]])]))
        root.pinned = nil
        #expect(scope.node(id) == nil && root.panels.count == 1)
        scope.receive(.sync([PanelFragment.change(1, ["name": "one"])]))
        if isPending { try scope.reply(set, [FragmentReply()]) }
        #expect(scope.releasable.isEmpty && scope.retained.count == 4)
        scope.receive(
            .sync([
                PanelFragment.change(4, ["name": "changed"]), PanelFragment.change(6, ["name": "changed"]),
                PanelFragment.change(1, ["panels": [Receiver.text(2)]]),
            ])
        )
        let panel = try #require(root.panels.first)
        #expect(panel.uuid == id && panel.partner?.name == "changed" && panel.panels.map(\.name) == ["changed"])
    }
}
