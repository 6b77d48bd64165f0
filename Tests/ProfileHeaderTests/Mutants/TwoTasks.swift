// mutant: starts two tasks that nothing cancels
// fails: ProfileHeaderXCTests/testAFailureCancelsTheOtherRequest
// hint: ProfileHeaderXCTests/testAFailureCancelsTheOtherRequest failure
public func profileHeader(
    name: @escaping @Sendable () async throws -> String,
    followers: @escaping @Sendable () async throws -> Int
) async throws -> String {
    let loadedName = Task { try await name() }
    let loadedFollowers = Task { try await followers() }
    return "\(try await loadedName.value), \(try await loadedFollowers.value)"
}
