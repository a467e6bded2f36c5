internal import HTTPTypes
internal import HeliumEssentials

/// The command line of the `curl` tool that sends the same request as `CurlTransport`.
struct CurlCommand {
    /// The maximum length of a body that is passed as an argument. Longer bodies go through a pipe, because systems
    /// limit one argument, Linux to 128 KiB.
    static let longestArgument = 64 << 10

    private let request: TransportRequest
    private let leavesOutBody: Bool
    private let target: String
    private let scrubber: SecretScrubber?

    /// Creates a command.
    ///
    /// - Parameters:
    ///   - scrubber: Masks the secrets; `nil` shows them.
    ///   - leavesOutBody: Whether the caller adds the options of the body.
    init(_ request: TransportRequest, scrubber: SecretScrubber?, leavesOutBody: Bool) {
        self.request = request
        self.leavesOutBody = leavesOutBody
        self.scrubber = scrubber
        target = scrubber?.target(request.url.target, masksAllValues: true) ?? request.url.target
    }

    /// The command, with one option on each line.
    var text: String {
        let (pipe, body) = bodyOptions
        let options = connectionOptions + methodOptions + targetOptions + fieldOptions + body
        // The first option must be `--disable`, so that the user's configuration file is ignored.
        return (["\(pipe)curl --disable --noproxy '*'"] + options + [ShellWord.quoted(url)]).joined(
            separator: " \\\n  "
        )
    }
}

// MARK: URL

extension CurlCommand {
    private var isTargetSeparate: Bool { !TargetParsing.survives(target) }

    private var url: String { request.url.origin.urlString + (isTargetSeparate ? "/" : target) }

    private var targetOptions: [String] {
        if isTargetSeparate { return ["--request-target \(ShellWord.quoted(target))"] + globOption }
        return globOption + (TargetParsing.hasDotSegments(target) ? ["--path-as-is"] : [])
    }

    private var globOption: [String] { url.contains { "[]{}".contains($0) } ? ["--globoff"] : [] }

    private var connectionOptions: [String] {
        var options: [String] = []
        switch request.version.choice {
        case .automatic: break
        case .http1: options.append("--http1.1")
        case .http2PriorKnowledge:
            options.append(request.url.origin.isSecure ? "--http2" : "--http2-prior-knowledge")
        }
        if let limit = request.timeouts.connect { options.append("--connect-timeout \(CurlCommand.seconds(limit))") }
        if let limit = request.timeouts.total { options.append("--max-time \(CurlCommand.seconds(limit))") }
        return options + (request.acceptsContentCodings ? ["--compressed"] : [])
    }

    /// Returns seconds rounded up to milliseconds, because 0 would mean no limit.
    private static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = max(duration, .milliseconds(1)).withinCentury.components
        var milliseconds = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        let whole = seconds + milliseconds / 1000
        milliseconds %= 1000
        guard milliseconds > 0 else { return "\(whole)" }
        let digits = String(milliseconds)
        return "\(whole).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
    }
}

// MARK: Method, fields and body

extension CurlCommand {
    private var body: Data? { leavesOutBody ? nil : request.sentBody }

    private var hasBody: Bool { body != nil || request.upload != nil }

    private var methodOptions: [String] {
        let implied: HTTPRequest.Method = hasBody ? .post : .get
        if request.method == implied { return [] }
        if request.method == .head, !hasBody { return ["--head"] }
        return ["--request \(ShellWord.quoted(request.method.rawValue))"]
    }

    /// The fields, and the removal of those that the tool would add.
    private var fieldOptions: [String] {
        // The transport's own value, instead of all codings that the tool supports.
        let codings = request.acceptsContentCodings ? TransportRequest.contentCodings : "identity"
        var options = ["--header 'Accept-Encoding: \(codings)'"]
        for field in request.fields where !CurlCommand.transportFields.contains(field.name.canonicalName) {
            options.append("--header \(ShellWord.quoted(line(field)))")
        }
        if let host = TargetParsing.hostField(of: request.url.origin) {
            options.append("--header \(ShellWord.quoted("Host: \(host)"))")
        }
        var added: [HTTPField.Name] = [.userAgent, .accept]
        if hasBody { added += [.expect, .contentType] }
        for name in added where !request.fields.contains(name) { options.append("--header '\(name.rawName):'") }
        if request.upload != nil, request.upload?.length == nil {
            options.append("--header 'Transfer-Encoding: chunked'")
        }
        return options
    }

    private static let transportFields: Set<String> = [
        "host", "content-length", "accept-encoding", "transfer-encoding",
    ]

    private func line(_ field: HTTPField) -> [UInt8] {
        let value = scrubber?.value(of: field) ?? field.withUnsafeBytesOfValue { Array($0) }
        // If the value is empty, the tool would treat a colon as the removal of the field.
        let isEmpty = value.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        return Array(field.name.rawName.utf8) + (isEmpty ? Array(";".utf8) : Array(": ".utf8) + value)
    }

    /// The pipe before the command, and the options of the body.
    private var bodyOptions: (pipe: String, options: [String]) {
        if request.upload != nil { return ("", ["--data-binary @-"]) }
        guard let body else { return ("", []) }
        let type = request.fields[.contentType]
        let shown = scrubber?.body(body, contentType: type, masksLongHex: true, masksForm: true) ?? body
        if shown.count <= CurlCommand.longestArgument, ShellWord.isPlain(shown) {
            // `--data-raw` does not treat an @ at the beginning as a file name.
            return ("", ["--data-raw \(ShellWord.quoted(shown))"])
        }
        return ("\(ShellWord.printf(shown)) | \\\n", ["--data-binary @-"])
    }
}

// MARK: The tool's URL parser

/// The changes that libcurl's URL parser would make.
enum TargetParsing {
    /// Returns whether the parser leaves a target unchanged (with `--path-as-is` if it has dot segments).
    static func survives(_ target: String) -> Bool {
        let bytes = Array(target.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.last != UInt8(ascii: "?") else { return false }
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, isUpperHex(bytes[index + 1]), isUpperHex(bytes[index + 2]) else {
                    return false
                }
                index += 2
            } else if !isPlain(bytes[index]) {
                return false
            }
            index += 1
        }
        return true
    }

    /// Returns whether the path has a segment `.` or `..`, escaped or not.
    static func hasDotSegments(_ target: String) -> Bool {
        target.prefix { $0 != "?" }.split(separator: "/").contains { segment in
            let text = segment.lowercased().replacingBytes(of: "%2e", with: ".")
            return text == "." || text == ".."
        }
    }

    /// Returns the `Host` field if libcurl would write the address differently ("127.1", "[0:0:0:0:0:0:0:1]").
    static func hostField(of origin: Origin) -> String? {
        if origin.host.hasPrefix("[") { return origin.host == "[::1]" ? nil : origin.hostHeader }
        let labels = origin.host.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = labels.last(where: { !$0.isEmpty }), last.first?.isNumber == true else { return nil }
        let isCanonical = labels.count == 4 && labels.allSatisfy { UInt8($0).map(String.init) == String($0) }
        return isCanonical ? nil : origin.hostHeader
    }

    private static func isUpperHex(_ byte: UInt8) -> Bool { 48...57 ~= byte || 65...70 ~= byte }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (byte | 32) &- 97 < 26 || byte &- 48 < 10 || "-._~!$&'()*+,;=:@/?[]{}".utf8.contains(byte)
    }
}
