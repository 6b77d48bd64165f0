import Workbook

/// What holds of the files of a kata, and of `kata.json`.
extension KataFiles {
    func shortcomingsOfFiles() -> [Shortcoming] {
        let needed = [stub, shippedStub, modelAnswer, catalog] + briefs.map(\.file)
        var found = needed.filter { $0.text == nil }.map { shortcoming(.kataFileMissing, $0.path) }
        if let text = stub.text, let copy = shippedStub.text, text != copy {
            found.append(shortcoming(.stubNotShipped, stub.path, shippedStub.path))
        }
        return found
    }

    func shortcomingsOfManifest() -> [Shortcoming] {
        var found: [Shortcoming] = []
        if !kata.tests.contains(where: { $0.tier == .core }) { found.append(shortcoming(.noCoreTest, manifest)) }
        let known = Set(kata.tests.map(\.id))
        let parts = StubParts(Array((stub.text ?? "").utf8))
        var told: Set<String> = []
        for test in kata.tests {
            if !told.insert(test.id).inserted { found.append(shortcoming(.testTwice, test.id)) }
            if !test.hasIDOfItsFramework { found.append(shortcoming(.testIDForm, test.id, test.framework.rawValue)) }
            let others =
                test.after.map { ("after", $0) } + test.hints.flatMap { $0.failing ?? [] }.map { ("failing", $0) }
                + test.hints.flatMap { $0.passing ?? [] }.map { ("passing", $0) }
            for (key, other) in others where !known.contains(other) {
                found.append(shortcoming(.testRefersToUnknown, test.id, key, other))
            }
            for kind in test.hints.compactMap(\.kind) where !HintRule.kinds.contains(kind) {
                found.append(shortcoming(.hintKindUnknown, test.id, kind, HintRule.kinds.listed))
            }
            for part in test.parts where !parts.has(part) {
                found.append(shortcoming(.testPartUnknown, test.id, part, stub.path))
            }
            // Every test comes after those that explain it, so there can be no ring.
            for other in test.after where known.contains(other) && !told.contains(other) {
                found.append(shortcoming(.testExplainedLater, test.id, other))
            }
        }
        return found
    }

    /// What holds of the katas of a workbook together.
    ///
    /// - Parameter rules: the names of the workbook's rules.
    static func shortcomings(of manifests: [(folder: String, kata: Kata?)], rules: Set<String>) -> [Shortcoming] {
        var found: [Shortcoming] = []
        var places: [Int: String] = [:]
        for (folder, kata) in manifests {
            guard let kata else {
                found.append(Shortcoming(folder, .kataWithoutManifest, "Exercises/\(folder)"))
                continue
            }
            if kata.kata != folder { found.append(Shortcoming(folder, .kataFolderName, folder, kata.kata)) }
            if let other = places[kata.order] {
                found.append(Shortcoming(folder, .kataOrderTwice, "\(kata.order)", other))
            }
            places[kata.order] = folder
            let earlier = Set(manifests.compactMap(\.kata).filter { $0.order < kata.order }.map(\.kata))
            for need in kata.needs where !earlier.contains(need) {
                found.append(Shortcoming(folder, .kataNeedsUnknown, need))
            }
            let hasThemes = kata.tests.contains { $0.theme != nil }
            for test in kata.tests {
                if test.points < 1 { found.append(Shortcoming(folder, .testPoints, test.id, "\(test.points)")) }
                if hasThemes, test.tier == .robust, test.theme == nil {
                    found.append(Shortcoming(folder, .testWithoutTheme, test.id, Theme.allCases.map(\.rawValue).listed))
                }
                if let rule = test.rule, !rules.contains(rule) {
                    found.append(Shortcoming(folder, .testRuleUnknown, test.id, rule, rules.sorted().listed))
                }
            }
        }
        return found
    }
}

extension KataTest {
    /// `Type/function()` for Swift Testing, with labels where it has arguments, and `Type/testFunction` for XCTest.
    fileprivate var hasIDOfItsFramework: Bool {
        switch framework {
        case .testing: id.wholeMatch(of: /(?:[^\/()]+\/)+[^\/()]+\([^\/()]*\)/) != nil
        case .xctest: id.wholeMatch(of: /[^\/()]+\/test[^\/()]*/) != nil
        }
    }
}
