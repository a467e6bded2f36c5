internal import ConAir
internal import HeliumCore
package import HeliumServerKit

/// The settings of the page service in its server's configuration.
package struct PageSettings: ServerProtocolConfiguration {
    var page: SeriesPageServer.Configuration?
    var store: TimeSeriesStore?

    package init() {}

    package func validate(limits: ServerLimits) throws(EmbeddedServerError) {
        try ConfigurationCheck.require(page != nil && store != nil, "the page has no store: set one")
        guard let page else { return }
        try ConfigurationCheck.requirePositive([("maximumViewers", page.maximumViewers)])
        try ConfigurationCheck.require(
            page.maximumViewers < limits.connections,
            "maximumViewers leaves no connection for other requests: it must be less than serverLimits.connections"
        )
    }
}
