import Cosm

/// The documents to decode, generated here and equal in each run.
enum Documents {
    /// A list of 100 feeds with 10 datastreams each, about 300 KB.
    static let feeds =
        "{\"totalResults\":100,\"startIndex\":0,\"itemsPerPage\":100,\"results\":["
        + (0..<100).map(feed).joined(separator: ",") + "]}"

    /// A datastream with 10,000 points of its history, a minute apart.
    static let history: String = {
        let points = (0..<10_000).map { "{\"value\":\"\(value($0))\",\"at\":\"\(stamp($0))\"}" }
        return """
            {"id":"temperature","current_value":"20.5","at":"2013-05-20T11:01:43.000000Z","version":"1.0.0",\
            "datapoints":[\(points.joined(separator: ","))]}
            """
    }()

    /// The same points as rows of CSV.
    static let rows = (0..<10_000).map { "\(stamp($0)),\(value($0))\n" }.joined()

    private static func stamp(_ index: Int) -> String {
        Timestamp(microseconds: 1_369_047_703_000_000 + Int64(index) * 60_000_111).description
    }

    private static func value(_ index: Int) -> String { "\(15 + index % 97 / 10).\(index % 10)" }

    private static func feed(_ index: Int) -> String {
        let streams = (0..<10).map { stream in
            """
            {"id":"sensor_\(stream)","current_value":"\(stream * 13 + index).5","at":"2013-05-20T11:01:43.000000Z",\
            "max_value":"\(stream * 31).0","min_value":"-1.25","tags":["humidity","room \(stream)"],\
            "unit":{"type":"derivedSI","label":"percent","symbol":"%"}}
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
}
