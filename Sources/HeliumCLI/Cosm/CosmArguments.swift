public import ArgumentParser
public import Cosm

// Types of the Cosm module as command-line arguments.

extension CosmID: ExpressibleByArgument {
    /// Parses a positive number. A request with any other id would fail.
    public init?(argument: String) {
        guard let number = Int(argument), number > 0 else { return nil }
        self.init(number)
    }
}

extension Timestamp: ExpressibleByArgument {
    /// Parses a timestamp in any form that the service accepts.
    public init?(argument: String) { self.init(argument) }
}

extension CosmDuration: ExpressibleByArgument {
    /// Parses `30minutes`, `1day`, or a number of seconds.
    public init?(argument: String) {
        self.init(argument)
        if count < 1 { return nil }
    }
}

extension Feed.Status: ExpressibleByArgument {}
extension Location.Domain: ExpressibleByArgument {}
extension Location.Exposure: ExpressibleByArgument {}
extension Location.Disposition: ExpressibleByArgument {}
extension FeedQuery.Order: ExpressibleByArgument {}
