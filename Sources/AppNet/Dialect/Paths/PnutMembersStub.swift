internal import HeliumJSON

// Until the transformation of members is merged.
package enum PnutMembers {
    static func appNetForm(of value: JSONValue, kind: ObjectKind) throws -> JSONValue { value }
    static func pnutForm(of value: JSONValue, kind: ObjectKind) throws -> JSONValue { value }
}
