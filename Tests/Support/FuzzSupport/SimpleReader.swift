internal import HeliumCore

/// A reader of HTTP/1.1 that has all bytes at once and is written for clarity alone, to compare ``HTTP1Reader`` with.
struct SimpleReader {
    /// One response, as far as it was read.
    struct Response {
        var status = 0
        var section: [UInt8] = []
        var body: [UInt8] = []

        func description(_ end: String) -> String { "\(status) \(section) \(body) \(end)" }
    }

    private enum Stop: Error { case fault, lost }

    private var rest: ArraySlice<UInt8>
    private var response = Response()
    private var headerBytes = 0
    private var headerCount = 0
    private var isHTTP1_0 = false

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Reads the responses to requests with these methods, each with its end: `reusable`, `end`, `lost` or `fault`.
    mutating func responses(to methods: [String]) -> [String] {
        var all: [String] = []
        for method in methods {
            response = Response()
            headerBytes = 0
            headerCount = 0
            do {
                let isReusable = try readResponse(method)
                all.append(response.description(isReusable ? "reusable" : "end"))
                if isUntilEnd { return all }
            } catch {
                return all + [response.description(error == .fault ? "fault" : "lost")]
            }
        }
        return all
    }

    private var isUntilEnd = false

    private mutating func readResponse(_ method: String) throws(Stop) -> Bool {
        var status = try readStatus()
        var section = try readSection()
        while status < 200 {
            status = try readStatus()
            section = try readSection()
        }
        let lengths = values("content-length", section)
        let hasLength = section.contains { SimpleReader.name($0) == "content-length" }
        if hasLength, Set(lengths.map { Int64($0) }).count != 1 || lengths.contains(where: { !isNumber($0) }) {
            throw .fault
        }
        let codings = values("transfer-encoding", section).filter { !$0.isEmpty }
        for field in section
        where SimpleReader.name(field) == "transfer-encoding"
            && values("transfer-encoding", [field]).allSatisfy(\.isEmpty)
        {
            throw .fault
        }
        if codings.contains(where: { $0.lowercased() != "chunked" }) || codings.count > 1 { throw .fault }
        if !codings.isEmpty, hasLength || isHTTP1_0 { throw .fault }
        response.status = status
        response.section = Array(section.joined())

        let options = values("connection", section).map { $0.lowercased() }
        let isReusable = !options.contains("close") && (!isHTTP1_0 || options.contains("keep-alive"))
        if method == "CONNECT", status < 300 { return false }
        if method == "HEAD" || status == 204 || status == 304 { return isReusable }
        if !codings.isEmpty {
            try readChunks()
            return isReusable
        }
        if let length = lengths.first.flatMap({ Int64($0) }) {
            response.body = Array(rest.prefix(Int(length)))
            if Int64(rest.count) < length { throw .lost }
            rest = rest.dropFirst(Int(length))
            return isReusable
        }
        response.body = Array(rest)
        rest = []
        isUntilEnd = true
        return false
    }

    private mutating func readStatus() throws(Stop) -> Int {
        let beginning = Array("HTTP/1.".utf8)
        guard Array(rest.prefix(7)) == Array(beginning.prefix(rest.count)) else { throw .fault }
        let line = String(decoding: try readLine(), as: UTF8.self).unicodeScalars.map { $0 }
        let text = line.filter { $0 != "\r" && $0 != "\n" }
        guard text.count >= 12, text[7] == "0" || text[7] == "1", text[8] == " " else { throw .fault }
        guard text[9...11].allSatisfy({ ("0"..."9").contains($0) }), text.count == 12 || text[12] == " " else {
            throw .fault
        }
        let status = Int(String(String.UnicodeScalarView(text[9...11]))) ?? 0
        if status < 100 || status == 101 { throw .fault }
        isHTTP1_0 = text[7] == "0"
        return status
    }

    /// The lines of a section with those joined that belong together.
    private mutating func readSection() throws(Stop) -> [[UInt8]] {
        var fields: [[UInt8]] = []
        while true {
            let line = try readLine()
            if line == [10] || line == [13, 10] { return fields }
            headerCount += 1
            if headerCount > HTTP1Fuzz.limits.headerCount { throw .fault }
            if line[0] == 32 || line[0] == 9 {
                guard var last = fields.popLast() else { throw .fault }
                while let byte = last.last, [9, 10, 13, 32].contains(byte) { last.removeLast() }
                fields.append(last + [32] + line.drop { $0 == 32 || $0 == 9 })
            } else {
                guard let colon = line.firstIndex(of: 58), colon > 0, line[..<colon].allSatisfy(isToken) else {
                    throw .fault
                }
                fields.append(line)
            }
        }
    }

    /// A line with its end, which has no zero byte and no other carriage return.
    private mutating func readLine() throws(Stop) -> [UInt8] {
        let room = HTTP1Fuzz.limits.headerBytes - headerBytes
        guard let feed = rest.firstIndex(of: 10) else { throw rest.count > room ? .fault : .lost }
        let line = Array(rest[...feed])
        guard line.count <= room, !line.contains(0), !line.dropLast(2).contains(13) else { throw .fault }
        headerBytes += line.count
        rest = rest[(feed + 1)...]
        return line
    }

    private mutating func readChunks() throws(Stop) {
        while true {
            // What is there of the line is invalid at once if the whole line would be.
            var line: [UInt8] = []
            while line.suffix(2) != [13, 10] {
                guard isSizeLine(line) else { throw .fault }
                guard let byte = rest.popFirst() else { throw .lost }
                line.append(byte)
            }
            guard isSizeLine(line), let size = Int64(String(decoding: digits(line), as: UTF8.self), radix: 16) else {
                throw .fault
            }
            if size == 0 { break }
            response.body += rest.prefix(Int(size))
            if Int64(rest.count) < size { throw .lost }
            rest = rest.dropFirst(Int(size))
            for expected in [13, 10] as [UInt8] {
                guard let byte = rest.popFirst() else { throw .lost }
                if byte != expected { throw .fault }
            }
        }
        _ = try readSection()
    }

    private func digits(_ line: [UInt8]) -> ArraySlice<UInt8> {
        line.prefix { (48...57).contains($0) || (65...70).contains($0) || (97...102).contains($0) }
    }

    /// Whether a line with a size can begin so.
    private func isSizeLine(_ line: [UInt8]) -> Bool {
        guard !line.isEmpty else { return true }
        let digits = digits(line)
        guard Int64(String(decoding: digits, as: UTF8.self), radix: 16) != nil else { return false }
        var rest = line[digits.endIndex...].drop { $0 == 32 || $0 == 9 }
        if rest.suffix(2) == [13, 10] { rest.removeLast(2) } else if rest.last == 13 { rest.removeLast() }
        let hasExtension = rest.isEmpty || rest.first == 59
        let size = line.count - line.reversed().prefix { $0 == 13 || $0 == 10 }.count
        return hasExtension && !rest.contains(13) && !rest.contains(10) && !rest.contains(0) && size <= 1023
    }

    private static func name(_ field: [UInt8]) -> String {
        String(decoding: field.prefix { $0 != 58 }, as: UTF8.self).lowercased()
    }

    /// The elements of the fields with this name, also empty ones.
    private func values(_ name: String, _ section: [[UInt8]]) -> [String] {
        section.filter { SimpleReader.name($0) == name }.flatMap { field in
            field.drop { $0 != 58 }.dropFirst().split(separator: 44, omittingEmptySubsequences: false).map { element in
                var element = element
                while let byte = element.first, [9, 10, 13, 32].contains(byte) { element.removeFirst() }
                while let byte = element.last, [9, 10, 13, 32].contains(byte) { element.removeLast() }
                return String(decoding: element, as: UTF8.self)
            }
        }
    }

    private func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) } && Int64(text) != nil
    }

    private func isToken(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
