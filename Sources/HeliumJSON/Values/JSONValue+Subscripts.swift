extension JSONValue {
    /// The member of an object with this name.
    ///
    /// It is `nil` if there is no such member, or if the value is not an object. Setting it adds or replaces the
    /// member, and setting `nil` removes it (use `.null` for `null`). Setting a member of `null` turns it into an
    /// object. All other values are not changed.
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

    /// The element of an array at this index.
    ///
    /// It is `nil` if there is no such element, or if the value is not an array. Setting it replaces the element, or
    /// appends one if the index is the array's count. Setting `nil` removes the element. With any other index, nothing
    /// changes.
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

    /// The value at a path: `value["data", 0, "id"]`.
    ///
    /// It is `nil` if a step does not exist. Setting it applies the subscripts for one step in sequence, so missing
    /// objects on the path are created.
    public subscript(path: JSONPathElement...) -> JSONValue? {
        get { self[path: path] }
        set { self[path: path] = newValue }
    }

    /// The value at a path that was created separately.
    ///
    /// With the path of a `DecodingError`, it is the invalid value. With an empty path, it is the value itself, and
    /// setting `nil` has no effect.
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
        // An index creates no array from a missing value.
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

// MARK: Changes in place

extension JSONValue {
    /// Returns the value and replaces it with `null`.
    fileprivate mutating func take() -> JSONValue {
        let value = self
        self = .null
        return value
    }

    /// Returns the object and replaces the value with `null`, so that the caller holds the only reference and changes
    /// it in place. It is a function so that no copy remains, even without optimization.
    fileprivate mutating func takeObject() -> JSONObject? {
        guard case .object(let object) = self else { return nil }
        self = .null
        return object
    }

    /// Returns the elements in the same way.
    fileprivate mutating func takeElements() -> [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        self = .null
        return elements
    }
}
