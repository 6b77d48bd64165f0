import Testing
import Workbook

@Suite("The name that a person probably meant")
struct NearestNameTests {
    @Test(
        "A typing mistake",
        arguments: [
            ("chek", "check"), ("hcek", nil), ("chekc", "check"), ("CHECK", "check"), ("lst", "list"), ("hnt", "hint"),
            ("rest", "reset"), ("lang", "language"), ("comp", "completion"), ("zzz", nil), ("", nil), ("x", nil),
            ("solutoin", "solution"), ("tor", "doctor"), ("lis", "list"), ("i", nil),
        ] as [(String, String?)])
    func command(written: String, meant: String?) {
        let names = ["check", "hint", "list", "show", "reset", "solution", "language", "doctor", "completion"]
        #expect(NearestName(to: written, among: names).name == meant)
    }

    @Test(
        "A language by its code, its own name, its English name or a locale",
        arguments: [
            ("ko", Language.korean), ("한국어", .korean), ("korean", .korean), ("KO", .korean), ("zh-CN", .chinese),
            ("中文", .chinese), ("简体中文", .chinese), ("Español", .spanish), ("espanol", .spanish), ("ไทย", .thai),
            ("bahasa indonesia", .indonesian), ("en_US.UTF-8", .english), ("English", .english), ("kr", .korean),
            ("cn", .chinese), ("漢語", .chinese), ("ไทย ", .thai),
            ("bahasa", .indonesian), ("spa", .spanish), ("inglés", .english), ("영어", .english),
            ("ko_KR.UTF-8", .korean), ("zh_Hans_CN", .chinese),
        ])
    func language(name: String, language: Language) {
        #expect(Language(named: name) == language)
    }

    @Test(
        "A language that is misspelled",
        arguments: [("한국", Language.korean), ("Koraen", .korean), ("espanhol", .spanish), ("thia", .thai)])
    func nearestLanguage(name: String, language: Language) {
        #expect(Language(named: name) == nil)
        #expect(Language.nearest(to: name) == language)
    }

    @Test("A language that is not offered", arguments: ["fr", "日本語", "klingon"])
    func noLanguage(name: String) {
        #expect(Language(named: name) == nil)
        #expect(Language.nearest(to: name) == nil)
    }
}
