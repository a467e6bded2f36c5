internal import HeliumJSON

/// Writes keys, triggers and users as XML (Docs/Protocols/Cosm.md §13). The names of keys and triggers have hyphens,
/// those of users underscores.
struct XMLRecords {
    let context: RenderContext

    func key(_ key: AccessKey, _ xml: inout XMLText) {
        xml.element("key") { xml in
            xml.leaf("api-key", key.secret)
            xml.optionalLeaf("expires-at", key.expiresAt?.text(context.zone))
            xml.leaf("label", key.label)
            xml.leaf("private-access", key.opensPrivate ? "true" : "false")
            xml.element("permissions") { xml in
                for permission in key.permissions { self.permission(permission, &xml) }
            }
        }
    }

    private func permission(_ permission: AccessPermission, _ xml: inout XMLText) {
        xml.element("permission") { xml in
            xml.optionalLeaf("label", permission.label)
            xml.optionalLeaf("referer", permission.referer)
            xml.optionalLeaf("source-ip", permission.sourceAddress)
            xml.optionalLeaf("minimum-interval", permission.minimumInterval.map { String($0) })
            xml.element("access-methods") { xml in
                for method in AccessMethod.allCases where permission.methods.contains(method) {
                    xml.leaf("access-method", method.rawValue)
                }
            }
            if permission.resources.isEmpty { return }
            xml.element("resources") { xml in
                for resource in permission.resources {
                    xml.element("resource") { xml in
                        xml.optionalLeaf("feed-id", resource.feed.map { String($0) })
                        xml.optionalLeaf("datastream-id", resource.datastream)
                        xml.optionalLeaf("datastream-trigger-id", resource.trigger.map { String($0) })
                    }
                }
            }
        }
    }

    func trigger(_ trigger: TriggerRecord, _ xml: inout XMLText) {
        xml.element("datastream-trigger") { xml in
            xml.leaf("id", ["type": "integer"], String(trigger.id))
            xml.leaf("url", trigger.url)
            xml.leaf("trigger-type", trigger.condition.kind.rawValue)
            if let threshold = TriggerDocument.threshold(of: trigger) {
                xml.leaf("threshold-value", ["type": "float"], threshold)
            }
            xml.leaf("notified-at", ["type": "datetime"], trigger.notified?.text(context.zone) ?? "")
            xml.leaf("user", trigger.owner)
            xml.leaf("environment-id", ["type": "integer"], String(trigger.feed))
            xml.leaf("stream-id", trigger.datastream)
        }
    }

    func user(_ user: UserRecord, _ xml: inout XMLText) {
        xml.element("user") { xml in
            for (name, value) in user.profile {
                if let roles = value.arrayValue {
                    xml.element(name) { xml in
                        // `roles` has elements `role`, and `creatable_roles` has elements `creatable_role`.
                        for role in roles { xml.leaf(String(name.dropLast()), role.stringValue ?? "") }
                    }
                } else {
                    xml.leaf(name, value.stringValue ?? value.description)
                }
            }
        }
    }
}
