import HeliumCore
import Synchronization

extension FaultServer {
    /// Lets a script wait for the test: each opening lets one step pass.
    public final class Gate: Sendable {
        private let openings = Guarded(0)

        /// A closed gate.
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
