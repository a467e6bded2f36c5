import Foundation
import HTTPTypes
import HeliumCore

/// An exchange as it was sent, including secrets. It must not leave memory.
struct ExchangeRecord: Sendable {
    /// The beginning of a body, up to a limit.
    struct Body: Sendable {
        private(set) var data = Data()
        private(set) var size = 0
        let limit: Int

        var isTruncated: Bool { size > data.count }

        mutating func append(_ chunk: Data) {
            size += chunk.count
            data.append(chunk.prefix(max(0, max(limit, 0) - data.count)))
        }

        mutating func removeAll() {
            data = Data()
            size = 0
        }
    }

    let request: TransportRequest
    let wallTime: Duration
    let start: Duration
    var end: Duration
    var requestBody: Body
    var head: ResponseHead?
    var responseBody: Body
    var timings = TransferTimings()
    var failure: TransportFailure?
    var isStreamOpen = false

    init(request: TransportRequest, wallTime: Duration, uptime: Duration, limit: Int) {
        self.request = request
        self.wallTime = wallTime
        start = uptime
        end = uptime
        requestBody = Body(limit: limit)
        responseBody = Body(limit: limit)
    }
}

extension ExchangeRecord: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["request": request]) }
}

// MARK: Secrets

extension ExchangeRecord {
    /// Adds every secret that the exchange names.
    func name(in harvest: inout SecretHarvest) {
        for field in request.fields { harvest.read(field) }
        harvest.read(target: request.url.target)
        harvest.read(body: requestBody.data)
        for field in head?.fields ?? [:] { harvest.read(field) }
        harvest.read(body: responseBody.data)
        if let failure { harvest.read(text: failure.message) }
    }
}

// MARK: Conversion to an entry

extension ExchangeRecord {
    /// Returns the entry of a recording.
    ///
    /// - Parameters:
    ///   - scrubber: Masks all secrets.
    ///   - hosts: Masks the secrets for which an origin is searched.
    func entry(_ scrubber: SecretScrubber, hosts: SecretScrubber) -> HAR.Entry {
        let started = Date(timeIntervalSince1970: wallTime / .seconds(1))
        return HAR.Entry(
            startedDateTime: RFC3339.string(from: started),
            time: max(0, ExchangeRecord.milliseconds(end - start)),
            request: harRequest(scrubber, hosts: hosts),
            response: harResponse(scrubber),
            timings: harTimings,
            failure: failure.map {
                HAR.Failure(
                    kind: $0.kind.rawValue,
                    delivery: $0.delivery.rawValue,
                    message: scrubber.text($0.message)
                )
            }
        )
    }

    private func harRequest(_ scrubber: SecretScrubber, hosts: SecretScrubber) -> HAR.Request {
        let target = scrubber.target(LiteralMask.escaped(request.url.target), masksAllValues: false)
        return HAR.Request(
            method: request.method.rawValue,
            url: origin(hosts) + target,
            httpVersion: (head?.version ?? .http1_1).description,
            headers: ExchangeRecord.fields(request.fields, scrubber),
            queryString: ExchangeRecord.query(target),
            postData: postData(scrubber),
            bodySize: requestBody.size
        )
    }

    /// Returns the origin, or an invalid host if a secret is in it.
    private func origin(_ scrubber: SecretScrubber) -> String {
        let origin = request.url.origin.urlString
        return scrubber.text(origin) == origin ? origin : "https://redacted.invalid"
    }

    private func postData(_ scrubber: SecretScrubber) -> HAR.PostData? {
        guard request.body != nil || request.upload != nil else { return nil }
        let field = request.fields[fields: .contentType].first
        let type = field.map { ExchangeRecord.value(of: $0, scrubber) } ?? ""
        // Secrets in a compressed body can't be found.
        if let coding = request.fields[.contentEncoding], coding.lowercased() != "identity" {
            return HAR.PostData(Data(), mimeType: type, isTruncated: true)
        }
        let mask = LiteralMask.mask(for: requestBody.data)
        let isForm = LiteralMask.isForm(type)
        let text = isForm ? String(validating: requestBody.data, as: UTF8.self) : nil
        let body = scrubber.body(
            text.map { Data(LiteralMask.escaped($0).utf8) } ?? requestBody.data,
            contentType: type,
            masksLongHex: true,
            isCut: requestBody.isTruncated,
            mask: mask ?? SecretScrubber.mask
        )
        return HAR.PostData(body, mimeType: type, isTruncated: requestBody.isTruncated, mask: mask)
    }

    private func harResponse(_ scrubber: SecretScrubber) -> HAR.Response {
        guard let head else { return HAR.Response(status: 0, httpVersion: "") }
        let type = head.fields[fields: .contentType].first.map { ExchangeRecord.value(of: $0, scrubber) } ?? ""
        let isCut = responseBody.isTruncated || isStreamOpen || failure != nil
        let body = scrubber.body(responseBody.data, contentType: type, masksLongHex: false, isCut: isCut)
        return HAR.Response(
            status: head.status,
            httpVersion: head.version.description,
            headers: ExchangeRecord.fields(head.fields, scrubber),
            content: HAR.Content(
                body,
                mimeType: type,
                size: responseBody.size,
                isTruncated: responseBody.isTruncated || isStreamOpen && failure == nil
            ),
            redirectURL: head.fields[fields: .location].first.map { ExchangeRecord.value(of: $0, scrubber) } ?? ""
        )
    }

    private static func fields(_ fields: HTTPFields, _ scrubber: SecretScrubber) -> [HAR.Field] {
        fields.map { HAR.Field(name: $0.name.rawName, value: value(of: $0, scrubber)) }
    }

    private static func value(of field: HTTPField, _ scrubber: SecretScrubber) -> String {
        String(decoding: scrubber.value(of: field), as: UTF8.self)
    }

    private static func query(_ target: String) -> [HAR.Field] {
        guard let mark = target.firstIndex(of: "?") else { return [] }
        return target[target.index(after: mark)...].split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { String($0).removingPercentEncoding ?? String($0) }
            return HAR.Field(name: decoded[0], value: decoded.count > 1 ? decoded[1] : "")
        }
    }

    /// The durations of the phases, computed from times that are all relative to the start.
    private var harTimings: HAR.Timings {
        func milliseconds(_ from: Duration?, _ to: Duration?) -> Double? {
            guard let to else { return nil }
            return max(0, ExchangeRecord.milliseconds(to - (from ?? .zero)))
        }
        let connected = timings.tlsHandshake ?? timings.connect ?? timings.nameLookup
        return HAR.Timings(
            blocked: -1,
            dns: milliseconds(nil, timings.nameLookup) ?? -1,
            connect: milliseconds(timings.nameLookup, timings.tlsHandshake ?? timings.connect) ?? -1,
            ssl: milliseconds(timings.connect, timings.tlsHandshake) ?? -1,
            send: 0,
            wait: milliseconds(connected, timings.firstByte) ?? 0,
            receive: milliseconds(timings.firstByte, timings.total) ?? 0
        )
    }

    private static func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }
}
