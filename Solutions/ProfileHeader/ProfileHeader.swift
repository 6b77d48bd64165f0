/// The header of a profile, such as `Ana, 12`: the name, and the number of followers.
public func profileHeader(
    name: @escaping @Sendable () async throws -> String,
    followers: @escaping @Sendable () async throws -> Int
) async throws -> String {
    async let loadedName = name()
    async let loadedFollowers = followers()
    return try await "\(loadedName), \(loadedFollowers)"
}
