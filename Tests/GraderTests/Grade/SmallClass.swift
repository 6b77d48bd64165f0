import Foundation
import TestSupport

/// A class of submissions to the small workbook, one folder for each learner.
struct SmallClass {
    let folder: URL

    init(_ folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// A file of the class's folder itself.
    func write(_ source: String, to file: String) throws {
        try Data(source.utf8).write(to: folder.appendingPathComponent(file))
    }

    func add(_ learner: String, _ source: String) throws {
        let place = folder.appendingPathComponent(learner)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data(source.utf8).write(to: place.appendingPathComponent("Greeting.swift"))
    }

    /// Learners whose answers differ, some right and some wrong.
    func addLearners(_ count: Int) throws {
        for number in 0..<count {
            let source = number.isMultiple(of: 3) ? SmallWorkbook.passing : SmallWorkbook.answer
            try add("learner \(100 + number)", "// \(number)\n" + source)
        }
    }
}
