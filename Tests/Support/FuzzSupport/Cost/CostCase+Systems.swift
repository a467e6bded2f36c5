import AppNet
import ConAir
import Cosm
import Foundation
import HeliumJSON

// What reads the documents of Cosm, App.net and pnut.io.
extension CostCase {
    static let systems: [CostCase] = [
        CostCase(
            "cosm-json",
            slots: [
                "‹›", #"{"id":1,"title":"‹›","tags":["‹›"],"private":"‹›"}"#, #"{"id":1,"‹›":1}"#,
                #"{"id":1,"datastreams":[{"id":"‹›","current_value":"‹›","at":"‹›","unit":{"type":"‹›"}}]}"#,
                #"{"datastreams":[{"id":"a"}],"version":"0.6‹›"}"#,
            ],
            repeated: [
                #"{"id":1,"datastreams":[‹{"id":"¤"},›{"id":"a"}]}"#, #"{"id":1,‹"n¤":1,›"title":"a"}"#,
                #"{"id":1,"tags":[‹"t¤",›"a"]}"#, #"{"id":1,"tags":"‹t¤,›a"}"#,
                #"{"totalResults":1,"results":[‹{"id":¤},›{"id":1}]}"#,
                #"{"id":1,"datastreams":[{"id":"a","datapoints":[‹{"at":"2013-02-01T09:00:02Z","value":"1"},›{"value":"1"}]}]}"#,
            ]
        ) {
            try cosm($0, .json)
        },
        CostCase(
            "conair-reply",
            slots: [
                "‹›", #"[{"ts":"‹›","value":1}]"#, #"[{"ts":"2012-12-11 20:28:00 +0000","value":"‹›"}]"#,
                #"[{"‹›":1}]"#, #"[{"ts":"2012-12-11T20:28:00.‹›Z","value":1}]"#,
            ],
            repeated: [
                #"[‹{"ts":"2012-12-11 20:28:00 +0000","value":¤},›{}]"#, #"[‹{"ts":"¤","value":1},›{}]"#,
                #"[{‹"n¤":1,›"value":1}]"#, #"[{‹"ts":"2012-12-11 20:28:00 +0000",›"value":1}]"#, "[‹null,›null]",
            ]
        ) {
            _ = try HeliumJSONDecoder().decode(ReplyDocument.self, from: $0)
        },
        CostCase(
            "cosm-csv",
            slots: ["‹›", "‹›,1", "a,‹›", "a,\"‹›\"", "a,2013-02-01T09:00:02Z,‹›", "2013-02-01T09:00:02Z,‹›"],
            repeated: [
                "‹a¤,1\n›", "‹a,2013-02-01T09:00:02Z,1\n›", "‹1,›1", "‹\r\n›", "‹2013-02-01T09:00:02Z,1\n›",
                "‹a,\"1\"\n›",
            ]
        ) {
            try cosm($0, .csv)
        },
        CostCase(
            "cosm-xml",
            slots: [
                "‹›", eeml("<title>‹›</title>"), eeml(#"<tag>‹›</tag><private>‹›</private>"#),
                eeml(#"<data id="‹›"/>"#),
                eeml(#"<data id="a"><current_value at="‹›">‹›</current_value></data>"#), eeml("<![CDATA[‹›]]>"),
                eeml("<!--‹›-->"), #"<?xml version="1.0" encoding="‹›"?><eeml/>"#, "<!DOCTYPE ‹›><eeml/>",
                "<eeml ‹›='a'/>", eeml("<‹›/>"), eeml("<a:‹›/>"), "<eeml version='5‹›'><environment id='1'/></eeml>",
                "<eeml xmlns='http://www.eeml.org/xsd/005‹›'><environment id='1'/></eeml>",
            ],
            repeated: [
                "‹<a>›", "<eeml ‹a¤=\"b\" ›/>", "<eeml ‹a='b' ›/>", eeml(#"‹<data id="¤"/>›"#), eeml(#"‹<data>›"#),
                eeml("‹<tag>a¤</tag>›"),
                eeml("‹<x¤/>›"),
                eeml(#"<data id="a"><datapoints>‹<value at="2013-02-01T09:00:02Z">1</value>›</datapoints></data>"#),
                "<eeml ‹xmlns:a¤=\"b\" ›/>", "‹<!-- -->›", "‹<?a b?>›", "‹<a></a>›", "‹</a>›",
                eeml("‹<title>a</title>›"), eeml("‹&#65;›"),
                eeml("‹<data id=\"a\" b¤=\"c\" d=\"e\"/>›"),
            ]
        ) {
            try cosm($0, .xml)
        },
        CostCase(
            "cosm-frames",
            slots: [
                "‹›", #"{"token":"1‹›","status":200,"resource":"/feeds/1‹›"}"#, #"{"status":400,"body":"‹›"}"#,
                #"{"token":"1","resource":"/feeds/1","body":{"id":1,"title":"‹›","datastreams":[{"id":"a‹›"}]}}"#,
                #"{"resource":"/feeds/1/datastreams/a‹›","body":{"id":"a‹›"}}"#,
                #"{"resource":"/‹›/1/datastreams/a","body":{"id":"a"}}"#,
                #"{"resource":"/v2/feeds/‹›/datastreams/a","body":{"id":"a"}}"#,
                #"{"status":200,"headers":{"a‹›":"‹›"},"body":{"a‹›":"‹›"}}"#,
            ],
            repeated: [
                #"{"resource":"/feeds/1","body":{"id":1,"datastreams":[‹{"id":"a¤"},›{"id":"b"}]}}"#,
                #"{"status":200,"headers":{‹"a¤":"b",›"c":"d"}}"#,
            ]
        ) {
            _ = try SocketFrame(String(decoding: $0, as: UTF8.self))
        },
        CostCase(
            "appnet-json",
            slots: [
                "‹›", #"{"data":{"id":"1","text":"‹›","channel_id":"‹›"},"meta":{"code":200}}"#,
                #"{"data":{"id":"1","‹›":1}}"#,
                #"{"meta":{"code":400,"error_message":"‹›","error_slug":"‹›","error_id":"‹›"}}"#,
                #"{"data":{"id":"1","type":"‹›","username":"‹›","annotations":[{"type":"‹›","value":{"‹›":1}}]}}"#,
                #"{"data":{"id":"1","text":"a","entities":{"links":[{"url":"‹›","pos":0,"len":1,"text":"‹›"}]}}}"#,
                #"{"data":{"id":"1","text":"a{‹›","entities":{"links":[{"url":"http://a‹›","pos":0,"len":1}]}}}"#,
                #"{"data":{"id":"1","text":"a","annotations":[{"type":"n‹›","value":{"‹›":1}}]}}"#,
                #"{"data":{"id":"1","text":"a","annotations":[{"type":"net.app.core.‹›","value":{}}]}}"#,
                #"{"data":{"id":"1","is_deleted":"t‹›","machine_only":"1‹›"}}"#,
                #"{"data":{"id":"1"},"meta":{"code":200,"more":"t‹›","subscription_id":"a‹›","type":"p‹›"}}"#,
            ],
            repeated: [
                #"{"data":[‹{"id":"¤"},›{"id":"1"}]}"#, #"{"data":{"id":"1",‹"n¤":1,›"a":1}}"#,
                #"{"data":{"id":"1","text":"a","entities":{"links":[‹{"url":"u","pos":0,"len":1},›{}]}}}"#,
                #"{"data":{"id":"1","annotations":[‹{"type":"t¤","value":{}},›{}]}}"#,
            ]
        ) { bytes in
            let data = Data(bytes)
            for kind in AppNetDocumentKind.all where ["message", "post", "user", "channel", "file"].contains(kind.name)
            {
                for shape: AppNetDocumentKind.Shape in [[.envelope], [.envelope, .list]] {
                    guard let document = try? kind.read(data, shape: shape) else { continue }
                    _ = document.value.data()
                }
            }
            guard let value = try? JSONValue(parsing: data) else { return }
            for type in [Message.self, AppNetChannel.self, AppNetUser.self] as [any AppNetObject.Type] {
                _ = (try? PnutMembers.appNetForm(of: value, as: type), try? PnutMembers.pnutForm(of: value, as: type))
            }
            guard let message = try? HeliumJSONDecoder().decode(Message.self, from: data, at: ["data"]) else { return }
            if let annotations = message.annotations {
                _ = (annotations.ofType("net.app.core"), try? annotations.first(of: Geolocation.self))
                _ = annotations.all(of: Geolocation.self)
            }
            if let text = message.text, let entities = message.entities {
                _ = (entities.html(of: text), entities.attributedString(of: text))
                _ = entities.links?.map(\.hostWarning)
            }
            // A long text or many annotations are refused before others are looked at.
            var rules = ServiceConfiguration.documented
            rules.message = ServiceConfiguration.Limits(annotationBytes: .max, textLength: .max)
            try? rules.validate(message)
        },
        CostCase(
            "appnet-events",
            slots: [
                #"{"meta":{"subscription_ids":["a‹›"],"connection_id":"a‹›","type":"m‹›"},"data":{"id":"1","text":"‹›"}}"#,
                #"{"meta":{"subscription_id":"a‹›","is_deleted":"t‹›","deleted_id":"a‹›"}}"#, #"{"control":"‹›"}"#,
                #"{"meta":{"type":"star","id":"a‹›"},"data":{"post":{"id":"a‹›"},"user":{"id":"1","a‹›":1}}}"#,
                #"{"meta":{"type":"message"},"data":[{"id":"a‹›","channel_id":"a‹›"}]}"#,
            ],
            repeated: [
                #"{"meta":{"subscription_ids":[‹"¤",›"a"]},"data":[]}"#,
                #"{"meta":{"type":"post"},"data":[‹{"id":"¤"},›{"id":"1"}]}"#,
            ]
        ) { bytes in
            let data = Data(bytes)
            for dialect in AppNetDialect.allCases {
                _ = try? EventFrame(data, dialect: dialect).subscriptionIDs
                let event = try? StreamEvent(frame: data, dialect: dialect)
                _ = event?.kind == .post
            }
        },
        CostCase(
            "appnet-sign-in",
            slots: ["state=s‹›&code=1", "error=a‹›", "a‹›=1"],
            repeated: ["state=s‹%cc%81%cc%96›&code=1", "a‹%cc%81%cc%96›=1", "‹a¤=b&›code=1", "code=‹+›"]
        ) { bytes in
            let signIn = try WebSignIn(
                clientID: "a",
                redirectURI: "app://a",
                scopes: [],
                state: "s",
                dialect: .pnut
            )
            guard let url = URL(string: "app://a?" + String(decoding: bytes, as: UTF8.self)) else { return }
            _ = (try? signIn.code(from: url), try? signIn.grant(from: url))
        },
        CostCase(
            "appnet-text",
            slots: ["‹›", "a‹›", "@‹›", "#‹›", "[a](‹›)", "http://a.b/‹›"],
            repeated: [
                "‹@a ›", "‹#a ›", "‹[a](http://b.com) ›", "‹http://a.com ›", "‹a.com/›", "‹a.›", "‹[a](›", "‹](›",
                "‹@›", "‹#›", "‹http://›",
                "‹(a.com›", "‹é.com ›", "‹\u{1F600}\u{200D}›", "‹a.com,›", "http://a.com/‹)›", "http://a.com/‹.›",
                "‹@a:›", "‹[a](x›", "‹a!›", "‹a.com/(›", "‹[a](http://b›",
            ]
        ) { bytes in
            let input = String(decoding: bytes, as: UTF8.self)
            for processor in [TextProcessor(), TextProcessor(parsesMarkdownLinks: true, amendsLinks: true)] {
                let processed = processor.process(input)
                guard let text = processed.text, let entities = processed.entities else { continue }
                _ = (entities.html(of: text), entities.attributedString(of: text))
            }
        },
    ]

    private static func eeml(_ inside: String) -> String {
        #"<eeml xmlns="http://www.eeml.org/xsd/0.5.1" version="0.5.1"><environment id="1">\#(inside)</environment></eeml>"#
    }

    /// Reads a document as one kind of each shape, and writes what was read in each format.
    private static func cosm(_ bytes: [UInt8], _ format: CosmFormat) throws {
        let data = Data(bytes)
        for kind in CosmDocumentKind.all where ["cosm.feeds", "cosm.triggers", "cosm.key"].contains(kind.name) {
            _ = try? kind.read(data, as: format, dialect: .stated).value.text()
        }
        rewrite(Feed.self, data, format)
        rewrite([Datastream].self, data, format)
        rewrite([Datapoint].self, data, format)
        _ = Timestamp(String(decoding: bytes, as: UTF8.self))
    }

    private static func rewrite<Value: CosmDocument>(_ type: Value.Type, _ data: Data, _ format: CosmFormat) {
        guard let value = try? Value.read(data, as: format, dialect: .guessed).value else { return }
        for format in CosmFormat.allCases { _ = try? value.encoded(as: format) }
    }
}
