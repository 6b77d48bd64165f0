/// The functions of KataSupport that the program around a suite calls, by the names that the linker knows.
public enum SupportFunction: String, CaseIterable, Sendable {
    case beginTest = "kataSupportBeginTest"
    case expectHangs = "kataSupportExpectHangs"
    case expectations = "kataSupportExpectations"
    case isEndless = "kataSupportIsEndless"
    case keepFindings = "kataSupportKeepFindings"
    case onDeadlock = "kataSupportOnDeadlock"
    case orders = "kataSupportOrders"
    case schedule = "kataSupportSchedule"
    case takeFinding = "kataSupportTakeFinding"
    case watchRaces = "kataSupportWatchRaces"
}
