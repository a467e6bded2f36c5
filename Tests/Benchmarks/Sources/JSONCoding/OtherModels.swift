import Foundation

/// A row of ``Documents/numbers``.
struct Reading: Codable, Equatable {
    var at: [Double]
    var n: Int
    var level: UInt8
}

/// A link of ``Documents/deep``.
struct Chain: Codable, Equatable {
    var v: Int
    var c: [Chain]
}

/// ``Documents/feeds``.
struct FeedPage: Codable, Equatable {
    var totalResults: Int
    var startIndex: Int
    var itemsPerPage: Int
    var results: [Feed]

    struct Feed: Codable, Equatable {
        var id: Int
        var title: String
        var description: String?
        var feed: String
        var status: String
        var updated: String
        var created: String
        var creator: String
        var version: String
        var tags: [String]
        var location: Location?
        var datastreams: [Datastream]
    }

    struct Location: Codable, Equatable {
        var lat: Double
        var lon: Double
        var ele: String?
        var domain: String?
        var name: String?
    }

    struct Datastream: Codable, Equatable {
        var id: String
        var current_value: String?
        var max_value: String?
        var min_value: String?
        var at: String?
        var tags: [String]?
        var unit: Unit?
        var datapoints: [Datapoint]?
    }

    struct Unit: Codable, Equatable {
        var type: String?
        var label: String?
        var symbol: String?
    }

    struct Datapoint: Codable, Equatable {
        var at: String
        var value: String
    }
}

/// A value that is parsed and not looked at.
struct Unread: Decodable {
    init(from decoder: any Decoder) {}
}
