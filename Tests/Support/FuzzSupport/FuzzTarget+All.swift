extension FuzzTarget {
    /// Everything that is fuzzed.
    package static let all: [FuzzTarget] = [
        events, lines, links, references, redirects, templates, multipart, retryAfter, contentRanges, dates, mediaTypes,
        errorBodies, archives, json, cosmJSON, cosmCSV, cosmXML, conAirReply, conAirChart,
        appNetJSON, appNetText, appNetFrames, appNetErrors, oauthResponses, challenges, tokenStores,
        responseHeads, bodyFraming, http1Responses, http2, downloadValidators, downloadRecords,
        middlewareTimestamps, middlewareKeys, webSocketFrames, upgradeResponses, jsonObjects,
        beastSearch, beastPattern, beastImport, jetstreamServer, jetstreamScopes, jetstreamClient,
    ]

    /// The target of this name.
    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

    static let events = FuzzTarget(
        "events",
        examples: [
            "data: a\n\n", "\u{FEFF}event: b\r\nid: 1\r\nretry: 2000\r\ndata: c\r\ndata: d\r\n\r\n",
            ": comment\rdata\r\rdata:e\n\n", "id: \0\ndata: f\n\nid\ndata: g\n\n",
        ],
        pieces: LineStreamFuzz.eventPieces,
        check: LineStreamFuzz.serverSentEvents
    )

    static let lines = FuzzTarget(
        "lines",
        examples: ["{\"a\":1}\n{\"b\":2}\r\n\n{\"c\":3}", "a\rb\r\nc\n"],
        pieces: LineStreamFuzz.linePieces,
        check: LineStreamFuzz.lines
    )

    static let links = FuzzTarget(
        "links",
        examples: [
            "<https://api.example.com/?page=2>; rel=\"next\", </?page=9>; rel=last; title*=UTF-8''%e2%82%ac",
            "<a>;rel=\"next prev\";anchor=\"#b\";title=\"c\\\"d\"",
        ],
        pieces: PaginationFuzz.linkPieces,
        check: PaginationFuzz.linkHeader
    )

    static let references = FuzzTarget(
        "references",
        examples: [
            "https://b.example:8443/a/../b?c=d#e", "//user@b.example/", "../../g;x=1/./y", "?page=2",
            "http://[::1]:80/",
        ],
        pieces: PaginationFuzz.referencePieces,
        check: PaginationFuzz.reference
    )

    static let dates = FuzzTarget(
        "dates",
        examples: [
            "2016-02-12T08:00:07Z", "2016-12-31T23:59:60.123456789+02:00", "0001-01-01", "9999-12-31 23:59:59-2359",
            "1455264007", "-1455264007.5",
        ],
        pieces: ["0", "9", "-", ":", ".", "T", "Z", "+", " ", "99999999999999999999", "1e308", "nan", "٣"],
        check: { fuzzDates($0) }
    )

    static let mediaTypes = FuzzTarget(
        "media-types",
        examples: ["text/html", "application/problem+json; charset=utf-8", "a/b;c=\"d\\\"e\";;f=g"],
        pieces: ["/", ";", "=", "\"", "\\", " ", "\t", "+json", "charset", "é"],
        check: { fuzzMediaTypes($0) }
    )

    static let errorBodies = FuzzTarget(
        "error-bodies",
        examples: [
            "<!doctype html><title>a &amp; b</title><p>c", "<html><!-- x --><script>a<b</script>d", "text",
            #"{"type":"a","status":1,"x":[{"y":null}]}"#,
            #"{"title":"t","detail":"d","instance":"/i","errors":[{"code":1,"message":"m"}]}"#,
        ],
        pieces: [
            "<", ">", "<!--", "-->", "</", "&#x110000;", "&amp", "{", "}", "\"", "[", "]", ":", ",", "\\ud800", "1e999",
            "[[[[[[[[[[[[[[[[", "\0", "é",
        ],
        check: { fuzzErrorBodies($0) }
    )

    static let archives = FuzzTarget(
        "har",
        examples: [
            #"{"log":{"version":"1.2","creator":{"name":"Helium","version":"0"},"entries":[]}}"#,
            #"{"log":{"version":"1.2","creator":{"name":"H","version":"0"},"entries":[{"startedDateTime":"#
                + #""2016-02-12T08:00:07.000Z","time":12.5,"request":{"method":"GET","url":"https://api.example.com/t?a=b","#
                + #""httpVersion":"HTTP/1.1","headers":[{"name":"Accept","value":"*/*"}],"queryString":[{"name":"a","#
                + #""value":"b"}],"cookies":[],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","#
                + #""httpVersion":"h2","headers":[],"cookies":[],"content":{"size":3,"mimeType":"text/plain","text":"AP+A","#
                + #""encoding":"base64"},"redirectURL":"","headersSize":-1,"bodySize":-1},"cache":{},"timings":{"send":0,"#
                + #""wait":6.5,"receive":2}}]}}"#,
        ],
        pieces: [
            "null", "true", "-1", "1e999", "99999999999999999999", "\"\"", "{}", "[]", "\\u0000", "\\ud800", "://", "%",
            "]", "}", "\"", ",", "[[[[[[[[[[[[[[[[", "base64", "\u{FEFF}",
        ],
        check: { fuzzHAR($0) }
    )
}
