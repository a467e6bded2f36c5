internal import HeliumJSON
internal import HeliumKit

/// The requests that models make, by their API.
struct ModelRequests: Sendable {
    let api: CosmAPI
}
