import HeliumCore
import Synchronization

extension FaultServer {
    /// Makes a script wait for the test. Each opening lets one step pass.
    public final class Gate: Sendable {
        private let openings = Guarded(0)

        /// Creates a closed gate.
        public init() {}

        /// Lets one more step pass.
        public func open() { openings.withLock { $0 += 1 } }

        func pass() -> Bool {
            openings.withLock { openings in
                guard openings > 0 else { return false }
                openings -= 1
                return true
            }
        }
    }
}
