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
            switch self {
            case .object(var object):
                self = .null  // So that `object` is changed in place.
                defer { self = .object(object) }
                yield &object[name]
            case .null:
                var member: JSONValue?
                defer { if let member { self = .object([name: member]) } }
                yield &member
            default:
                var nothing: JSONValue?
                yield &nothing
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
            guard case .array(var elements) = self, (0...elements.count).contains(index) else {
                var nothing: JSONValue?
                yield &nothing
                return
            }
            self = .null  // So that `elements` are changed in place.
            var element: JSONValue?
            let isElement = index < elements.count
            if isElement {
                element = elements[index]
                elements[index] = .null
            }
            defer {
                switch element {
                case let element? where isElement: elements[index] = element
                case let element?: elements.append(element)
                case nil where isElement: elements.remove(at: index)
                case nil: break
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
            var value: JSONValue? = self
            self = .null  // So that what is inside is changed in place.
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
        value = isMissing && parent.isNull ? nil : parent
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
