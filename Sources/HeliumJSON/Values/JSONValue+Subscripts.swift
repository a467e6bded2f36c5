extension JSONValue {
    /// An object's member.
    ///
    /// It is `nil` if there is none or this is no object. Setting adds or replaces the member, and removes it with `nil`
    /// (write `.null` for `null`); `null` becomes an object by it, and what is neither stays as it is.
    public subscript(name: String) -> JSONValue? {
        get {
            guard case .object(let object) = self else { return nil }
            return object[name]
        }
        _modify {
            if var object = takeObject() {
                defer { self = .object(object) }
                yield &object[name]
            } else {
                var member: JSONValue?
                defer { if isNull, let member { self = .object([name: member]) } }
                yield &member
            }
        }
    }

    /// An array's element.
    ///
    /// It is `nil` if there is none or this is no array. Setting replaces the element, or appends one to its array if the
    /// index is the array's count, and removes it with `nil`; otherwise nothing changes.
    public subscript(index: Int) -> JSONValue? {
        get {
            guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
            return elements[index]
        }
        _modify {
            guard var elements = takeElements() else {
                var nothing: JSONValue?
                yield &nothing
                return
            }
            let isElement = elements.indices.contains(index)
            var element: JSONValue?
            if isElement { element = elements[index].take() }
            defer {
                if let element {
                    if isElement {
                        elements[index] = element
                    } else if index == elements.count {
                        elements.append(element)
                    }
                } else if isElement {
                    elements.remove(at: index)
                }
                self = .array(elements)
            }
            yield &element
        }
    }

    /// The value some steps down: `value["data", 0, "id"]`.
    ///
    /// It is `nil` where a step leads nowhere. Setting takes each step as the subscripts for one step do: missing objects on
    /// the way are made.
    public subscript(path: JSONPathElement...) -> JSONValue? {
        get { self[path: path] }
        set { self[path: path] = newValue }
    }

    /// The value some steps down, from a path that was made elsewhere.
    ///
    /// With the path of a `DecodingError` it is the value at fault. Without a step it is the value itself, and setting it to
    /// `nil` does nothing.
    public subscript(path path: [JSONPathElement]) -> JSONValue? {
        get {
            var value = self
            for step in path {
                guard let next = value[step: step] else { return nil }
                value = next
            }
            return value
        }
        set {
            if path.isEmpty, newValue == nil { return }
            var value: JSONValue? = take()
            Self.set(newValue, at: path[...], in: &value)
            self = value ?? .null
        }
    }

    private static func set(_ newValue: JSONValue?, at path: ArraySlice<JSONPathElement>, in value: inout JSONValue?) {
        guard let step = path.first else {
            value = newValue
            return
        }
        let isMissing = value == nil
        if isMissing, newValue == nil { return }
        var parent = value.take() ?? .null
        set(newValue, at: path.dropFirst(), in: &parent[step: step])
        // An index makes nothing of what is missing.
        if !isMissing || !parent.isNull { value = parent }
    }

    private subscript(step step: JSONPathElement) -> JSONValue? {
        get {
            switch step {
            case .name(let name): self[name]
            case .index(let index): self[index]
            }
        }
        _modify {
            switch step {
            case .name(let name): yield &self[name]
            case .index(let index): yield &self[index]
            }
        }
    }
}

// MARK: In place

extension JSONValue {
    /// The value here, which leaves `null`.
    fileprivate mutating func take() -> JSONValue {
        let value = self
        self = .null
        return value
    }

    /// The object here, which leaves `null`: whoever takes it is the only one to hold it, and changes it in place. That
    /// these are functions makes sure that no copy is left, without optimization too.
    fileprivate mutating func takeObject() -> JSONObject? {
        guard case .object(let object) = self else { return nil }
        self = .null
        return object
    }

    /// The elements here, likewise.
    fileprivate mutating func takeElements() -> [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        self = .null
        return elements
    }
}
