package import Cosm
import Foundation

extension FuzzTarget {
    static let cosmJSON = FuzzTarget(
        "cosm-json",
        examples: [
            #"{"id":91,"title":"Shed","private":"false","tags":["a","b"],"location":{"lat":"51.2","lon":-0.4,"ele":80},"#
                + #""datastreams":[{"id":"t","current_value":20.5,"at":"2013-02-01T09:00:02.000000Z","unit":{"symbol":"C"}}]}"#,
            #"{"totalResults":"2","startIndex":0,"results":[{"id":"1"},{"id":2,"status":"frozen"}]}"#,
            #"{"totalResults":9,"startIndex":9223372036854775807,"results":[{"id":"1"}]}"#,
            #"{"version":"0.6-alpha","datastreams":[{"id":"0","values":[{"value":"1","min_value":"0"}]},{"values":{}}]}"#,
            #"{"datapoints":[{"at":"2010-05-20T11:01:46Z","value":"294"},{"value":null}]}"#,
            #"{"key":{"label":"l","permissions":[{"access_methods":["GET"],"resources":[{"feed_id":"1"}]}]}}"#,
            #"[{"id":1,"environment_id":"2","stream_id":"s","trigger_type":"gt","notified_at":""}]"#,
            #"[{"user":{"login":"ann","roles":["a"],"feeds_count":"3"}}]"#,
        ],
        pieces: CosmFuzz.jsonPieces,
        check: { try CosmFuzz.document($0, as: .json) }
    )

    static let cosmCSV = FuzzTarget(
        "cosm-csv",
        examples: [
            "temp,2013-02-01T09:00:02.000000Z,20.5\nnote,2013-02-01T08:59:00.000000Z,\"door open, again\"\n",
            "a,1\r\nb, \" 2 \" \r\n", "2013-02-01T09:00:02Z,1\n2013-02-01T09:00:03Z,2", "15,912,327",
        ],
        pieces: [
            ",", "\n", "\r\n", "\"", "\"\"", " ", "\t", "a", "1", "2013-02-01T09:00:02Z", "-06", "\0", "é", "\u{FEFF}",
        ],
        check: { bytes in
            try CosmFuzz.document(bytes, as: .csv)
            try CosmFuzz.rows(bytes)
        }
    )

    static let cosmXML = FuzzTarget(
        "cosm-xml",
        examples: [
            #"<eeml xmlns="http://www.eeml.org/xsd/0.5.1" version="0.5.1"><environment id="1"><title>S</title><tag>a</tag>"#
                + #"<location domain="physical"><name>G</name><lat>1</lat><lon/></location><data id="t"><current_value "#
                + #"at="2013-02-01T09:00:02Z">1</current_value><unit type="x" symbol="C">L</unit><datapoints><value "#
                + #"at="2013-02-01T08:00:00Z">2</value></datapoints></data></environment></eeml>"#,
            #"<eeml xmlns="http://www.eeml.org/xsd/005" version="5"><environment><data id="0"><value minValue="0">1"#
                + "</value></data></environment></eeml>",
            #"<key><api-key>k</api-key><permissions><permission><access-methods><access-method>get</access-method>"#
                + "</access-methods></permission></permissions></key>",
            #"<datastream-trigger><id type="integer">1</id><url>http://a/</url></datastream-trigger>"#,
            #"<users type="array"><user><login>ann</login></user></users>"#,
        ],
        pieces: [
            "<", ">", "</", "/>", "=", "\"", "&lt;", "&#x41;", "&a;", "<!DOCTYPE a [<!ENTITY b \"c\">]>", "<![CDATA[",
            "]]>",
            "<!--", "-->", "<?xml version=\"1.0\" encoding=\"UTF-16\"?>", "<data id=\"", "<eeml>", "<environment>",
            "\0", "é",
        ],
        check: { try CosmFuzz.document($0, as: .xml) }
    )
}

/// Reads Cosm's documents, and writes and reads again what was read.
package enum CosmFuzz {
    fileprivate static let jsonPieces = [
        "{", "}", "[", "]", ",", ":", "\"", "null", "true", "\"True\"", "1", "1e999", "-0", "\"\"",
        "\"2013-02-01T09:00:02+01\"",
        "\"at\":", "\"id\":", "\"value\":", "\"tags\":", "\"datastreams\":", "\"datapoints\":", "99999999999999999999",
        "\"startIndex\":", "\"totalResults\":", "\"results\":[{\"id\":1}]", "9223372036854775807",
        "-9223372036854775808",
        "\\ud800",
        "[[[[[[[[",
    ]

    /// Each input is read as one kind, which follows from its length.
    package static func document(_ bytes: [UInt8], as format: CosmFormat) throws {
        let data = Data(bytes)
        switch bytes.count % 8 {
        case 0: try check(Feed.self, data, format)
        case 1: try check(FeedPage.self, data, format)
        case 2: try check(Datastream.self, data, format)
        case 3: try check([Datastream].self, data, format)
        case 4: try check([Datapoint].self, data, format)
        case 5: try check([Trigger].self, data, format)
        case 6: try check([APIKey].self, data, format)
        default: try check([User].self, data, format)
        }
        try timestamp(bytes)
    }

    private static func check<Value: CosmDocument>(_ type: Value.Type, _ data: Data, _ format: CosmFormat) throws {
        for dialect in [CosmDialect.stated, .version1, .guessed] {
            let value: Value
            do {
                value = try Value.read(data, as: format, dialect: dialect).value
            } catch is CosmDocumentError {
                continue
            } catch {
                throw FuzzFinding("\(error) is no CosmDocumentError")
            }
            try checkAgain(value)
            if let page = value as? FeedPage { walk(page) }
        }
    }

    /// Reads the pages of a list of which each is the same one, from the first and from the last possible page.
    private static func walk(_ page: FeedPage) {
        for start in [nil, Int.max] {
            var walk = FeedWalk(query: FeedQuery(page: start), maximumPages: 3)
            while (try? walk.next()) ?? nil != nil { _ = walk.take(page) }
        }
    }

    /// Reads rows in pieces, also after an error, which must be the same from then on.
    package static func rows(_ bytes: [UInt8]) throws {
        var rows = DatapointRows(allowsBareValues: bytes.count.isMultiple(of: 2), maximumRowLength: 64)
        var failure: CosmDocumentError?
        let size = 1 + bytes.count % 13
        for start in stride(from: 0, to: bytes.count, by: size) {
            do throws(CosmDocumentError) {
                _ = try rows.append(Data(bytes[start..<min(start + size, bytes.count)]))
            } catch {
                if let failure, failure != error { throw FuzzFinding("\(error) after \(failure)") }
                failure = error
                continue
            }
            if let failure { throw FuzzFinding("there are rows after \(failure)") }
        }
        _ = try? rows.finish()
    }

    /// Checks that a value that is written without losses is read again unchanged.
    private static func checkAgain<Value: CosmDocument>(_ value: Value) throws {
        for format in CosmFormat.allCases {
            // Numbers that are none, and documents that a format has not.
            guard let written = try? value.encoded(as: format) else { continue }
            guard written.losses.isEmpty else { continue }
            let again: Value
            do {
                again = try Value.read(written.data, as: format, dialect: .stated).value
            } catch {
                throw FuzzFinding("\(format) of \(value) is not read: \(error)")
            }
            guard again == value else { throw FuzzFinding("\(value) becomes \(again) in \(format)") }
        }
    }

    private static func timestamp(_ bytes: [UInt8]) throws {
        guard let stamp = Timestamp(String(decoding: bytes, as: UTF8.self)) else { return }
        guard Timestamp(stamp.description) == stamp else { throw FuzzFinding("\(stamp) is read otherwise") }
    }
}
