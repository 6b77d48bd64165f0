import Testing
import Workbook

@Suite("The language a person reads")
struct LanguageTests {
    @Test(
        "A locale names its language",
        arguments: [
            ("ko_KR.UTF-8", Language.korean), ("zh-Hans-CN", .chinese), ("es_CO", .spanish), ("in_ID", .indonesian),
            ("th", .thai), ("en_US.UTF-8", .english),
        ])
    func locale(name: String, language: Language) {
        #expect(Language(locale: name) == language)
    }

    @Test("The C locale asks for no language", arguments: ["C", "POSIX", "C.UTF-8", "", "fr_FR"])
    func noLanguage(name: String) {
        #expect(Language(locale: name) == nil)
    }

    @Test("LC_ALL comes before LC_MESSAGES, and LC_MESSAGES before LANG")
    func order() {
        #expect(Language(environment: ["LANG": "ko_KR", "LC_MESSAGES": "th_TH", "LC_ALL": "es_ES"]) == .spanish)
        #expect(Language(environment: ["LANG": "ko_KR", "LC_MESSAGES": "th_TH", "LC_ALL": ""]) == .thai)
        #expect(Language(environment: ["LANG": "ko_KR", "LC_ALL": "C"]) == nil)
    }
}
