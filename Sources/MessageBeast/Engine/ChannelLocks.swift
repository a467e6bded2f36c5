internal import AppNet
internal import HeliumConcurrency
internal import Synchronization

/// A lock for each channel. It allows one fetch per channel at a time.
final class ChannelLocks: Sendable {
    private let locks = Guarded<[AppNetChannel.ID: AsyncLock]>([:])

    func lock(for channel: AppNetChannel.ID) -> AsyncLock {
        locks.withLock { locks in
            if let lock = locks[channel] { return lock }
            let lock = AsyncLock()
            locks[channel] = lock
            return lock
        }
    }
}
