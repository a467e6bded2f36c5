import Cosm
import Foundation
import HeliumJSON
import TestSupport
import Testing

/// Every document is read twice: by the fast way, and by Foundation's decoder through `init(from:)`. Both give the same.
private func read<Value: Decodable & Equatable>(_ type: Value.Type = Value.self, _ json: String) throws -> Value {
    let value = try HeliumJSONDecoder().decode(Value.self, from: json)
    #expect(try JSONDecoder().decode(Value.self, from: Data(json.utf8)) == value)
    return value
}

@Suite("Lenient decoding of Cosm's documents")
struct LeniencyTests {
    @Test("the documented feed is decoded completely, and encoded unchanged")
    func example() throws {
        let json = #"""
            {"id": 91, "title": "Shed", "private": "false", "version": "1.0.0", "status": "live",
             "feed": "http://host/v2/feeds/91.json", "creator": "http://host/users/ann",
             "created": "2013-01-02T10:00:00.000000Z", "updated": "2013-02-01T09:00:02.412000Z",
             "tags": ["garden", "Wood"], "location": {"domain": "physical", "lat": 51.2, "lon": -0.4, "ele": "80"},
             "datastreams": [{"id": "temp", "current_value": "20.5", "at": "2013-02-01T09:00:02.000000Z",
                              "max_value": "31.0", "min_value": "-4.0",
                              "unit": {"label": "Celsius", "symbol": "C", "type": "derivedSI"}}]}
            """#
        let feed = try read(Feed.self, json)
        #expect(feed.id == 91 && feed.title == "Shed" && feed.isPrivate == false && feed.status == .live)
        #expect(feed.updated == Timestamp("2013-02-01T09:00:02.412Z") && feed.tags == ["garden", "Wood"])
        #expect(feed.location?.domain == .physical && feed.location?.latitude == 51.2)
        #expect(feed.location?.elevation == "80" && feed.location?.exposure == nil)
        let stream = try #require(feed.datastreams?.first)
        #expect(stream.id == "temp" && stream.currentValue?.double == 20.5 && stream.maximumValue == "31.0")
        #expect(stream.unit == Datastream.Unit(label: "Celsius", symbol: "C", type: .derivedSI))
        #expect(feed.extra.isEmpty && feed.unknownMembers.isEmpty)

        var expected = try JSONValue(parsing: json)
        expected["private"] = false
        #expect(try JSONValue(parsing: HeliumJSONEncoder().encode(feed)) == expected)
        #expect(try JSONValue(parsing: JSONEncoder().encode(feed)) == expected)
    }

    @Test(
        "ids are decoded from numbers and texts",
        arguments: [("504", "504", 504), (#""504""#, "504", 504), (#""0504""#, "0504", nil)]
    )
    func ids(json: String, text: String, number: Int?) throws {
        let feed = try read(Feed.self, #"{"id":\#(json)}"#)
        #expect(feed.id?.text == text && feed.id?.number == number)
        let written = try HeliumJSONEncoder().encodeToString(feed)
        #expect(written == (number.map { #"{"id":\#($0)}"# } ?? #"{"id":"\#(text)"}"#))
    }

    @Test(
        "private is decoded from a boolean or a text in any letter case",
        arguments: [("true", true), ("false", false), (#""true""#, true), (#""False""#, false), (#""TRUE""#, true)]
    )
    func flags(json: String, value: Bool) throws {
        #expect(try read(Feed.self, #"{"private":\#(json)}"#).isPrivate == value)
        #expect(try read(APIKey.self, #"{"private_access":\#(json)}"#).hasPrivateAccess == value)
    }

    @Test("null counts as absent, and so does an empty text where a text is not expected")
    func absent() throws {
        let json = #"""
            {"id":null,"title":null,"private":"","tags":null,"updated":"","location":null,"datastreams":null,"user":null}
            """#
        #expect(try read(Feed.self, json) == Feed())
        #expect(try read(Feed.self, "{}") == Feed())
        #expect(try read(Trigger.self, #"{"notified_at":"","threshold_value":null}"#) == Trigger())
        #expect(try read(Feed.self, #"{"title":""}"#).title == "", "an empty text is one: it clears")
        #expect(try read(Feed.self, #"{"tags":[]}"#).tags == [])
        #expect(try read(Datastream.self, #"{"current_value":""}"#).currentValue == "")
    }

    @Test("values, extremes and coordinates are decoded from numbers and texts")
    func numbers() throws {
        let stream = try read(
            Datastream.self,
            #"{"id":7,"current_value":20.5,"max_value":31,"min_value":"-4.0","datapoints":[{"at":null,"value":5}]}"#
        )
        #expect(stream.id == "7" && stream.currentValue == "20.5" && stream.maximumValue == "31")
        #expect(stream.minimumValue == "-4.0" && stream.datapoints == [Datapoint(value: "5")])
        let place = try read(Location.self, #"{"lat":"51.5","lon":"-0.1","ele":23.5}"#)
        #expect(place == Location(latitude: 51.5, longitude: -0.1, elevation: "23.5"))
        let page = try read(FeedPage.self, #"{"totalResults":"10000","results":[]}"#)
        #expect(page.totalResults == 10_000 && page.startIndex == nil)
        #expect(try read(Trigger.self, #"{"threshold_value":15.5}"#).threshold == "15.5")
    }

    @Test(
        "tags are decoded from an array or one text",
        arguments: [
            (#"["a","b c"]"#, ["a", "b c"]), (#""a, b c ,d""#, ["a", "b c", "d"]),
            (#""\"x, y\", z""#, ["x, y", "z"]), (#""say \\\"hi\\\"""#, ["say \"hi\""]), (#"",, ""#, []),
            (#""a\\b""#, ["a\\b"]), (#""\" kept \"""#, [" kept "]), (#"[1,null]"#, ["1"]),
        ]
    )
    func tags(json: String, tags: [String]) throws {
        #expect(try read(Feed.self, #"{"tags":\#(json)}"#).tags == tags)
    }

    @Test("an invalid time keeps its text")
    func recordedTimes() throws {
        #expect(
            try read(Trigger.self, #"{"notified_at":"a date time string"}"#).notifiedAt?.text == "a date time string"
        )
        #expect(try read(APIKey.self, #"{"expires_at":12345}"#).expiresAt == RecordedTime("12345"))
        let time = try read(APIKey.self, #"{"expires_at":"2013-01-01T00:00:00Z"}"#).expiresAt
        #expect(time?.timestamp != nil && time?.text == "2013-01-01T00:00:00.000000Z")
        #expect(throws: DecodingError.self) { try HeliumJSONDecoder().decode(Feed.self, from: #"{"updated":"soon"}"#) }
    }

    @Test(
        "an invalid value is an error with its position",
        arguments: [
            (#"{"datastreams":"foobar"}"#, "datastreams"), (#"{"datastreams":[{"at":"x"}]}"#, "datastreams[0].at"),
            (#"{"location":{"lat":"north"}}"#, "location.lat"), (#"{"title":{}}"#, "title"),
            (#"{"private":"perhaps"}"#, "private"), (#"{"id":true}"#, "id"), ("[]", ""),
            (#"{"location":{"waypoints":[{"at":5}]}}"#, "location.waypoints[0].at"),
        ]
    )
    func refused(json: String, path: String) throws {
        let error = try #require(throws: CosmDocumentError.self) {
            try CosmFormat.json.decode(Feed.self, from: Data(json.utf8))
        }
        #expect(error.path == path && error.line == 1 && error.column != nil && !error.reason.isEmpty)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Feed.self, from: Data(json.utf8)) }
    }

    @Test("unknown names of kinds are kept")
    func openNames() throws {
        let json = #"{"status":"napping","location":{"exposure":"underground"}}"#
        let feed = try read(Feed.self, json)
        #expect(feed.status?.rawValue == "napping" && feed.location?.exposure?.rawValue == "underground")
        #expect(try HeliumJSONEncoder().encodeToString(feed) == json)
    }

    @Test("unknown members are kept, reported and encoded at any depth")
    func extra() throws {
        let json = #"""
            {"colour":"red","id":1,"location":{"floor":2},"datastreams":[{"id":"a","x":[1,{"y":null}]}],"user":{"level":"x"}}
            """#
        let feed = try read(Feed.self, json)
        #expect(feed.extra == ["colour": "red"])
        #expect(feed.unknownMembers == ["colour", "location.floor", "user.level", "datastreams[0].x"])
        #expect(try JSONValue(parsing: HeliumJSONEncoder().encode(feed)) == JSONValue(parsing: json))
        var titled = feed
        titled.title = "kept"
        titled.extra["title"] = "lost"
        #expect(try JSONValue(parsing: HeliumJSONEncoder().encode(titled))["title"] == "kept")
    }

    @Test("the first of two members with one name counts")
    func duplicates() throws {
        let feed = try HeliumJSONDecoder().decode(Feed.self, from: #"{"title":"a","x":1,"title":"b","x":2}"#)
        #expect(feed.title == "a" && feed.extra == ["x": 1])
    }
}

@Suite("Version 1 of Cosm's JSON")
struct Version1Tests {
    @Test(
        "the first of a datastream's values in version 1 counts, wherever the version is",
        arguments: [
            #"{"version":"0.6-alpha","datastreams":[\#(stream)]}"#, #"{"datastreams":[\#(stream)],"version":"0.6"}"#,
        ]
    )
    func values(json: String) throws {
        let stream = try #require(try read(Feed.self, json).datastreams?.first)
        #expect(stream.currentValue == "129" && stream.maximumValue == "658.0" && stream.minimumValue == "0.0")
        #expect(stream.at == Timestamp("2011-02-22T14:28:50Z") && stream.extra.isEmpty)
    }

    private static let stream = #"""
        {"id":"0","values":[{"value":129,"recorded_at":"2011-02-22T14:28:50Z","min_value":"0.0","max_value":"658.0"}]}
        """#

    @Test("values in version 1 may be an object, empty or missing")
    func odd() throws {
        let feed = try read(
            Feed.self,
            #"{"version":"0.6-alpha","datastreams":[{"id":"1","values":{}},{"id":"2"},{"id":"3","values":[]}]}"#
        )
        #expect(feed.datastreams == [Datastream(id: "1"), Datastream(id: "2"), Datastream(id: "3")])
    }

    @Test("values are an unknown member in version 2, unless version 1 is stated")
    func otherwise() throws {
        let json = Data(#"{"datastreams":[{"id":"0","values":[{"value":"1"}]}]}"#.utf8)
        let feed = try CosmFormat.json.decode(Feed.self, from: json)
        #expect(feed.unknownMembers == ["datastreams[0].values"])
        let old = try CosmFormat.json.decode(Feed.self, from: json, dialect: .version1)
        #expect(old.datastreams == [Datastream(id: "0", currentValue: "1")])
        let wrapped = Data(#"{"version":"0.6-alpha","datastreams":[{"id":"0","values":[{"value":"1"}]}]}"#.utf8)
        #expect(try CosmFormat.json.decode([Datastream].self, from: wrapped).first?.currentValue == "1")
    }

    @Test("other members of values in version 1 are kept and reported")
    func more() throws {
        let feed = try read(
            Feed.self,
            #"{"version":"0.6","datastreams":[{"id":"0","values":[{"value":"1","colour":"red"},{"value":"2"}]}]}"#
        )
        #expect(feed.datastreams?.first?.currentValue == "1")
        #expect(feed.unknownMembers == ["datastreams[0].values"])
    }

    @Test("invalid values in version 1 are an error")
    func refused() {
        for values in ["5", #"[{"recorded_at":"soon"}]"#, #"[{"value":{}}]"#] {
            let json = #"{"version":"0.6","datastreams":[{"values":\#(values)}]}"#
            #expect(throws: DecodingError.self) { try HeliumJSONDecoder().decode(Feed.self, from: json) }
        }
    }
}

@Suite("Keys of Cosm")
struct SecrecyTests {
    @Test("a key is in its document, and in no description or reflection")
    func hidden() throws {
        let key = try HeliumJSONDecoder().decode(APIKey.self, from: #"{"api_key":"very-secret-key","label":"x"}"#)
        #expect(key.key?.value == "very-secret-key")
        var dumped = ""
        dump(key, to: &dumped)
        #expect(!dumped.contains("very-secret") && !"\(key)".contains("very-secret"))
        let user = User(login: "ann", apiKey: "very-secret-key")
        #expect(!"\(user)".contains("very-secret"))
        #expect(try HeliumJSONEncoder().encodeToString(key) == #"{"api_key":"very-secret-key","label":"x"}"#)
    }

    @Test("the secret of a key is decoded from key and api_key, and access methods in any letter case")
    func names() throws {
        let key = try read(
            APIKey.self,
            #"{"key":"k","permissions":[{"access_methods":["GET","put"],"resources":null}]}"#
        )
        #expect(key.key == "k" && key.permissions?.first?.accessMethods == [.get, .put])
        #expect(try read(APIKey.self, #"{"key":"old","api_key":"new"}"#).key == "new")
        #expect(try read(APIKey.self, #"{"api_key":"new","key":"old"}"#).key == "new")
    }
}
