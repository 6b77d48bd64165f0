(() => {
  const { data, words, number, h, scrolling, prose, filled, format, testView, kataHead, line, source, visible, said } = page;
  const main = document.getElementById("main");
  const list = new Intl.ListFormat(data.language, { style: "narrow", type: "conjunction" });
  const signs = { error: "✗", warning: "⚠", note: "ℹ" };
  const handedIn = data.katas.filter((row) => !row.isMissing);
  const missing = data.katas.filter((row) => row.isMissing).map((row) => row.kata.name);

  // The code as it was submitted. Below a line that a diagnostic names stands what it says.
  function codeRows(code) {
    const marks = new Map();
    for (const mark of code.marks) marks.set(mark.line, [...(marks.get(mark.line) ?? []), mark]);
    return source(code.text, code.colors).map(({ text, colors }, index) => {
      const said = marks.get(index + 1) ?? [];
      const severity = Object.keys(signs).find((one) => said.some((mark) => mark.severity === one));
      const row = line(index + 1, severity ? signs[severity] : "", [[text, false]], colors);
      if (severity) row.classList.add("marked", severity);
      return [row, said.map((mark) => h("p", { class: "remark" }, visible(mark.message)))];
    });
  }

  function codeView(row) {
    if (!row.code) return null;
    const label = words.code + " · " + row.kata.name;
    return h("div", { class: "code" },
      row.code.text === undefined ? null
        : h("div", { class: "pane", tabindex: "0", role: "region", "aria-label": label }, codeRows(row.code)),
      row.code.note ? h("p", { class: "quiet note" }, prose(row.code.note)) : null);
  }

  // What did not pass comes first.
  function testViews({ kata, verdict, notRun }) {
    if (notRun) return h("p", { class: "message" }, prose(notRun));
    const order = kata.tests.map((test, index) => index);
    const [passed, others] = [true, false].map((isPassed) => order.filter((index) => (verdict.tests[index] === "P") === isPassed));
    return [...others, ...passed].map((index) => testView(verdict, kata.tests[index], index));
  }

  function hintViews(hints) {
    return [h("h4", {}, words.hints), hints.map((hint) => h("div", { class: "hint" },
      filled(words.labelled, h("b", {}, prose(hint.title)), prose(hint.words))))];
  }

  function kataView(row) {
    const { kata, verdict, path } = row;
    return h("article", { id: kata.name }, kataHead(kata, verdict, path), h("div", { class: row.code ? "sides" : "" },
      h("div", { class: "verdict" },
        verdict.diagnostics.length ? said(verdict.diagnostics) : null,
        testViews(row),
        row.hints?.length ? hintViews(row.hints) : null),
      codeView(row)));
  }

  function table() {
    const col = (label, type = "") => h("th", { scope: "col", class: type }, label);
    return scrolling(words.results, h("table", { id: "katas" },
      h("thead", {}, h("tr", {}, col(words.kata), col(words.state), col(words.points, "number"))),
      h("tbody", {}, handedIn.map(({ kata, verdict }) => h("tr", {},
        h("th", { scope: "row" }, h("a", { href: "#" + kata.name }, kata.name)), h("td", {}, words.outcomes[verdict.outcome]),
        h("td", { class: "number" }, number.format(verdict.points) + "/" + number.format(kata.maxPoints)))))));
  }

  const total = (of) => data.katas.reduce((sum, row) => sum + of(row), 0);
  document.title = data.name + " – " + words.results;
  document.getElementById("title").replaceChildren(...visible(data.name));
  main.replaceChildren(
    data.points === undefined ? "" : h("ul", { class: "cards" }, h("li", {},
      h("b", {}, number.format(data.points) + "/" + number.format(total((row) => row.kata.maxPoints))),
      words.points)),
    ...data.adjustments.map((text) => h("p", { class: "adjustment" }, prose(text))),
    data.problem ? h("p", { class: "message", id: "problem" }, "⚠ ", prose(data.problem)) : "",
    handedIn.length > 1 ? table() : "",
    missing.length ? h("p", { id: "missing" }, format(words.labelled, words.notHandedIn, list.format(missing))) : "",
    ...handedIn.map(kataView));
  for (const pane of document.querySelectorAll(".pane")) {
    const marked = pane.querySelector(".marked");
    if (marked) pane.scrollTop = Math.max(0, marked.offsetTop - pane.clientHeight / 3);
  }
})();
