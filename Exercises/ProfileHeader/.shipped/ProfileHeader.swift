/// The header of a profile, such as `Ana, 12`: the name, and the number of followers.
public func profileHeader(
    name: @escaping @Sendable () async throws -> String,
    followers: @escaping @Sendable () async throws -> Int
) async throws -> String {
    // The second request starts when the first one has ended. Start both at once.
    let loadedName = try await name()
    let loadedFollowers = try await followers()
    return "\(loadedName), \(loadedFollowers)"
}
