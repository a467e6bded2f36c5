/// Decides which request fetches the next page. It sends no requests itself.
struct PageWalk<Value: Sendable>: Sendable {
    private let strategy: PaginationStrategy<Value>
    private let first: RequestBuilder<Value>
    private let maximum: Int
    private var trail: PageTrail<RequestURL>
    private var number = 0
    private var isAtStart = true
    /// The URL of the page that the response belongs to.
    private var url: RequestURL?
    /// The origin of the first request: the only one that receives the request's own fields, which may hold
    /// credentials.
    private var home: Origin?
    private var answer: HeliumResponse<Value>?

    init(_ first: RequestBuilder<Value>, strategy: PaginationStrategy<Value>, maximum: Int) {
        self.strategy = strategy
        self.first = first.setting(strategy.firstParameters)
        self.maximum = maximum
        trail = PageTrail(maximum: maximum)
    }

    /// Records the response to the previous request.
    mutating func arrived(_ response: HeliumResponse<Value>) {
        answer = response
        // The final URL after redirects, because references are relative to it.
        url = response.url
    }

    /// Returns the request for the next page, or `nil` after the last.
    mutating func next() throws(HeliumError) -> RequestBuilder<Value>? {
        if isAtStart {
            isAtStart = false
            return try visiting(first, after: nil)
        }
        guard let answer else { return nil }
        self.answer = nil
        guard let request = try request(after: answer) else { return nil }
        return try visiting(request, after: answer)
    }
}

extension PageWalk {
    private mutating func request(after answer: HeliumResponse<Value>) throws(HeliumError) -> RequestBuilder<Value>? {
        do throws(PageFailure) {
            switch try strategy.next(answer, &number) {
            case .parameters(let parameters): return first.setting(parameters)
            case .reference(let reference): return try following(reference)
            case nil: return nil
            }
        } catch {
            throw failure(error, after: answer)
        }
    }

    /// Returns the request for a referenced page. Credentials belong to the first request's origin, so a page on
    /// another origin is never requested, even after a redirect to it.
    private func following(_ reference: String) throws(PageFailure) -> RequestBuilder<Value> {
        guard let url, let home else { return first }
        let next: RequestURL
        do throws(InvalidURL) {
            next = try url.resolving(reference)
        } catch {
            throw PageFailure(kind: .malformedResponse, message: "the next page's URL can't be used: \(error)")
        }
        guard next.origin == home else {
            throw PageFailure(
                kind: .redirectRefused,
                message: "the next page is on another origin, \(next.origin): pages are followed on \(home) only"
            )
        }
        return first.with { $0.settings.url = next }
    }

    private mutating func visiting(
        _ request: RequestBuilder<Value>,
        after answer: HeliumResponse<Value>?
    ) throws(HeliumError) -> RequestBuilder<Value> {
        let next = try request.with { $0.content = nil }.prepared(isStream: true).request.url
        do throws(PageRefusal) {
            try trail.visit(next)
        } catch {
            throw failure(PageFailure(error, of: next, maximum: maximum), after: answer)
        }
        if home == nil { home = next.origin }
        url = next
        return request
    }

    /// Converts a failure into an error with the response that caused it.
    private func failure(_ failure: PageFailure, after answer: HeliumResponse<Value>?) -> HeliumError {
        let summary = RequestSummary(method: first.draft.method, url: url?.redacted ?? first.draft.path)
        var error = HeliumError(failure.kind, request: summary, delivery: .answered, message: failure.message)
        error[fact: \.ceiling] = failure.ceiling
        error[fact: \.head] = answer?.head
        error[fact: \.attempts] = answer?.attempts ?? []
        return error
    }
}

extension PageFailure {
    fileprivate init(_ refusal: PageRefusal, of url: RequestURL, maximum: Int) {
        switch refusal {
        case .loop:
            self.init(kind: .malformedResponse, message: "the next page was fetched already: \(url.redacted)")
        case .tooMany:
            let message = "there are more than \(maximum) pages"
            self.init(kind: .ceilingExceeded, message: message, ceiling: .pages)
        }
    }
}

extension RequestBuilder {
    fileprivate func setting(_ parameters: [String: String]) -> Self {
        guard !parameters.isEmpty else { return self }
        return with { draft in
            for (name, value) in parameters { draft.parameters[name] = .single(value) }
        }
    }
}
