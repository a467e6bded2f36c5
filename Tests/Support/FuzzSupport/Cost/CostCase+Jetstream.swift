// What reads Jetstream's frames on either side, and scope files. `@1` stands for an identifier, as in the fuzz targets.
extension CostCase {
    static let jetstream: [CostCase] = [
        CostCase(
            "jetstream-server",
            slots: [
                "‹›", #"{"type":"‹›","index":2}"#, #"{"type":"ScopeFetch","index":2,"name":"‹›"}"#,
                #"{"type":"ScopeSync","index":2,"scopeIndex":0,"atomic":true,"procedure":"Node.‹›","fragments":[]}"#,
                sync(change(#""text":"‹›""#)), sync(change(#""tags":["‹›"]"#)), sync(change(#""due":"‹›""#)),
                sync(change(#""‹›":1"#)), sync(#"{"type":"add","uuid":"‹›","clsName":"‹›","properties":{}}"#),
            ],
            repeated: frames + [
                #"[‹{"type":"ScopeFetch","index":¤,"name":"Graph"},›{}]"#,
                #"[‹{"type":"ScopeFetch","index":¤,"name":"None"},›{}]"#,
                #"[‹{"type":"Ping","index":0,"ack":0,"resendMissing":true},›{}]"#,
                #"[‹{"type":"ScopeSync","index":¤,"scopeIndex":0,"fragments":[]},›{}]"#,
                #"[‹{"type":"ScopeSync","index":¤,"scopeIndex":0,"fragments":[\#(change(#""next":null"#))]},›{}]"#,
                #"‹{"type":"ScopeSync","index":¤,"scopeIndex":0,"fragments":[\#(change(#""nodes":["@2"]"#))]}"# + "\n›",
                sync(#"‹\#(node("add", #""next":"@2""#)),\#(change(#""nodes":["\#(id)"]"#)),›\#(change(""))"#),
            ]
        ) {
            try JetstreamHostingFuzz.frames($0, isMeasured: true)
        },
        CostCase(
            "jetstream-client",
            slots: [
                "‹›", #"{"type":"‹›","index":3}"#, #"{"type":"SessionCreateReply","index":0,"error":{"message":"‹›"}}"#,
                #"{"type":"ScopeSyncReply","index":3,"replyTo":2,"fragmentReplies":[{"error":{"message":"‹›","type":"‹›"}}]}"#,
                sync(change(#""text":"‹›""#)), sync(change(#""tags":["‹›"]"#)), sync(change(#""due":"‹›""#)),
                sync(change(#""‹›":1"#)), sync(#"{"type":"add","uuid":"@3","clsName":"‹›","properties":{}}"#),
            ],
            repeated: frames + [
                #"[{"type":"ScopeSyncReply","index":3,"replyTo":4,"fragmentReplies":[‹{},›{}]}]"#,
                #"[{"type":"ScopeSyncReply","index":3,"replyTo":2,"fragmentReplies":[{"modifications":{‹"n¤":1,›"a":1}}]}]"#,
                #"[{"type":"ScopeState","index":3,"scopeIndex":0,"rootUUID":"@6","fragments":[‹\#(node("add", "")),›{}]}]"#,
                sync(#"‹{"type":"add","uuid":"\#(id)","clsName":"None","properties":{"a":["\#(id)"]}},›{}"#),
                "‹!c\n›", "‹!e\n›",
            ]
        ) {
            try JetstreamClientFuzz.frames($0, isMeasured: true)
        },
        CostCase(
            "jetstream-acknowledgements",
            slots: [],
            repeated: [
                #"[{"type":"Ping","index":0,"ack":0}‹,{"type":"Ping","index":0,"ack":¤}›]"#,
                #"‹{"type":"Ping","index":0,"ack":¤}"# + "\n›",
            ]
        ) {
            JetstreamHostingFuzz.acknowledgements($0)
        },
        CostCase(
            "jetstream-scopes",
            slots: [
                "‹›", #"{"classes":{"A":{"properties":{"‹›":"string"}}},"scopes":{"S":{"root":"A"}}}"#,
                #"{"classes":{"A":{"properties":{"a":"‹›"}}},"scopes":{"S":{"root":"A"}}}"#,
                #"{"classes":{"A":{"properties":{"a":"string"}}},"scopes":{"‹›":{"root":"A","initial":{"a":"‹›"}}}}"#,
            ],
            repeated: [
                #"{"classes":{‹"C¤":{"properties":{}},›"A":{"properties":{}}},"scopes":{"S":{"root":"A"}}}"#,
                #"{"classes":{‹"C¤":{"inherits":"C¤","properties":{}},›"A":{}},"scopes":{}}"#,
                #"{"classes":{"A":{"properties":{‹"p¤":"A",›"a":"string"}}},"scopes":{"S":{"root":"A"}}}"#,
                #"{"enumerations":{"K":{"type":"number","values":[‹¤,›1]}},"classes":{"A":{"properties":{"k":"K"}}},"#
                    + #""scopes":{"S":{"root":"A"}}}"#,
                #"{"classes":{"A":{"properties":{"b":["A"]}}},"scopes":{"S":{"root":"A","initial":{"b":[‹{},›{}]}}}}"#,
                #"{"classes":{"A":{"properties":{}}},"scopes":{‹"S¤":{"root":"A"},›"S":{"root":"A"}}}"#,
                #"{"classes":{"A":{"properties":{"n":"A"}}},"scopes":{"S":{"root":"A","initial":‹{"n":›{}}}}"#,
            ]
        ) {
            try JetstreamHostingFuzz.file($0)
        },
    ]

    /// Frames that either side takes.
    private static let frames = [
        #"[‹{"type":"Ping","index":0,"ack":1},›{}]"#, "‹{}\n›", "[‹{},›{}]", "[‹[›",
        sync(#"‹\#(node("add", #""next":"\#(id)""#)),›{}"#), sync(#"‹\#(node("change", "")),›{}"#),
        sync(#"‹\#(change(#""next":"@2""#)),›{}"#), sync(change(#""nodes":[‹"@2",›"@1"]"#)),
        sync(change(#""nodes":[‹"\#(id)",›"@1"]"#)), sync(change(#""tags":[‹"t¤",›"a"]"#)),
        sync(change(#"‹"n¤":1,›"text":"a""#)),
        sync(#"‹\#(node("add", "")),›\#(change(#""nodes":[‹"\#(id)",›"@1"]"#))"#),
    ]

    /// A number's identifier.
    private static let id = "00000000-0000-4000-8000-00000¤"

    private static func node(_ type: String, _ properties: String) -> String {
        #"{"type":"\#(type)","uuid":"\#(id)","clsName":"Node","properties":{\#(properties)}}"#
    }

    private static func change(_ properties: String) -> String {
        #"{"type":"change","uuid":"@1","clsName":"Node","properties":{\#(properties)}}"#
    }

    private static func sync(_ fragments: String) -> String {
        #"[{"type":"ScopeSync","index":3,"scopeIndex":0,"fragments":[\#(fragments)]}]"#
    }
}
