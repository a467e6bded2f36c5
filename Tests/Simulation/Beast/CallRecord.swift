import AppNet
import HeliumConcurrency
import Synchronization

/// Everything that was asked of the engines, and what they have answered: the truth that the oracle compares with.
///
/// Messages are told apart by their texts, each of which is written once.
final class CallRecord: Sendable {
    struct Creation: Sendable {
        let text: String
        let device: String
        let channel: AppNetChannel.ID
        /// Whether the call returned.
        var isAcknowledged = false
        /// The user has sent the parked message again: its place is a later one.
        var wasRetried = false
    }

    enum DeletionOutcome: Sendable {
        /// The call has not returned. It may have been recorded or not.
        case unknown
        case acknowledged
        /// It was undone.
        case cancelled
    }

    struct Deletion: Sendable {
        let text: String
        let device: String
        let id: Message.ID
        var outcome = DeletionOutcome.unknown
    }

    private struct State {
        var creations: [Creation] = []
        var deletions: [Deletion] = []
    }

    private let state = Guarded(State())

    /// All creations, in the order of the calls.
    var creations: [Creation] { state.withLock { $0.creations } }

    func beginCreation(by device: String, in channel: AppNetChannel.ID) -> (number: Int, text: String) {
        state.withLock { state in
            let number = state.creations.count
            let text = "Message \(number) of \(device) #tag\(number % 5)"
            state.creations.append(Creation(text: text, device: device, channel: channel))
            return (number, text)
        }
    }

    func endCreation(_ number: Int) { state.withLock { $0.creations[number].isAcknowledged = true } }

    func noteRetry(_ text: String) {
        state.withLock { state in
            for index in state.creations.indices where state.creations[index].text == text {
                state.creations[index].wasRetried = true
            }
        }
    }

    func beginDeletion(of text: String, id: Message.ID, by device: String) -> Int {
        state.withLock { state in
            state.deletions.append(Deletion(text: text, device: device, id: id))
            return state.deletions.count - 1
        }
    }

    func setDeletion(_ number: Int, _ outcome: DeletionOutcome) {
        state.withLock { $0.deletions[number].outcome = outcome }
    }

    /// The acknowledged deletions of a device.
    func deletions(by device: String) -> [(number: Int, id: Message.ID)] {
        state.withLock { state in
            state.deletions.enumerated().compactMap { number, deletion in
                deletion.device == device && deletion.outcome == .acknowledged ? (number, deletion.id) : nil
            }
        }
    }

    /// The deletions of a message.
    func deletions(of text: String) -> [DeletionOutcome] {
        state.withLock { state in state.deletions.filter { $0.text == text }.map(\.outcome) }
    }
}
