extension Feed: ModelEntity {
    static let fields: [any ModelField<Feed>] = [
        EntityField("id", \.id, .keptWhenAbsent),
        EntityField("title", \.title, .written(.text)),
        EntityField("private", \.isPrivate, .written(.text)),
        EntityField("tags", \.tags, .written(.list)),
        EntityField("description", \.description, .written(.text)),
        EntityField("feed", \.feedURL, .told),
        EntityField("auto_feed_url", \.autoFeedURL, .written(.text)),
        EntityField("status", \.status, .told),
        EntityField("updated", \.updated, .told),
        EntityField("created", \.created, .told),
        EntityField("creator", \.creator, .told),
        EntityField("version", \.version, .told),
        EntityField("website", \.website, .written(.text)),
        EntityField("email", \.email, .written(.text)),
        EntityField("icon", \.icon, .written(.text)),
        EntityField("product_id", \.productID, .told),
        EntityField("device_serial", \.deviceSerial, .told),
        EntityField("location", \.location, .written(.object(except: ["waypoints"]))),
        // Only with `show_user`, which a push has not.
        EntityField("user", \.user, .keptWhenAbsent),
    ]

    static let childrenName: String? = "datastreams"

    mutating func removeChildren() { datastreams = nil }
}

extension Datastream: ModelEntity {
    static let fields: [any ModelField<Datastream>] = [
        EntityField("id", \.id, .keptWhenAbsent),
        EntityField("current_value", \.currentValue, .written(.text)),
        EntityField("at", \.at, .written(.text)),
        EntityField("max_value", \.maximumValue, .written(.text)),
        EntityField("min_value", \.minimumValue, .written(.text)),
        EntityField("tags", \.tags, .written(.list)),
        EntityField("unit", \.unit, .written(.object(except: []))),
        EntityField("datapoints_function", \.datapointsFunction, .told),
        EntityField("version", \.version, .told),
    ]

    static let childrenName: String? = "datapoints"

    mutating func removeChildren() { datapoints = nil }
}

extension Datapoint: ModelEntity {
    static let fields: [any ModelField<Datapoint>] = [
        EntityField("at", \.at, .keptWhenAbsent),
        EntityField("value", \.value, .written(.text)),
    ]

    static let childrenName: String? = nil

    mutating func removeChildren() {}
}
