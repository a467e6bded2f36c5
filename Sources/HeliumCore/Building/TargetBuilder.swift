internal import HeliumEssentials

/// Builds the request target: the base URL's path, the path template with its placeholders filled, and the query.
///
/// All decisions about the characters that are allowed in a URL are made here. Later steps do not change the result.
struct TargetBuilder {
    /// The base URL's encoded path, without its last slash.
    let basePath: [UInt8]

    init(basePath: String) {
        var bytes: [UInt8] = []
        PercentEncoding.appendLiteral(
            basePath.utf8,
            to: &bytes,
            keeping: { PercentEncoding.isPathByte($0) || $0 == 47 }
        )
        while bytes.last == 47 { bytes.removeLast() }
        self.basePath = bytes
    }

    /// Builds the target of a call.
    ///
    /// - Parameter isPlain: Whether the template is plain by ``isPlain(_:)``. The caller needs it too.
    func target(
        template: String,
        isPlain: Bool,
        replacements: PathReplacements,
        parameters: QueryParameters,
        listStyle: QueryParameters.ListStyle
    ) throws(InvalidRequest) -> String {
        let isPlain = isPlain && replacements.items.isEmpty
        if !isPlain, let place = Self.absolutePlace(template) {
            throw InvalidRequest(
                "\"\(place)\" is an absolute URL: a client requests paths below its base URL; give only the path, or "
                    + "create a client with that base URL"
            )
        }
        if isPlain, basePath.isEmpty, parameters.items.isEmpty { return template }
        var out: [UInt8] = []
        out.reserveCapacity(basePath.count + template.utf8.count + 64)
        out += basePath
        var hasQuery = false
        if isPlain {
            out += template.utf8
        } else if replacements.mode == .literal {
            try appendLiteralPath(template, replacements, to: &out)
        } else {
            hasQuery = try appendPath(template, replacements, to: &out)
        }
        if out.isEmpty || out[0] != 47 { out.insert(47, at: 0) }
        try Self.appendQuery(parameters, style: listStyle, isFirst: !hasQuery, to: &out)
        return String(decoding: out, as: UTF8.self)
    }
}

// MARK: Absolute URLs

extension TargetBuilder {
    /// Returns the scheme, authority and path of a template that is an absolute URL (`https://host/path`), or `nil` for
    /// a path. User information and the query are left out because they may be secret.
    static func absolutePlace(_ template: String) -> String? {
        // Most paths begin with a slash, as they should. One byte is enough to recognize them.
        guard template.utf8.first != 47, let colon = template.utf8.firstIndex(of: 58),
            template.utf8[colon...].starts(with: "://".utf8), template.utf8.first.map(Self.isLetter) ?? false,
            template.utf8[..<colon].allSatisfy({ Self.isLetter($0) || 48...57 ~= $0 || [43, 45, 46].contains($0) })
        else { return nil }
        let rest = template.utf8[template.utf8.index(colon, offsetBy: 3)...].prefix { $0 != 63 && $0 != 35 }
        let authority = rest.prefix { $0 != 47 }
        let host = authority.lastIndex(of: 64).map { authority[authority.index(after: $0)...] } ?? authority
        return "\(template[..<colon])://\(Substring(host))\(template[authority.endIndex..<rest.endIndex])"
    }

    /// Returns the target for errors that have no URL: the base URL with the template, or the absolute URL.
    func place(ofTemplate template: String, on origin: Origin) -> String {
        template.utf8.first == 47 ? origin.urlString + String(decoding: basePath, as: UTF8.self) + template : template
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 97...122 ~= byte | 0x20 }
}

// MARK: The path

extension TargetBuilder {
    /// Returns whether a path can be used unchanged, like most paths: it begins with a slash and contains nothing that
    /// must be filled in, resolved, escaped or cut off.
    static func isPlain(_ path: String) -> Bool {
        var path = path
        return path.withUTF8 { bytes in
            guard bytes.first == 47 else { return false }
            var last: UInt8 = 0
            for byte in bytes {
                // A segment that begins with a dot may be a dot segment.
                guard byte == 47 || PercentEncoding.isUnreserved(byte), byte != 46 || last != 47 else { return false }
                last = byte
            }
            return true
        }
    }

    /// Appends the path and the query that the template itself may contain. Returns whether there was a query.
    private func appendPath(
        _ template: String,
        _ replacements: PathReplacements,
        to out: inout [UInt8]
    ) throws(InvalidRequest) -> Bool {
        let bytes = Array(template.utf8)
        guard !bytes.contains(35) else { throw InvalidRequest("the path \"\(template)\" has a fragment") }
        let pathEnd = bytes.firstIndex(of: 63) ?? bytes.count
        let root = out.count
        var used: [Bool] = Array(repeating: false, count: replacements.items.count)
        var start = bytes.first == 47 ? 1 : 0
        guard pathEnd > 0 || pathEnd < bytes.count || !out.isEmpty else { return false }
        while pathEnd > 0 {
            let end = bytes[start..<pathEnd].firstIndex(of: 47) ?? pathEnd
            let segment = bytes[start..<end]
            if segment.first == 58 {
                let name = String(decoding: segment.dropFirst(), as: UTF8.self)
                let value = try Self.value(of: name, in: replacements, template: template, used: &used)
                out.append(47)
                PercentEncoding.append(value, to: &out)
            } else {
                Self.appendLiteralSegment(segment, isLast: end == pathEnd, root: root, to: &out)
            }
            guard end < pathEnd else { break }
            start = end + 1
        }
        if let unused = used.firstIndex(of: false) {
            throw InvalidRequest(
                "the replacement \"\(replacements.items[unused].name)\" has no placeholder in \"\(template)\""
            )
        }
        guard pathEnd + 1 < bytes.count else { return false }  // a lone question mark says nothing
        if out.isEmpty { out.append(47) }
        out.append(63)
        PercentEncoding.appendLiteral(bytes[(pathEnd + 1)...], to: &out, keeping: PercentEncoding.isQueryByte)
        return true
    }

    /// Appends a literal segment. Dot segments are resolved here, before signing, and never climb out of the template
    /// (RFC 3986 §5.2.4).
    private static func appendLiteralSegment(
        _ segment: ArraySlice<UInt8>,
        isLast: Bool,
        root: Int,
        to out: inout [UInt8]
    ) {
        switch dots(in: segment) {
        case 1:
            if isLast { out.append(47) }
        case 2:
            let slash = out[root...].lastIndex(of: 47) ?? root
            out.removeSubrange(slash...)
            if isLast { out.append(47) }
        default:
            out.append(47)
            PercentEncoding.appendLiteral(segment, to: &out, keeping: PercentEncoding.isPathByte)
        }
    }

    /// Returns 1 for `.`, 2 for `..`, including escaped dots, and 0 for any other segment.
    private static func dots(in segment: some Collection<UInt8>) -> Int {
        guard segment.count <= 6, let first = segment.first, first == 46 || first == 37 else { return 0 }
        let text = String(decoding: segment, as: UTF8.self).lowercased().replacingBytes(of: "%2e", with: ".")
        return text == "." ? 1 : text == ".." ? 2 : 0
    }

    private static func value(
        of name: String,
        in replacements: PathReplacements,
        template: String,
        used: inout [Bool]
    ) throws(InvalidRequest) -> String {
        guard !name.isEmpty, name.utf8.allSatisfy({ PercentEncoding.isUnreserved($0) }) else {
            throw InvalidRequest(
                "the path \"\(template)\" has a placeholder without a valid name (write %3A for a colon)"
            )
        }
        guard
            let index = replacements.items.firstIndex(where: {
                $0.name.hasSameBytes(as: name) || $0.name.hasSameBytes(as: ":" + name)
            })
        else {
            throw InvalidRequest("no replacement for \":\(name)\" in \"\(template)\"")
        }
        used[index] = true
        guard case .single(let value) = replacements.items[index].value else {
            throw InvalidRequest("the replacement for \":\(name)\" must be a single value")
        }
        // No escape of these values is kept as one segment by every server.
        guard !value.isEmpty, !value.hasSameBytes(as: "."), !value.hasSameBytes(as: "..") else {
            throw InvalidRequest("the replacement for \":\(name)\" is empty or a dot segment")
        }
        return value
    }

    private func appendLiteralPath(
        _ template: String,
        _ replacements: PathReplacements,
        to out: inout [UInt8]
    ) throws(InvalidRequest) {
        var path = template
        for item in replacements.items.sorted(by: { $0.name < $1.name }) {
            guard case .single(let value) = item.value else {
                throw InvalidRequest("the replacement for \"\(item.name)\" must be a single value")
            }
            guard let range = Self.range(of: item.name, in: path) else {
                throw InvalidRequest("the replacement \"\(item.name)\" has no placeholder in \"\(template)\"")
            }
            path.replaceSubrange(range, with: value)
        }
        if !path.hasBytePrefix("/"), !path.isEmpty { out.append(47) }
        PercentEncoding.append(path.utf8, to: &out, keeping: { PercentEncoding.isPathByte($0) || $0 == 47 })
    }

    /// Returns the range of the first occurrence of a key, ignoring letter case. Foundation's own search on Linux finds
    /// "a\0" in "a", with a range that goes past the end.
    private static func range(of name: String, in path: String) -> Range<String.Index>? {
        let wanted = name.lowercased()
        let count = name.count
        guard count > 0 else { return nil }
        for start in path.indices {
            guard let end = path.index(start, offsetBy: count, limitedBy: path.endIndex) else { return nil }
            if path[start..<end].lowercased() == wanted { return start..<end }
        }
        return nil
    }
}

// MARK: The query

extension TargetBuilder {
    /// Appends the parameters as a query or as form text, sorted by name.
    static func appendQuery(
        _ parameters: QueryParameters,
        style: QueryParameters.ListStyle,
        isFirst: Bool,
        leading: UInt8 = 63,
        to out: inout [UInt8]
    ) throws(InvalidRequest) {
        var separator: UInt8? = isFirst ? leading : 38
        let items =
            parameters.items.count < 2 ? parameters.items : parameters.items.sorted { isBefore($0.name, $1.name) }
        for (name, value) in items {
            switch value {
            case .absent:
                continue
            case .single(let text):
                append(name, text, &separator, to: &out)
            case .list(let list):
                append(name, list, style, &separator, to: &out)
            case .invalid(let reason):
                throw InvalidRequest("the parameter \"\(name)\" is \(reason)")
            }
        }
    }

    private static func isBefore(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

    private static func append(
        _ name: String,
        _ list: [String],
        _ style: QueryParameters.ListStyle,
        _ separator: inout UInt8?,
        to out: inout [UInt8]
    ) {
        switch style.form {
        case .repeated:
            for value in list { append(name, value, &separator, to: &out) }
        case .brackets:
            for value in list { append(name + "[]", value, &separator, to: &out) }
        case .commaSeparated:
            guard let first = list.first else { return }
            append(name, first, &separator, to: &out)
            for value in list.dropFirst() {
                out.append(44)
                PercentEncoding.append(value, to: &out)
            }
        }
    }

    private static func append(_ name: String, _ value: String, _ separator: inout UInt8?, to out: inout [UInt8]) {
        if let byte = separator, byte != 0 { out.append(byte) }
        separator = 38
        PercentEncoding.append(name, to: &out)
        out.append(61)
        PercentEncoding.append(value, to: &out)
    }
}
