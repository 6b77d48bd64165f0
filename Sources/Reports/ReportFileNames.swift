import Foundation
import Storage
import Workbook

/// Gives every learner a file name that any disk takes, that is theirs alone, and that leaves its folder never.
///
/// A plain name stays as it is. One that had to be changed has a few digits of its digest behind it, so that the same
/// learner has the same file in every run, and with any other learners in the class.
public enum ReportFileNames {
    public static func name(for learner: String) -> String {
        let composed = learner.precomposedStringWithCanonicalMapping
        var safe = ""
        for character in composed {
            let isPlain = character.isLetter || character.isNumber || " -_.,()@+'".contains(character)
            // A letter may have a few combining marks. Text with more of them is cut.
            safe += isPlain && character.unicodeScalars.count <= 8 ? String(character) : "_"
        }
        while safe.utf8.count > 120 { safe.removeLast() }
        if safe.hasPrefix(".") || safe.hasPrefix("-") { safe = "_" + safe.dropFirst() }
        while let last = safe.last, last == " " || last == "." { safe.removeLast() }
        safe = String(safe.drop { $0 == " " })
        let isReserved = reserved.contains(safe.lowercased().split(separator: ".").first.map(String.init) ?? "")
        // Disks that don't tell capitals apart would lay one learner's file over another's; who has a name in capitals
        // is distinguished by the class's list already.
        // No learner may have the name that another learner's changed name becomes.
        let looksChanged = safe.contains(/-[0-9a-f]{8}$/)
        guard safe == learner, !isReserved, !looksChanged, !safe.isEmpty else {
            return (safe.isEmpty ? "learner" : safe) + "-" + SHA256.digest(of: learner).hex.prefix(8)
        }
        return safe
    }

    /// What Windows keeps for its devices.
    private static let reserved: Set<String> = Set(
        ["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })
}
