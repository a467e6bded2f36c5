internal import HeliumServerKit

/// Writes documents as EEML 0.5.1, and keys, triggers and users as XML (Docs/Protocols/Cosm.md §13). Blank members are
/// left out.
struct XMLOutput {
    let context: RenderContext

    func text(of document: CosmDocument) -> String {
        var xml = XMLText()
        switch document {
        case .feed(let feed): eeml(&xml) { self.feed(feed, isSingle: true, &$0) }
        case .feeds(let list):
            eeml(&xml, opensearch: "http://a9.com/-/spec/opensearch/1.1/") { xml in
                xml.leaf("opensearch:totalResults", String(list.total))
                xml.leaf("opensearch:startIndex", String(list.startIndex))
                xml.leaf("opensearch:itemsPerPage", String(list.itemsPerPage))
                for feed in list.feeds { self.feed(feed, isSingle: false, &xml) }
            }
        case .datastream(let stream, let feed): eeml(&xml) { environment(feed, [stream], &$0) }
        case .datastreams(let streams, let feed): eeml(&xml) { environment(feed, streams, &$0) }
        case .datapoint(let point, _):
            eeml(&xml) { xml in
                xml.element("environment") { xml in
                    xml.element("data") { points([point], function: nil, &$0) }
                }
            }
        case .key(let key): XMLRecords(context: context).key(key.object, &xml)
        case .keys(let keys):
            xml.element("keys") { xml in
                for key in keys { XMLRecords(context: context).key(key.object, &xml) }
            }
        case .trigger(let trigger): XMLRecords(context: context).trigger(trigger.object, &xml)
        case .triggers(let triggers):
            xml.element("datastream-triggers", ["type": "array"]) { xml in
                for trigger in triggers { XMLRecords(context: context).trigger(trigger.object, &xml) }
            }
        case .user(let user): XMLRecords(context: context).user(user.object, &xml)
        case .users(let users):
            xml.element("users", ["type": "array"]) { xml in
                for user in users { XMLRecords(context: context).user(user.object, &xml) }
            }
        }
        return xml.text
    }

    /// Returns an error as XML (Docs/Protocols/Cosm.md §2.4).
    static func text(of failure: CosmFailure) -> String {
        var xml = XMLText()
        xml.element("errors") { xml in
            xml.leaf("title", failure.title)
            for error in failure.errors { xml.leaf("error", error) }
        }
        return xml.text
    }

    private func eeml(_ xml: inout XMLText, opensearch: String? = nil, _ children: (inout XMLText) -> Void) {
        let namespace = "http://www.eeml.org/xsd/0.5.1"
        xml.element(
            "eeml",
            [
                "xmlns": namespace, "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
                "xmlns:opensearch": opensearch, "version": "0.5.1",
                "xsi:schemaLocation": "\(namespace) \(namespace)/0.5.1.xsd",
            ],
            children
        )
    }

    private func feed(_ document: FeedDocument, isSingle: Bool, _ xml: inout XMLText) {
        let feed = document.feed
        let attributes: KeyValuePairs<String, String?> = [
            "updated": stamp(feed.updated), "created": stamp(feed.created), "id": String(feed.id),
            "creator": context.creatorURL(feed.owner),
        ]
        xml.element("environment", attributes) { xml in
            xml.leaf("title", feed.title)
            xml.leaf("feed", context.feedURL(feed.id) + ".xml")
            xml.leaf("status", feed.isLive(at: context.now) ? "live" : "frozen")
            xml.optionalLeaf("description", feed.description)
            xml.optionalLeaf("icon", feed.icon)
            xml.optionalLeaf("website", feed.website)
            xml.optionalLeaf("email", feed.email)
            xml.leaf("private", feed.isPrivate ? "true" : "false")
            for tag in feed.tags { xml.leaf("tag", tag) }
            if isSingle || !feed.location.isEmpty { location(feed.location, document.waypoints, &xml) }
            if document.showsUser { xml.element("user") { $0.leaf("login", feed.owner) } }
            for stream in document.datastreams ?? [] { data(stream, &xml) }
        }
    }

    private func location(_ location: LocationRecord, _ waypoints: [Waypoint], _ xml: inout XMLText) {
        let attributes: KeyValuePairs<String, String?> = [
            "domain": location.domain, "exposure": location.exposure, "disposition": location.disposition,
        ]
        xml.element("location", attributes) { xml in
            xml.optionalLeaf("name", location.name)
            xml.optionalLeaf("lat", location.latitude?.description)
            xml.optionalLeaf("lon", location.longitude?.description)
            xml.optionalLeaf("ele", location.elevation)
            if waypoints.isEmpty { return }
            xml.element("waypoints") { xml in
                for waypoint in waypoints {
                    xml.element("waypoint", ["at": stamp(waypoint.at)]) { xml in
                        xml.leaf("lat", waypoint.latitude.description)
                        xml.leaf("lon", waypoint.longitude.description)
                        xml.optionalLeaf("ele", waypoint.elevation)
                    }
                }
            }
        }
    }

    private func environment(_ feed: FeedRecord, _ streams: [DatastreamDocument], _ xml: inout XMLText) {
        let attributes: KeyValuePairs<String, String?> = [
            "updated": stamp(feed.updated), "id": String(feed.id), "creator": context.creatorURL(feed.owner),
        ]
        xml.element("environment", attributes) { xml in
            for stream in streams { data(stream, &xml) }
        }
    }

    private func data(_ document: DatastreamDocument, _ xml: inout XMLText) {
        let stream = document.stream
        xml.element("data", ["id": stream.id]) { xml in
            for tag in stream.tags { xml.leaf("tag", tag) }
            if let value = stream.currentValue { xml.leaf("current_value", ["at": stream.at.map(stamp)], value) }
            xml.optionalLeaf("max_value", stream.maximum.map(NumericText.decimal))
            xml.optionalLeaf("min_value", stream.minimum.map(NumericText.decimal))
            if !stream.unit.isEmpty {
                xml.leaf("unit", ["type": stream.unit.type, "symbol": stream.unit.symbol], stream.unit.label ?? "")
            }
            if let points = document.points, !points.isEmpty {
                self.points(points, function: document.function, &xml)
            }
        }
    }

    private func points(_ points: [Datapoint], function: String?, _ xml: inout XMLText) {
        xml.element("datapoints", ["function": function]) { xml in
            for point in points { xml.leaf("value", ["at": stamp(point.at)], point.value) }
        }
    }

    private func stamp(_ instant: ServerInstant) -> String { instant.text(context.zone) }
}
