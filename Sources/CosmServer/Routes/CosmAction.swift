internal import HTTPTypes

/// The calls of the API, each a method on a kind of resource. A pair that is not listed here is 404.
///
/// The table of rights in the tests has a row for each of them.
enum CosmAction: String, CaseIterable, Hashable, Sendable {
    case listFeeds, createFeed, readFeed, updateFeed, deleteFeed
    case listDatastreams, createDatastreams, readDatastream, updateDatastream, deleteDatastream
    case createDatapoints, deleteDatapoints, readDatapoint, updateDatapoint, deleteDatapoint
    case listKeys, createKey, readKey, updateKey, deleteKey
    case listTriggers, createTrigger, readTrigger, updateTrigger, deleteTrigger
    case listUsers, createUser, readUser, updateUser, deleteUser

    /// Returns the call of a method on a resource; `nil` if there is none.
    init?(_ route: CosmRoute, _ method: HTTPRequest.Method) {
        switch (route, method) {
        case (.feeds, .get): self = .listFeeds
        case (.feeds, .post): self = .createFeed
        case (.feed, .get): self = .readFeed
        case (.feed, .put): self = .updateFeed
        case (.feed, .delete): self = .deleteFeed
        case (.datastreams, .get): self = .listDatastreams
        case (.datastreams, .post): self = .createDatastreams
        case (.datastream, .get): self = .readDatastream
        case (.datastream, .put): self = .updateDatastream
        case (.datastream, .delete): self = .deleteDatastream
        case (.datapoints, .post): self = .createDatapoints
        case (.datapoints, .delete): self = .deleteDatapoints
        case (.datapoint, .get): self = .readDatapoint
        case (.datapoint, .put): self = .updateDatapoint
        case (.datapoint, .delete): self = .deleteDatapoint
        case (.keys, .get): self = .listKeys
        case (.keys, .post): self = .createKey
        case (.key, .get): self = .readKey
        case (.key, .put): self = .updateKey
        case (.key, .delete): self = .deleteKey
        case (.triggers, .get): self = .listTriggers
        case (.triggers, .post): self = .createTrigger
        case (.trigger, .get): self = .readTrigger
        case (.trigger, .put): self = .updateTrigger
        case (.trigger, .delete): self = .deleteTrigger
        case (.users, .get): self = .listUsers
        case (.users, .post): self = .createUser
        case (.user, .get): self = .readUser
        case (.user, .put): self = .updateUser
        case (.user, .delete): self = .deleteUser
        default: return nil
        }
    }
}
