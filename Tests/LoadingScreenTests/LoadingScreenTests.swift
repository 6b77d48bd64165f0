import KataSupport
import LoadingScreen
import Testing

@Suite(.ownProcess) struct LoadingScreenTests {
    @Test func closingCancelsTheLoad() async throws {
        let load = KataSupport.CancellationProbe()
        let screen = LoadingScreen { try? await load.run() }
        screen.open()
        try await load.started()
        screen.close()
        try await load.cancelled()
        withExtendedLifetime(screen) {}
    }
}
