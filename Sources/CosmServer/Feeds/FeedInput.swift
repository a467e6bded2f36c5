internal import HeliumServerKit

/// What a request says about a feed, whatever its format.
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

/// What a request says about a location.
struct LocationInput: Hashable, Sendable {
    var name = Change<String>.unchanged
    var domain = Change<String>.unchanged
    var exposure = Change<String>.unchanged
    var disposition = Change<String>.unchanged
    var latitude = Change<Double>.unchanged
    var longitude = Change<Double>.unchanged
    var elevation = Change<String>.unchanged

    /// The location afterwards.
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

/// What a request says about a datastream.
struct DatastreamInput: Hashable, Sendable {
    /// Empty where the body has none: the path may name it.
    var id = ""
    var currentValue = Change<String>.unchanged
    /// The stamp of ``currentValue``; nil: the time of arrival.
    var at: ServerInstant?
    var datapoints: [Datapoint] = []
    var minimum = Change<Double>.unchanged
    var maximum = Change<Double>.unchanged
    var tags = Change<[String]>.unchanged
    var unit = UnitInput()

    /// Whether it says anything but values.
    var concernsMetadata: Bool {
        let changesValue = currentValue == .cleared
        return changesValue || !minimum.isUnchanged || !maximum.isUnchanged || !tags.isUnchanged || unit != UnitInput()
    }
}

/// What a request says about a unit.
struct UnitInput: Hashable, Sendable {
    var label = Change<String>.unchanged
    var symbol = Change<String>.unchanged
    var type = Change<String>.unchanged

    /// The unit afterwards.
    func applied(to unit: inout UnitRecord) {
        label.applied(to: &unit.label)
        symbol.applied(to: &unit.symbol)
        type.applied(to: &unit.type)
    }
}
