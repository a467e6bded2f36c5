import Foundation
import HeliumTesting

/// Reads `bytes` as a HAR; what can be read must be written, read again, and be replayable.
///
/// Returns whether the bytes were an archive, so that a caller sees that its inputs reach further than the first check.
@discardableResult
public func fuzzHAR(_ bytes: [UInt8]) -> Bool {
    let har: HAR
    do throws(HAR.Malformed) {
        har = try HAR(Data(bytes), upTo: 1 << 20)
    } catch {
        precondition(!error.description.isEmpty)
        return false
    }
    guard let written = try? har.encoded(), let again = try? HAR(written) else {
        preconditionFailure("an archive that was read can't be written and read again")
    }
    precondition(again == har, "an archive changes by being written")
    guard (try? ReplayTransport(har)) != nil else { preconditionFailure("a valid archive can't be replayed") }
    return true
}
