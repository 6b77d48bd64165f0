import Workbook

extension Seat {
    /// A session as far as it can be read; what is missing is said on standard error.
    func interview(in folder: String) throws(Stop) -> InterviewRecord {
        do {
            let contents = try InterviewFolder(self.folder(folder)).load()
            if let trouble = contents.trouble { console.say(words.reports(trouble)) }
            return contents.record
        } catch {
            throw Stop(sentence: words.reports(error.statement), code: .trouble)
        }
    }
}
