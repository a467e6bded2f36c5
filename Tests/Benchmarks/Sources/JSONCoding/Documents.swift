import Foundation

/// The documents to decode, generated here and equal in each run.
enum Documents {
    /// 100 messages, about 112 KB.
    static let page = "[" + (0..<100).map(message).joined(separator: ",") + "]"

    /// One message, about 1 KB.
    static let single = "[" + message(7) + "]"

    /// 1 MB of coordinates with up to 17 digits, and counts.
    static let numbers: String = {
        var random = Sequence64(state: 20_161_121)
        let rows = (0..<17_000).map { _ in
            let latitude = Double(random.next() % 180_000_000_000_000) / 1e12 - 90
            let longitude = Double(random.next() % 36_000_000) / 1e5 - 180
            return "{\"at\":[\(latitude),\(longitude)],\"n\":\(random.next() % 100_000),\"level\":\(random.next() % 7)}"
        }
        return "[" + rows.joined(separator: ",") + "]"
    }()

    /// 1 MB of text with escapes of every kind, and beyond ASCII.
    static let escapes =
        "["
        + (0..<9_000).map { index in
            #""line \#(index)\nsays \"hello\", C:\\temp\/\u00e9\u4E2D\uD83D\uDE00\ttab — naïve Größe 日本 \#(index * 7919)""#
        }.joined(separator: ",") + "]"

    /// 100 chains of objects and arrays, 400 deep.
    static let deep: String = {
        let depth = 200
        let chain =
            (0..<depth).map { "{\"v\":\($0),\"c\":[" }.joined() + String(repeating: "]}", count: depth)
        return "[" + Array(repeating: chain, count: 100).joined(separator: ",") + "]"
    }()

    /// A page of 20 feeds with 10 datastreams each, values as text, about 80 KB.
    static let feeds =
        "{\"totalResults\":20,\"startIndex\":0,\"itemsPerPage\":20,\"results\":["
        + (0..<20).map(feed).joined(separator: ",") + "]}"

    private static func feed(_ index: Int) -> String {
        let streams = (0..<10).map { stream in
            let points = (0..<3).map { point in
                "{\"at\":\"2013-05-20T11:0\(point):19.000000Z\",\"value\":\"\(20 + stream).\(point)\"}"
            }
            return """
                {"id":"sensor_\(stream)","current_value":"\(stream * 13 + index).5","at":"2013-05-20T11:01:43.000000Z",\
                "max_value":"\(stream * 31).0","min_value":"-1.25","tags":["humidity","room \(stream)"],\
                "unit":{"type":"derivedSI","label":"percent","symbol":"%"},"datapoints":[\(points.joined(separator: ","))]}
                """
        }
        return """
            {"id":\(121_600 + index),"title":"Station \(index)","private":"false","tags":["weather","roof"],\
            "description":"Measurements of station \(index)","feed":"https://api.cosm.com/v2/feeds/\(121_600 + index).json",\
            "status":"live","updated":"2013-05-20T11:01:43.253127Z","created":"2013-03-29T15:50:43.398788Z",\
            "creator":"https://cosm.com/users/station\(index)","version":"1.0.0",\
            "location":{"lat":51.5235375648154,"lon":-0.0807666778564453,"ele":"23.0","domain":"physical"},\
            "datastreams":[\(streams.joined(separator: ","))]}
            """
    }

    private static func message(_ index: Int) -> String {
        """
        {"id":"17\(90_000_000 + index * 7_919)","conversation_id":"17\(80_000_000 + index)",\
        "text":"Message \(index): the quick brown fox jumps over the lazy dog, then reads \\"a page\\" of 100 more \u{2014} naïve\\ncafé",\
        "author_id":"\(2_244_994_000 + index)","lang":\(index % 5 == 0 ? "null" : "\"en\""),\
        "possibly_sensitive":\(index % 9 == 0),"created_at":"2016-02-12T08:\(10 + index % 50):07Z",\
        \(index % 3 == 0 ? "\"edited_at\":\"2016-02-12T09:00:00Z\"," : "")\
        "metrics":{"likes":\(index * 17),"reposts":\(index * 3),"replies":\(index % 11),"quotes":\(index % 4),"score":\(Double(index) * 0.37)},\
        "user":{"id":"\(2_244_994_000 + index)","name":"Station \(index)","username":"station_\(index)","verified":\(index % 2 == 0),\
        "followers":\(index * 1_013),"created":"2013-03-29T15:50:43Z",\
        "profile":{"bio":"Measures what there is to be measured, and writes it down.","url":"https://example.com/stations/\(index)","location":null}},\
        "entities":{"links":[{"start":10,"end":33,"url":"https://example.com/a/\(index)","expanded":"https://www.example.com/articles/\(index)"}],\
        "mentions":[{"start":0,"end":9,"username":"station_\((index + 1) % 100)"},{"start":40,"end":52,"username":"station_\((index + 2) % 100)"}],\
        "hashtags":[{"start":60,"end":68,"tag":"weather"}]},\
        "annotations":[{"start":3,"end":11,"probability":0.\(9_000 + index),"type":"Place","text":"Station \(index)"}]}
        """
    }
}

/// Numbers that repeat.
private struct Sequence64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 11
    }
}
