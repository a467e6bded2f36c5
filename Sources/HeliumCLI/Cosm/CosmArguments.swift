public import ArgumentParser
public import Cosm

// Values of the Cosm module as they stand on a command line.

extension CosmID: ExpressibleByArgument {
    /// Ids are numbers: anything else would only be a call in vain.
    public init?(argument: String) {
        guard let number = Int(argument), number > 0 else { return nil }
        self.init(number)
    }
}

extension Timestamp: ExpressibleByArgument {
    /// A stamp in any form that the service takes.
    public init?(argument: String) { self.init(argument) }
}

extension CosmDuration: ExpressibleByArgument {
    /// `30minutes`, `1day`, or seconds.
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
