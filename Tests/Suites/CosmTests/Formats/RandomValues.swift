import Cosm
import HeliumCore
import HeliumJSON
import TestSupport

/// Random values, as wild as documents may be.
extension SeededRandom {
    mutating func maybe<Value>(_ value: (inout Self) -> Value) -> Value? { oneIn(3) ? nil : value(&self) }

    mutating func text() -> String {
        let parts = [
            "a", "Z", "7", " ", ",", "\"", "'", "<", "&", ">", "]]>", "\n", "\r\n", "\t", "é", "\u{301}", "😀", "-", ".",
            "\\",
            "\u{1}", "true", "null", ";", "\u{FEFF}", "\u{2028}",
        ]
        return (0..<below(8)).map { _ in pick(parts) }.joined()
    }

    mutating func stamp() -> Timestamp {
        Timestamp(microseconds: Int64(below(2_000_000_000)) * 1_000_000 + Int64(pick([0, 1, 500_000, 999_999])))
    }

    mutating func value() -> DatapointValue {
        switch below(3) {
        case 0: DatapointValue(text())
        case 1: DatapointValue(below(2000) - 1000)
        default: DatapointValue(Double(below(100_000)) / 64)
        }
    }

    mutating func json(_ depth: Int = 2) -> JSONValue {
        switch below(depth > 0 ? 6 : 4) {
        case 0: .null
        case 1: .bool(oneIn(2))
        case 2: .number(JSONNumber(below(1000)))
        case 3: .string(text())
        case 4: .array((0..<below(3)).map { _ in json(depth - 1) })
        default: .object(JSONObject([(text(), json(depth - 1))]))
        }
    }

    mutating func extra() -> JSONObject { oneIn(4) ? JSONObject([("x-\(text())", json())]) : [:] }

    mutating func texts() -> [String] { (0..<below(3)).map { _ in text() } }

    mutating func datapoint() -> Datapoint {
        Datapoint(at: maybe { $0.stamp() }, value: maybe { $0.value() }, extra: extra())
    }

    mutating func unit() -> Datastream.Unit {
        Datastream.Unit(
            label: maybe { $0.text() },
            symbol: maybe { $0.text() },
            type: maybe { $0.pick([.basicSI, .init(rawValue: "metric")]) },
            extra: extra()
        )
    }

    mutating func datastream() -> Datastream {
        Datastream(
            id: maybe { $0.text() },
            currentValue: maybe { $0.value() },
            at: maybe { $0.stamp() },
            maximumValue: maybe { $0.value() },
            minimumValue: maybe { $0.value() },
            tags: maybe { $0.texts() },
            unit: maybe { $0.unit() },
            datapoints: maybe { random in (0..<random.below(4)).map { _ in random.datapoint() } },
            datapointsFunction: maybe { _ in .average },
            version: maybe { _ in "1.0.0" },
            extra: extra()
        )
    }

    mutating func location() -> Location {
        Location(
            name: maybe { $0.text() },
            domain: maybe { $0.pick([.physical, .virtual]) },
            exposure: maybe { $0.pick([.indoor, .init(rawValue: $0.text())]) },
            disposition: maybe { $0.pick([.fixed, .mobile]) },
            latitude: maybe { Double($0.below(180) - 90) / 7 },
            longitude: maybe { Double($0.below(360) - 180) / 7 },
            elevation: maybe { $0.value() },
            waypoints: maybe { random in
                [Location.Waypoint(at: random.maybe { $0.stamp() }, latitude: 1.5, extra: random.extra())]
            },
            extra: extra()
        )
    }

    /// Returns a random time. An empty text means no time at all (Docs/Protocols/Cosm.md §10).
    mutating func time() -> RecordedTime { oneIn(3) ? RecordedTime("on \(text())") : RecordedTime(stamp()) }

    mutating func trigger() -> Trigger {
        Trigger(
            id: maybe { Trigger.ID($0.below(1000)) },
            feedID: maybe { Feed.ID($0.below(1000)) },
            datastreamID: maybe { $0.text() },
            url: maybe { $0.text() },
            condition: maybe { $0.pick([.greater, .change, .frozen, .init(rawValue: $0.text())]) },
            threshold: maybe { $0.value() },
            notifiedAt: maybe { $0.time() },
            user: maybe { $0.text() },
            extra: extra()
        )
    }

    mutating func key() -> APIKey {
        APIKey(
            key: maybe { Secret($0.text()) },
            label: maybe { $0.text() },
            user: maybe { $0.text() },
            expiresAt: maybe { $0.time() },
            hasPrivateAccess: maybe { $0.oneIn(2) },
            permissions: maybe { random in (0..<random.below(3)).map { _ in random.permission() } },
            extra: extra()
        )
    }

    mutating func permission() -> APIKey.Permission {
        APIKey.Permission(
            accessMethods: maybe { [$0.pick([.get, .put, .init(rawValue: $0.text())])] },
            label: maybe { $0.text() },
            referer: maybe { $0.text() },
            sourceIP: maybe { $0.text() },
            hasPrivateAccess: maybe { $0.oneIn(2) },
            minimumInterval: maybe { $0.below(1000) },
            resources: maybe { random in
                [
                    APIKey.Resource(
                        feedID: random.maybe { Feed.ID($0.below(1000)) },
                        datastreamID: random.maybe { $0.text() },
                        extra: random.extra()
                    )
                ]
            },
            extra: extra()
        )
    }

    mutating func user() -> User {
        User(
            login: maybe { $0.text() },
            email: maybe { $0.text() },
            about: maybe { $0.text() },
            apiKey: maybe { Secret($0.text()) },
            roles: maybe { $0.texts() },
            deliversEmail: maybe { $0.oneIn(2) },
            feedsCount: maybe { $0.below(10) },
            extra: extra()
        )
    }

    mutating func feed() -> Feed {
        Feed(
            id: maybe { Feed.ID($0.below(100_000)) },
            title: maybe { $0.text() },
            description: maybe { $0.text() },
            website: maybe { $0.text() },
            email: maybe { $0.text() },
            icon: maybe { $0.text() },
            tags: maybe { $0.texts() },
            isPrivate: maybe { $0.oneIn(2) },
            feedURL: maybe { $0.text() },
            autoFeedURL: maybe { $0.text() },
            status: maybe { $0.pick([.live, .frozen, .init(rawValue: "odd")]) },
            updated: maybe { $0.stamp() },
            created: maybe { $0.stamp() },
            creator: maybe { $0.text() },
            user: maybe { User(login: $0.text(), extra: $0.extra()) },
            version: maybe { _ in "1.0.0" },
            location: maybe { $0.location() },
            datastreams: maybe { random in (0..<random.below(4)).map { _ in random.datastream() } },
            productID: maybe { $0.text() },
            deviceSerial: maybe { $0.text() },
            extra: extra()
        )
    }
}
