(() => {
  const { data, words, number, h, s, shade, scrolling, tall, format, name } = page;
  const { report } = data;
  const percent = new Intl.NumberFormat(data.language, { style: "percent", maximumFractionDigits: 0 });
  const heads = (first, ...last) => h("thead", {}, h("tr", {}, h("th", { scope: "col" }, first),
    last.map(([label, type]) => h("th", { scope: "col", class: type ?? "number" }, label))));
  const names = () => report.reports.map(({ report }) => [name(report), "number report"]);
  const told = (result) => result === null ? words.absent : result.handedIn ? percent.format(result.share) : words.notHandedIn;

  // A small line: a filled point for each report that was handed in, an empty one at the bottom where it was not, and a gap
  // where the learner is not in the report.
  function curve(results) {
    const x = (place) => 5 + place * 14;
    const y = (result) => 25 - (result.handedIn ? result.share : 0) * 20;
    let path = "";
    results.forEach((result, place) => {
      if (result) path += (place > 0 && results[place - 1] ? "L" : "M") + x(place) + " " + y(result).toFixed(1);
    });
    const width = x(results.length - 1) + 5;
    const label = results.map((result, place) => format(words.labelled, report.reports[place].report, told(result))).join("; ");
    return s("svg", { class: "curve", width, height: 30, viewBox: "0 0 " + width + " 30", role: "img", "aria-label": label },
      s("path", { d: path }), results.map((result, place) => result
        ? s("circle", { class: result.handedIn ? null : "none", cx: x(place), cy: y(result).toFixed(1), r: 2.5 }) : null));
  }

  function cell(result) {
    if (result === null) return h("td", { class: "number quiet", title: words.absent, "aria-label": words.absent });
    if (!result.handedIn) return h("td", { class: "number quiet", title: words.notHandedIn, "aria-label": words.notHandedIn }, "·");
    return h("td", { class: shade(result.share) },
      format(words.bracketed, number.format(result.points), percent.format(result.share)));
  }

  function learners() {
    return h("section", {}, h("h2", {}, words.learners), tall(words.learners, h("table", { id: "learners" },
      heads(words.learner, [words.curve, ""], ...names(), [words.total]),
      h("tbody", {}, report.learners.map((learner) => h("tr", {},
        h("th", { scope: "row" }, name(learner.learner), learner.fellBehind ? [" ", h("span", { class: "behind" }, "▼ " + words.fellBehind)] : null),
        h("td", {}, curve(learner.results)), learner.results.map(cell),
        h("td", { class: "number" }, number.format(learner.points) + "/" + number.format(learner.maxPoints))))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, words.average), h("td", {}), report.reports.map(({ average }) =>
        h("td", { class: "number" }, average === null ? "–" : percent.format(average))), h("td", {}))))));
  }

  function themes() {
    if (report.themes.length === 0) return "";
    const share = ({ passed, tests }) => passed / tests;
    return h("section", {}, h("h2", {}, words.themes), tall(words.themes, h("table", { id: "themes" },
      heads(words.theme, ...names()),
      h("tbody", {}, report.themes.map((theme) => h("tr", {}, h("th", { scope: "row" }, theme.title),
        theme.results.map((tests) => tests === null ? h("td", {})
          : h("td", { class: shade(share(tests)), title: number.format(tests.passed) + "/" + number.format(tests.tests) },
            percent.format(share(tests))))))))));
  }

  const behind = report.learners.filter((learner) => learner.fellBehind).length;
  const last = report.reports[report.reports.length - 1].average;
  const card = (label, value) => h("li", {}, h("b", {}, value), label);
  document.getElementById("main").replaceChildren(
    h("ul", { class: "cards", id: "cards" }, card(words.learners, number.format(report.learners.length)),
      card(words.fellBehind, number.format(behind)), card(words.average, last === null ? "–" : percent.format(last))),
    h("p", { class: "quiet", id: "rule" }, words.rule), learners(), themes());
})();
