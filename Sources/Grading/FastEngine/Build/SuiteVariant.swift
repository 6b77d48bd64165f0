import Workbook

/// The rules for a suite's object that was compiled against a submission's own module.
///
/// The submission's interface may change how the suite calls the kata, and nothing else: no code of the submission's may
/// come into the suite's object, and no declaration of the submission's may take the place of another module's.
struct SuiteVariant {
    var kata: Kata
    /// The suite as compiled against the model answer.
    var suite: CompiledSuite

    enum Problem: Equatable {
        case rejected(Rejection)
        /// It needs declarations of the kata that the suite does not know.
        case needsMore
    }

    /// Why the variant may not be used; `nil` where it may.
    func problem(_ variant: ObjectFile) -> Problem? {
        var known = Set(suite.needs.compactMap(demangled).map(declarationPath))
        // A type that has become another kind is needed itself, and not only its members.
        for path in known where path.count == 3 && path[0] == Substring(kata.kata) {
            known.insert(Array(path.prefix(2)))
        }
        // The name of a declaration does not say in which type an extension has put it.
        let members = Set(known.compactMap(\.last)).subtracting(["init", "__allocating_init", "subscript"])
        for symbol in variant.undefined.subtracting(suite.undefined).sorted() {
            let text = demangled(symbol)
            if isOwn(symbol) {
                let path = declarationPath(text ?? symbol)
                if !known.contains(path), !(path.last.map(members.contains) ?? false) { return .needsMore }
                continue
            }
            let modules = Set(text.map(dottedNames)?.compactMap(\.first) ?? [])
            if modules.isDisjoint(with: ["Testing", "XCTest", "KataSupport"]),
                let rejection = ObjectInspection(module: kata.kata).rejectionOfNeed(symbol)
            {
                return .rejected(rejection)
            }
        }
        return nil
    }

    /// Whether the submission's object has all that the variant needs of the kata.
    func links(_ variant: ObjectFile, with submission: ObjectFile) -> Bool {
        variant.undefined.subtracting(submission.exported).allSatisfy { !isOwn($0) }
    }

    private func isOwn(_ symbol: String) -> Bool {
        guard let text = demangled(symbol) else { return false }
        return dottedNames(text).contains { $0.first == Substring(kata.kata) } || text.contains("in \(kata.kata))")
    }
}
