internal import HeliumServerKit

/// The content of a request that writes a feed, in any format.
struct FeedInput: Hashable, Sendable {
    var title = Change<String>.unchanged
    var description = Change<String>.unchanged
    var website = Change<String>.unchanged
    var email = Change<String>.unchanged
    var icon = Change<String>.unchanged
    var tags = Change<[String]>.unchanged
    var isPrivate = Change<Bool>.unchanged
    var location = LocationInput()
    var datastreams: [DatastreamInput] = []
}

/// The location in a request.
struct LocationInput: Hashable, Sendable {
    var name = Change<String>.unchanged
    var domain = Change<String>.unchanged
    var exposure = Change<String>.unchanged
    var disposition = Change<String>.unchanged
    var latitude = Change<Double>.unchanged
    var longitude = Change<Double>.unchanged
    var elevation = Change<String>.unchanged

    /// Applies the changes to a location.
    func applied(to location: inout LocationRecord) {
        name.applied(to: &location.name)
        domain.applied(to: &location.domain)
        exposure.applied(to: &location.exposure)
        disposition.applied(to: &location.disposition)
        latitude.applied(to: &location.latitude)
        longitude.applied(to: &location.longitude)
        elevation.applied(to: &location.elevation)
    }
}

/// The content of a request that writes a datastream.
struct DatastreamInput: Hashable, Sendable {
    /// The id; empty if the body has none, because the path can name the datastream.
    var id = ""
    var currentValue = Change<String>.unchanged
    /// The timestamp of ``currentValue``; `nil` for the time of arrival.
    var at: ServerInstant?
    var datapoints: [Datapoint] = []
    var minimum = Change<Double>.unchanged
    var maximum = Change<Double>.unchanged
    var tags = Change<[String]>.unchanged
    var unit = UnitInput()

    /// Whether the request has anything other than values.
    var concernsMetadata: Bool {
        let changesValue = currentValue == .cleared
        return changesValue || !minimum.isUnchanged || !maximum.isUnchanged || !tags.isUnchanged || unit != UnitInput()
    }
}

/// The unit in a request.
struct UnitInput: Hashable, Sendable {
    var label = Change<String>.unchanged
    var symbol = Change<String>.unchanged
    var type = Change<String>.unchanged

    /// Applies the changes to a unit.
    func applied(to unit: inout UnitRecord) {
        label.applied(to: &unit.label)
        symbol.applied(to: &unit.symbol)
        type.applied(to: &unit.type)
    }
}
