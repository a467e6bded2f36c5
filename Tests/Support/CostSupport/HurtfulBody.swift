import FuzzSupport
import HeliumCompression

/// A body of the largest size that a call takes, in a shape that costs as much as possible: many members, many marks, long
/// strings, deep values, many rows.
struct HurtfulBody: CustomStringConvertible {
    /// The media type.
    let type: String
    /// The coding of the content: `nil` or `gzip`.
    let coding: String?
    let bytes: [UInt8]
    let description: String

    private init(_ pattern: CostPattern, _ type: String, bytes count: Int, isPacked: Bool = false) {
        let input = Array(pattern.input(bytes: count - 256).prefix(count))
        self.type = type
        coding = isPacked ? "gzip" : nil
        bytes = isPacked ? Gzip.compressed(input) : input
        description = "\(pattern) of \(count) bytes\(isPacked ? ", packed to \(bytes.count)" : "") as \(type)"
    }

    /// The bodies for the calls of one protocol, of which the largest body has `bytes` bytes.
    ///
    /// The short ones may be accepted where the longest is not: their responses show how much a text grows. Packed ones are
    /// sent to Cosm only, which is alone in unpacking them: as large as it takes, and far larger.
    static func all(for taker: Taker, largest bytes: Int) -> [Self] {
        var shapes = json.map { ($0, "application/json") }
        switch taker {
        case .cosm: shapes += csv.map { ($0, "text/csv") } + xml.map { ($0, "application/xml") }
        case .document: shapes += form.map { ($0, formType) }
        case .upload: shapes += form.map { ($0, formType) } + multipart.map { ($0, "multipart/form-data; boundary=b") }
        }
        return shapes.flatMap { shape, type in
            let pattern = CostPattern(shape)
            let plain = [4_096, 32_768, bytes].map { HurtfulBody(pattern, type, bytes: $0) }
            guard taker == .cosm else { return plain }
            return plain + [65_536, 8 * bytes].map { HurtfulBody(pattern, type, bytes: $0, isPacked: true) }
        }
    }

    /// The kinds of bodies that a call takes.
    enum Taker: Hashable {
        case document, upload, cosm

        init(_ path: String) {
            let isUpload = path.hasSuffix("/files") || path.contains("/files/") || path.hasSuffix("/avatar")
            self = path.hasPrefix("/v2/") ? .cosm : isUpload ? .upload : .document
        }
    }

    static let clause = #"{"object_type":"post","field":"/data/id","operator":"equals","value":"1"}"#
    private static let formType = "application/x-www-form-urlencoded"

    private static let json = [
        #"{‹"a¤":1,›"text":"a","title":"a","type":"a.b"}"#, #"{"text":"‹a b ›","type":"a.b","title":"‹a b ›"}"#,
        #"[‹{"a":1},›1]"#, #"{"text":‹[›‹]›,"type":"a.b"}"#,
        "{\"text\":\"‹\u{301}\u{316}›\",\"title\":\"‹\u{301}\u{316}›\",\"type\":\"a.b\"}",
        #"{"text":"‹@a #b http://a.example/ ›","type":"a.b"}"#,
        #"{"text":"a","type":"a.b","annotations":[‹{"type":"a.b¤","value":{}},›{"type":"a.b","value":{}}]}"#,
        #"{"text":"a","raw":{‹"a.b¤":[{}],›"a.b":[{}]}}"#,
        #"{"type":"a.b","text":"a","annotations":[{"type":"a.b","value":{"c":[‹{"+net.app.core.place":{"factual_id":"¤"}},›1]}}]}"#,
        #"{"type":"a.b","readers":{"user_ids":[‹"1",›"1"]},"writers":{"user_ids":[‹"@a¤",›"1"]}}"#,
        #"{"type":"a.b","acl":{"read":{"user_ids":[‹"1",›"1"]}}}"#, #"{"text":"a","destinations":[‹"@a¤",›"1"]}"#,
        #"{"text":"‹[a](http://b.example/) ›","entities":{"parse_markdown_links":true}}"#,
        #"{"description":{"text":"‹[a](http://b.example/) ›","entities":{"parse_markdown_links":true}}}"#,
        #"{"text":"a","entities":{"links":[‹{"pos":0,"len":1,"url":"http://a.example/"},›1]}}"#,
        #"{"prompt":"a","type":"a.b","duration":60,"options":[‹{"text":"a¤"},›{"text":"a"}]}"#,
        #"{"name":"a","match_policy":"include_any","clauses":[‹\#(clause),›\#(clause)]}"#,
        #"{"name":"‹a›","match_policy":"include_any","clauses":[\#(clause)]}"#,
        #"{"object_types":["post"],"type":"long_poll","key":"‹a›"}"#,
        #"[‹{"name":"a¤","id":"1"},›{"name":"global","id":"1"}]"#, #"{"positions":[‹1,›1]}"#,
        #"{"note":"‹a›","presence":"‹a›","reason":"spam"}"#,
        #"{"title":"a","tags":[‹"t¤",›"a"]}"#, #"{"title":"a","datastreams":[‹{"id":"d¤"},›{"id":"a"}]}"#,
        #"{"title":"a","datastreams":[{"id":"a","datapoints":[‹{"at":"2013-01-01T00:00:00Z","value":"¤"},›{"at":"2013-01-01T00:00:01Z","value":"1"}]}]}"#,
        #"{"datapoints":[‹{"at":"2013-01-01T00:00:00Z","value":"¤"},›{"at":"2013-01-01T00:00:01Z","value":"1"}]}"#,
        #"{"datastreams":[‹{"id":"d¤","current_value":"1","tags":["a","b"]},›{"id":"a","current_value":"1"}]}"#,
        #"{"key":{"label":"a","permissions":[‹{"access_methods":["get"],"resources":[{"feed_id":¤}]},›{"access_methods":["get"]}]}}"#,
        #"{"environment_id":"1","stream_id":"a","trigger_type":"gt","threshold_value":"1","url":"http://a.example/‹a›"}"#,
        #"{"environment_id":"1","stream_id":"a","trigger_type":"gt","threshold_value":"‹1›","url":"http://a.example/"}"#,
        #"{"key":{"label":"‹a›","permissions":[{"access_methods":["get"]}]}}"#,
        #"{"user":{"login":"a","full_name":"‹a›"}}"#, #"{"at":"2013-01-01T00:00:00Z","value":"‹1›"}"#,
        #"[‹{"ts":¤000,"value":1},›{"ts":0,"value":1}]"#,
    ]
    private static let form = ["‹a¤=1&›", "text=‹a+›", "text=‹%CC%81%CC%96›", "‹text=a&›type=a.b"]
    private static let csv = [
        "‹a¤,1\n›", "‹\n›", "‹,›", "‹a,1\n›", "\"‹a›\",1", "‹2013-01-01T00:00:00Z,¤\n›",
        "‹a,2013-01-01T00:00:00Z,¤\n›",
    ]
    private static let xml = [
        "<eeml><environment>‹<data id='d¤'/>›</environment></eeml>", "‹<a>›", "<eeml ‹a¤='b' ›/>",
        "<eeml><environment><title>‹&#769;&#790;›</title></environment></eeml>",
        "<eeml><environment>‹<data id='d¤'><current_value>1</current_value><tag>a</tag></data>›</environment></eeml>",
        "<eeml><environment><data id='a'><datapoints>‹<value at='2013-01-01T00:00:00Z'>¤</value>›</datapoints></data></environment></eeml>",
    ]
    private static let multipart = [
        "--b\r\nContent-Disposition: form-data; name=\"content\"; filename=\"a\"\r\n\r\n‹a›\r\n--b--",
        "‹--b\r\nContent-Disposition: form-data; name=\"a¤\"\r\n\r\na\r\n›--b--",
        "--b\r\n‹A¤: b\r\n›\r\n\r\na\r\n--b--",
    ]
}
