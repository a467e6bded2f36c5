import AppNet
import HeliumConcurrency
import Synchronization

/// Everything that was asked of the engines, and what they have answered: the truth that the oracle compares with.
///
/// Messages are told apart by their keys, each of which is written once. A text is the key, with a number after an edit.
final class CallRecord: Sendable {
    struct Creation: Sendable {
        let key: String
        let device: String
        let channel: AppNetChannel.ID
        /// The texts of which one is to be there: one, unless an edit has not returned.
        var texts: Set<String>
        /// The text of the file that is attached.
        var file: String?
        /// The message that it replies to.
        var target: String?
        /// Whether the call returned.
        var isAcknowledged = false
        /// Its place among the messages of the device is the place of its creation: it was neither edited nor sent again by the
        /// user, and waits for no other message.
        var keepsPlace = true
        /// The tokens with which it was sent before the user sent it again, and whether the call returned.
        var formerTokens: [String: Bool] = [:]
    }

    enum DeletionOutcome: Sendable {
        /// The call has not returned. It may have been recorded or not.
        case unknown
        case acknowledged
        /// It was undone.
        case cancelled
    }

    struct Deletion: Sendable {
        let key: String
        /// The text of the message that was deleted.
        let text: String
        let device: String
        let id: Message.ID
        var outcome = DeletionOutcome.unknown
    }

    struct Draft: Sendable {
        let key: String
        let device: String
        let channel: AppNetChannel.ID
        let id: Message.ID
    }

    /// A call that has put an action on a message, or has taken it off.
    struct Action: Sendable {
        let key: String
        let device: String
        let isOn: Bool
        var isAcknowledged = false
    }

    private struct State {
        var count = 0
        var creations: [Creation] = []
        var deletions: [Deletion] = []
        var drafts: [Draft] = []
        var actions: [Action] = []
    }

    private let state = Guarded(State())

    /// The key of the message with a text.
    static func key(of text: String) -> String {
        text.firstRange(of: " edit ").map { String(text[..<$0.lowerBound]) } ?? text
    }

    // MARK: Creations

    /// All creations, in the order of the calls.
    var creations: [Creation] { state.withLock { $0.creations } }

    /// The text of a new message.
    func newText(by device: String) -> String {
        state.withLock { state in
            state.count += 1
            return "Message \(state.count) of \(device) #tag\(state.count % 5)"
        }
    }

    func beginCreation(
        of text: String,
        by device: String,
        in channel: AppNetChannel.ID,
        file: String? = nil,
        replyingTo target: String? = nil
    ) {
        state.withLock { state in
            var creation = Creation(key: text, device: device, channel: channel, texts: [text], file: file)
            creation.target = target
            creation.keepsPlace = target == nil
            state.creations.append(creation)
        }
    }

    /// Notes that a call has thrown. The message must not be anywhere.
    func refuseCreation(of text: String) { state.withLock { $0.creations.removeAll { $0.key == text } } }

    func endCreation(of text: String) { change(text) { $0.isAcknowledged = true } }

    func noteRetry(_ text: String) { change(text) { $0.keepsPlace = false } }

    /// - Returns: The new text.
    func beginEdit(of text: String) -> String {
        let new = state.withLock { state in
            state.count += 1
            return "\(Self.key(of: text)) edit \(state.count)"
        }
        change(text) { creation in
            creation.texts.insert(new)
            creation.keepsPlace = false
        }
        return new
    }

    func endEdit(to text: String) { change(text) { $0.texts = [text] } }

    func refuseEdit(to text: String) { change(text) { $0.texts.remove(text) } }

    private func change(_ text: String, _ body: (inout Creation) -> Void) {
        let key = Self.key(of: text)
        state.withLock { state in
            for index in state.creations.indices where state.creations[index].key == key {
                body(&state.creations[index])
            }
        }
    }

    // MARK: Deletions

    func beginDeletion(of text: String, id: Message.ID, by device: String) -> Int {
        state.withLock { state in
            state.deletions.append(Deletion(key: Self.key(of: text), text: text, device: device, id: id))
            return state.deletions.count - 1
        }
    }

    func setDeletion(_ number: Int, _ outcome: DeletionOutcome) {
        state.withLock { $0.deletions[number].outcome = outcome }
    }

    /// Notes that the user sends a message again which the other device may have deleted. It gets another token.
    func beginRevival(of text: String, token: String) { change(text) { $0.formerTokens[token] = false } }

    /// Notes that the call has returned. From now on the deletions of messages with the former token are not deletions of
    /// the message.
    func endRevival(of text: String, token: String) { change(text) { $0.formerTokens[token] = true } }

    /// Whether the user has sent a message again which the other device may have deleted.
    func isRevived(_ key: String) -> Bool { creations.contains { $0.key == key && !$0.formerTokens.isEmpty } }

    /// Notes that the user of a device edits a message which the other device may have deleted: it may be live again.
    func revive(_ text: String, by device: String) {
        let key = Self.key(of: text)
        state.withLock { state in
            for index in state.deletions.indices where state.deletions[index].key == key {
                let deletion = state.deletions[index]
                if deletion.device != device, deletion.outcome == .acknowledged {
                    state.deletions[index].outcome = .unknown
                }
            }
        }
    }

    /// The acknowledged deletions of a device.
    func deletions(by device: String) -> [(number: Int, id: Message.ID)] {
        state.withLock { state in
            state.deletions.enumerated().compactMap { number, deletion in
                deletion.device == device && deletion.outcome == .acknowledged ? (number, deletion.id) : nil
            }
        }
    }

    /// The deletions of the messages with a key.
    func deletions(of key: String) -> [DeletionOutcome] {
        state.withLock { state in state.deletions.filter { $0.key == key }.map(\.outcome) }
    }

    /// The deletions of a message that has one of some texts, or had one of them last.
    ///
    /// A message is edited while the service does not have it. What another device sees with an earlier text is a request
    /// from before the edit that has arrived late: a message of its own, whose deletion leaves the edited one alone. The device
    /// of the message has only one with that key, whatever its text was when the call began.
    ///
    /// The same holds for a message that the user has sent again: what another device deletes with the former token is what the
    /// user did not want to be deleted.
    ///
    /// - Parameter token: Returns the token of a message on the service.
    func deletions(
        of creation: Creation,
        with texts: some Sequence<String>,
        token: (Message.ID) -> String?
    ) -> [DeletionOutcome] {
        let version = texts.map(Self.version).min() ?? 0
        let deletions = state.withLock { $0.deletions }
        return deletions.compactMap { deletion -> DeletionOutcome? in
            guard deletion.key == creation.key else { return nil }
            if deletion.device == creation.device { return deletion.outcome }
            guard Self.version(of: deletion.text) >= version else { return nil }
            guard let hasReturned = token(deletion.id).flatMap({ creation.formerTokens[$0] }) else {
                return deletion.outcome
            }
            return hasReturned ? nil : .unknown
        }
    }

    /// The number of the edit that has made a text; 0 for the first one. Later edits have higher numbers.
    private static func version(of text: String) -> Int {
        text.firstRange(of: " edit ").flatMap { Int(text[$0.upperBound...]) } ?? 0
    }

    // MARK: Drafts

    func drafts(of device: String) -> [Draft] { state.withLock { $0.drafts.filter { $0.device == device } } }

    func add(_ draft: Draft) { state.withLock { $0.drafts.append(draft) } }

    /// Forgets a draft that is about to be removed or promoted.
    func remove(_ draft: Draft) { state.withLock { state in state.drafts.removeAll { $0.key == draft.key } } }

    // MARK: Actions

    /// The calls for a message, in their order.
    func actions(on key: String) -> [Action] { state.withLock { $0.actions.filter { $0.key == key } } }

    func beginAction(on text: String, by device: String, isOn: Bool) -> Int {
        state.withLock { state in
            state.actions.append(Action(key: Self.key(of: text), device: device, isOn: isOn))
            return state.actions.count - 1
        }
    }

    func endAction(_ number: Int) { state.withLock { $0.actions[number].isAcknowledged = true } }
}
