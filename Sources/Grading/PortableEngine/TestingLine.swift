/// A line that Swift Testing prints for people. It only tells where a test's own output begins and ends: what became of
/// the test is in the events.
enum TestingLine: Equatable {
    case started
    case ended
    case frame
    case other

    init(_ line: some StringProtocol) {
        // `◇ Test comesBack() started.`: the symbol is another one where Apple's symbols are installed.
        guard let symbol = line.unicodeScalars.first, !symbol.isASCII, !symbol.properties.isAlphabetic,
            line.dropFirst().first == " "
        else {
            self = .other
            return
        }
        let text = String(line.dropFirst(2))
        if text.hasPrefix("Test run ") {
            self = .frame
        } else if text.hasPrefix("Test ") {
            if text.hasSuffix(" started.") {
                self = .started
            } else if text.firstMatch(of: /[)"] (passed|failed|was cancelled) after [\d.]+ seconds/) != nil {
                self = .ended
            } else {
                self = text.contains(" recorded a") || text.contains(" skipped") ? .frame : .other
            }
        } else {
            let isFrame = text.hasPrefix("Suite ") || "↳􀄵".unicodeScalars.contains(symbol)
            self = isFrame ? .frame : .other
        }
    }
}
