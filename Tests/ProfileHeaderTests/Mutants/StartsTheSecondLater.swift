// mutant: the second `async let` comes after the first `await`
// fails: ProfileHeaderTests/twoRequestsTakeAsLongAsTheLongerOne()
// fails: ProfileHeaderXCTests/testAFailureCancelsTheOtherRequest
// hint: ProfileHeaderTests/twoRequestsTakeAsLongAsTheLongerOne() time
public func profileHeader(
    name: @escaping @Sendable () async throws -> String,
    followers: @escaping @Sendable () async throws -> Int
) async throws -> String {
    async let first = name()
    let loadedName = try await first
    async let second = followers()
    return "\(loadedName), \(try await second)"
}
