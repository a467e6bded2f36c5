extension AppNetID<AppNetUser> {
    /// The user of the token, where a call takes a user.
    public static var me: Self { Self("me") }

    /// A user by name, with or without `@`.
    public static func named(_ name: String) -> Self { Self(name.hasPrefix("@") ? name : "@\(name)") }
}
