// right: a task group in place of `async let`
public func profileHeader(
    name: @escaping @Sendable () async throws -> String,
    followers: @escaping @Sendable () async throws -> Int
) async throws -> String {
    try await withThrowingTaskGroup(of: (String?, Int?).self) { group in
        group.addTask { (try await name(), nil) }
        group.addTask { (nil, try await followers()) }
        var (loadedName, loadedFollowers) = ("", 0)
        for try await (name, followers) in group {
            loadedName = name ?? loadedName
            loadedFollowers = followers ?? loadedFollowers
        }
        return "\(loadedName), \(loadedFollowers)"
    }
}
