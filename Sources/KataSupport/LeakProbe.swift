/// A bridge that keeps its subscription alive leaks what the subscription holds, and no value that it returns is wrong.
///
/// The test puts tokens where they must not stay, such as a closure in the pipeline, and waits until all of them are gone.
///
///     let probe = KataSupport.LeakProbe()
///     let value = try await bridge(publisher.map { [token = probe.token()] in _ = token; return $0 })
///     try await probe.released()
public final class LeakProbe: Sendable {
    /// Something that can be kept alive.
    public final class Token: Sendable {
        private let alive: Observed<Int>

        fileprivate init(_ alive: Observed<Int>) {
            self.alive = alive
            alive.update { $0 += 1 }
        }

        deinit {
            alive.update { $0 -= 1 }
        }
    }

    private let alive = Observed(0)

    public init() {}

    public func token() -> Token { Token(alive) }

    /// How many tokens are still held.
    public var held: Int { alive.value }

    /// Waits until no token is held any more.
    public func released() async throws {
        try await alive.until(for: .release) { $0 == 0 }
    }
}

/// Looks, once nothing is left to run, whether an object that should have been released is still in memory.
///
///     weak var released = sink
///     sink = nil
///     try await KataSupport.expectReleased { released }
public func expectReleased(_ object: () -> AnyObject?) async throws {
    await settle()
    if let object = object() { throw DeadlineExceeded(.release, arrived: "\(type(of: object))") }
}
