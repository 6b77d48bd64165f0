import KataSupport
import LoadingScreen
import XCTest

final class LoadingScreenXCTests: XCTestCase {
    func testReleasingTheScreenCancelsTheLoad() async throws {
        let load = KataSupport.CancellationProbe()
        func openAndRelease() async throws {
            let screen = LoadingScreen { try? await load.run() }
            screen.open()
            try await load.started()
            withExtendedLifetime(screen) {}
        }
        try await openAndRelease()
        try await load.cancelled()
    }
}
