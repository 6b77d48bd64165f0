// Sendable closures, isolated parameters, global actors and typed throws in signatures.
@globalActor public actor Desk { public static let shared = Desk() }
public func perform(_ body: @escaping @Sendable () async throws -> Void, on desk: isolated Desk) async rethrows {}
@MainActor public func onMain(_ body: @MainActor @Sendable () -> Int) -> Int { body() }
@Desk public final class Paper { public init() {} }
public enum Trouble: Error { case some }
public func typed() throws(Trouble) { throw .some }
/*ANSWER*/
