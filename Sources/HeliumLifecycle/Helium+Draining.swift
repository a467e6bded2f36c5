internal import HeliumKit

// LEAD: replace this file by HeliumKit's own `Helium.close(drainingFor:)`. It must end the wait and close at once when the
// calling task is cancelled.
extension Helium {
    func close(drainingFor limit: Duration) async { await close() }
}
