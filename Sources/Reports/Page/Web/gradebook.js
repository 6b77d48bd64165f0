(() => {
  const { data, words, marks, number, seconds, h, s, source, roving, shade, scrolling, tall, mark, prose, plain, filled, format, testView, kataHead, line, said, short, width } = page;
  const main = document.getElementById("main");
  const pageSize = 100;
  const percent = new Intl.NumberFormat(data.language, { style: "percent", maximumFractionDigits: 0 });
  // How a kata ended, told without colour.
  const endings = { mastered: "★", passed: "✓", failed: "✗", didNotCompile: "!", rejected: "⊘", notStarted: "○", notHandedIn: "·" };
  const nameOf = (ending) => ending === "notHandedIn" ? words.notHandedIn : words.outcomes[ending];
  const list = new Intl.ListFormat(data.language, { style: "narrow", type: "conjunction" });
  const collator = new Intl.Collator(data.language, { numeric: true });

  // What a name is searched by: without capitals, accents and other marks of letters that a keyboard may not have.
  const plainLetters = { "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th" };
  const folded = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase()
    .replace(/[øłđðıßæœþ]/g, (letter) => plainLetters[letter]).normalize("NFKC");
  // A kata that was not handed in, or not changed, says nothing about the kata.
  const counts = (result) => Boolean(result) && result.outcome !== "notStarted";

  // How the platform knows a learner.
  const known = (learner) => learner.identity ?? {};

  // What is true of the class.
  const learners = data.learners.map((learner, index) => {
    const katas = data.katas.map((kata, k) => {
      const result = learner.katas.find((candidate) => candidate.kata === k);
      if (!result) return null;
      return { ...result, ...result.verdict, ending: result.isMissing ? "notHandedIn" : result.verdict.outcome };
    });
    const sum = (of) => katas.reduce((total, result) => total + (result ? of(result) : 0), 0);
    return {
      ...learner, index, results: katas, isGraded: katas.some((result) => result && !result.isMissing),
      look: katas.flatMap((result) => result ? result.look : []),
      searchable: folded([learner.name, known(learner).number, known(learner).github, known(learner).email].join(" ")),
      points: learner.lateness ? learner.lateness.points : sum((result) => result.points), seconds: sum((result) => result.seconds), identical: new Map(),
    };
  });
  const maxPoints = data.katas.reduce((total, kata) => total + kata.maxPoints, 0);
  const graded = learners.filter((learner) => learner.isGraded);
  const byName = new Map(learners.map((learner) => [learner.name, learner]));
  for (const group of data.identical) {
    for (const name of group.learners) {
      byName.get(name)?.identical.set(group.kata, group.learners.filter((other) => other !== name));
    }
  }

  for (const group of [...data.similar, ...data.known]) {
    for (const name of group.learners) if (byName.has(name)) byName.get(name).isSimilar = true;
  }

  const isPassed = (result) => Boolean(result) && (result.outcome === "passed" || result.outcome === "mastered");
  const link = (learner) => h("a", { href: "#learner/" + (learner.index + 1) }, learner.name);
  const people = (names) => list.formatToParts(names).map(({ type, value }) =>
    type === "element" && byName.has(value) ? link(byName.get(value)) : value);

  // More names than a person reads at once open when they are wanted.
  const most = 12;
  const crowd = (names) => names.length <= most ? people(names)
    : h("details", {}, h("summary", {}, format(words.labelled, words.learners, number.format(names.length))), people(names));

  // The class at a glance.
  const view = { filter: "", state: "all", sort: "name", descending: false, page: 0, kata: 0 };

  const median = (values) => {
    const sorted = values.toSorted((a, b) => a - b);
    return sorted.length ? (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2 : 0;
  };

  function cards() {
    const results = graded.flatMap((learner) => learner.results.map((result, k) => [result, data.katas[k]]))
      .filter(([result]) => counts(result));
    const points = results.reduce((total, [result]) => total + result.points, 0);
    const most = results.reduce((total, [, kata]) => total + kata.maxPoints, 0);
    const card = (label, value) => h("li", {}, h("b", {}, value), label);
    return h("ul", { class: "cards", id: "cards" },
      card(words.learners, number.format(learners.length)),
      card(words.average, percent.format(most ? points / most : 0)),
      card(words.medianOfAll, percent.format(median(graded.map((learner) => maxPoints ? learner.points / maxPoints : 0)))),
      card(words.problems, number.format(learners.filter((learner) => learner.problem).length)),
      card(words.toLookAt, number.format(learners.filter((learner) => learner.look.length > 0).length)));
  }

  function distribution() {
    const bins = new Array(10).fill(0);
    for (const learner of graded) bins[Math.min(9, Math.floor((maxPoints ? learner.points / maxPoints : 0) * 10))] += 1;
    const most = Math.max(1, ...bins);
    const bars = bins.flatMap((count, index) => {
      const height = (count / most) * 120;
      const x = 10 + index * 44;
      return [
        s("rect", { class: "bar", x, y: 145 - height, width: 38, height },
          s("title", {}, format(words.labelled,
            percent.format(index / 10) + "–" + percent.format((index + 1) / 10), number.format(count)))),
        s("text", { x: x + 19, y: 140 - height, "text-anchor": "middle" }, number.format(count)),
        s("text", { class: "quiet", x: x + 19, y: 162, "text-anchor": "middle" }, percent.format(index / 10)),
      ];
    });
    return h("section", { id: "distribution" }, h("h2", {}, words.distribution),
      scrolling(words.distribution,
        s("svg", { width: 460, height: 190, viewBox: "0 0 460 190", role: "img", "aria-label": words.distribution },
          s("line", { class: "axis", x1: 6, y1: 146, x2: 452, y2: 146 }), ...bars,
          s("text", { class: "quiet", x: 229, y: 184, "text-anchor": "middle" }, words.distributionAxis))));
  }

  function hardest() {
    const tests = data.katas.flatMap((kata, k) => kata.tests.map((test, t) => {
      const seen = graded.filter((learner) => counts(learner.results[k]));
      // A test that did not run did not fail.
      const failing = seen.filter((learner) => "FCT".includes(learner.results[k].tests[t])).length;
      return { kata, test, failing, share: seen.length ? failing / seen.length : 0 };
    })).filter((entry) => entry.failing > 0).sort((a, b) => b.failing - a.failing).slice(0, 10);
    return h("section", { id: "hardest" }, h("h2", {}, words.hardest),
      tests.length === 0 ? h("p", {}, words.none) : scrolling(words.hardest, h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, words.test), h("th", { scope: "col" }, words.failing),
          h("th", { scope: "col" }, words.hint))),
        h("tbody", {}, tests.map((entry) => h("tr", {},
          h("th", { scope: "row" }, entry.kata.name + " · ", prose(entry.test.title)),
          h("td", { class: "number" }, format(words.bracketed, number.format(entry.failing), percent.format(entry.share))),
          h("td", {}, prose(entry.test.hint))))))));
  }

  // What a group is weak in: of the core tests and of each theme, the share that passes.
  function themes() {
    const columns = [["core", words.tiers.core], ...data.themes];
    const names = columns.map(([name]) => name);
    const themeOf = (test) => test.theme ?? (test.tier === "core" ? "core" : undefined);
    const rows = data.katas.map((kata, k) => {
      const seen = graded.filter((learner) => counts(learner.results[k]));
      return { kata, shares: names.map((name) => {
        const tests = kata.tests.map((test, t) => t).filter((t) => themeOf(kata.tests[t]) === name);
        const passed = seen.reduce((sum, learner) => sum + tests.filter((t) => learner.results[k].tests[t] === "P").length, 0);
        return tests.length && seen.length ? { share: passed / (tests.length * seen.length), tests: tests.length } : undefined;
      }) };
    }).filter((row) => row.shares.some((share) => share !== undefined));
    const used = names.filter((name, n) => rows.some((row) => row.shares[n] !== undefined));
    if (rows.length === 0) return "";
    return h("section", { id: "themes" }, h("h2", {}, words.themes), scrolling(words.themes, h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, words.kata),
        used.map((name) => h("th", { scope: "col", class: "number" }, columns[names.indexOf(name)][1])))),
      h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.kata.name),
        used.map((name) => row.shares[names.indexOf(name)]).map((told) => told === undefined ? h("td", {})
          : h("td", { class: shade(told.share), title: format(words.labelled, words.tests, number.format(told.tests)) },
            percent.format(told.share)))))))), h("p", { class: "quiet" }, words.themesNote));
  }

  function time() {
    const rows = data.katas.map((kata, k) => {
      const times = graded.filter((learner) => counts(learner.results[k]))
        .map((learner) => ({ learner, seconds: learner.results[k].seconds })).sort((a, b) => a.seconds - b.seconds);
      const total = times.reduce((sum, entry) => sum + entry.seconds, 0);
      return { kata, total, median: times[Math.floor(times.length / 2)], slowest: times[times.length - 1] };
    }).filter((row) => row.slowest);
    return h("section", { id: "time" }, h("h2", {}, words.time), rows.length === 0 ? h("p", {}, words.none) : scrolling(words.time, h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, words.kata),
        h("th", { scope: "col", class: "number" }, words.total), h("th", { scope: "col", class: "number" }, words.median),
        h("th", { scope: "col" }, words.slowest))),
      h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.kata.name),
        h("td", { class: "number" }, seconds.format(row.total)),
        h("td", { class: "number" }, seconds.format(row.median.seconds)),
        h("td", {}, seconds.format(row.slowest.seconds) + " ", link(row.slowest.learner))))))));
  }

  function identical() {
    return h("section", { id: "identical" }, h("h2", {}, words.identical),
      data.identical.length === 0 ? h("p", {}, words.none) : h("ul", {}, data.identical.map((group, place) =>
        h("li", { id: "identical-" + (place + 1) }, h("b", {}, group.kata), " ", crowd(group.learners)))));
  }

  const share = ({ least, most }) => least === most ? percent.format(most) : percent.format(least) + "–" + percent.format(most);
  // A group of more than two is found by its size.
  const size = (group) => group.learners.length > 2 ? [format(words.labelled, words.learners, number.format(group.learners.length)), " · "] : [];

  function likeKnown() {
    return h("section", { id: "known" }, h("h2", {}, words.known),
      data.known.length === 0 ? h("p", {}, words.none) : [h("ul", {}, data.known.map((group) =>
        h("li", {}, h("b", {}, group.kata), " ", h("code", {}, group.answer), " ", h("span", { class: "quiet" }, share(group)), " · ",
          group.learners.length > most ? "" : size(group), crowd(group.learners)))),
      h("p", { class: "quiet" }, words.knownNote)]);
  }

  function similar() {
    const pair = (index) => h("li", {}, h("a", { href: "#pair/" + (index + 1),
      "aria-label": words.sideBySide + " · " + namesOf(data.pairs[index]) }, words.sideBySide), " ",
      namesOf(data.pairs[index]), " ", h("span", { class: "quiet" }, percent.format(data.pairs[index].similarity)));
    const leftOut = data.similar.reduce((sum, group) => sum + group.leftOut, 0);
    // A long list shows what was chosen.
    const open = data.pairs.length <= 20;
    const entry = ([group, place]) => h("li", {}, h("details", { id: "group-" + (place + 1), open },
      h("summary", {}, h("b", {}, number.format(place + 1), " · ", group.kata), " ", size(group),
        group.learners.length > most ? "" : [people(group.learners), " "], h("span", { class: "quiet" }, share(group))),
      group.learners.length > most ? h("p", {}, people(group.learners)) : "", h("ul", {}, group.pairs.map(pair))));
    const groups = [...data.similar.entries()].map(([place, group]) => [group, place]);
    const parts = data.katas.map(({ name }) => {
      const own = groups.filter(([group]) => group.kata === name);
      const figures = [...own.map(([group, place]) => circle(group, place)), ...copies(name)];
      return figures.length === 0 ? "" : [h("h3", {}, name), h("div", { class: "circles" }, figures),
        own.length ? h("ul", { class: "groups" }, own.map(entry)) : ""];
    });
    return h("section", { id: "similar" }, h("h2", {}, words.similar),
      data.similar.length + data.identical.length === 0 ? h("p", {}, words.none) : [h("p", { class: "quiet" }, words.similarPicture), parts,
      leftOut ? h("p", { id: "leftOut" }, format(words.labelled, words.similarPairsLeftOut, number.format(leftOut))) : "",
      h("p", { class: "quiet" }, words.similarNote)]);
  }

  // A group as a circle of its files, with a line between two that have much in common. The most similar ones are next to each
  // other, and the names have a line of their own at both sides.
  function circle({ kata, nodes, links }, place, href = "#similar/" + (place + 1)) {
    const near = nodes.map(() => new Map());
    for (const [a, b, common] of links) {
      near[a].set(b, common);
      near[b].set(a, common);
    }
    const order = [0];
    const left = new Set(nodes.keys());
    left.delete(0);
    while (left.size > 0) {
      const from = near[order[order.length - 1]];
      const next = [...left].reduce((best, one) => (from.get(one) ?? 0) > (from.get(best) ?? 0) ? one : best);
      order.push(next);
      left.delete(next);
    }
    const count = nodes.length;
    const radius = count === 1 ? 0 : Math.min(30 + 5 * count, 200);
    const labelOf = ([first, ...others]) => short(first, 22) + (others.length ? " +" + number.format(others.length) : "");
    const points = [];
    order.forEach((node, index) => {
      const angle = ((index + 0.5) / count - 0.25) * 2 * Math.PI;
      const [x, y] = [-radius * Math.cos(angle), radius * Math.sin(angle)];
      points[node] = { node, x, y, row: y, side: index < count / 2 ? -1 : 1, label: labelOf(nodes[node]) };
    });
    for (const side of [1, -1]) {
      const names = points.filter((point) => point.side === side).sort((a, b) => a.y - b.y || a.node - b.node);
      names.forEach((point, index) => { if (index) point.row = Math.max(point.row, names[index - 1].row + 16); });
      const lower = names.reduce((sum, point) => sum + point.row - point.y, 0) / Math.max(1, names.length);
      for (const point of names) point.row -= lower;
    }
    const room = [-1, 1].map((side) => radius + 14
      + Math.max(0, ...points.filter((point) => point.side === side).map((point) => width(point.label) + 16)));
    const across = Math.ceil(room[0] + room[1]);
    const top = Math.max(...points.flatMap((point) => [Math.abs(point.y), Math.abs(point.row)])) + 22;
    const lines = links.map(([a, b, common, pair]) => {
      const [from, to] = [points[a], points[b]];
      const ends = { x1: from.x.toFixed(1), y1: from.y.toFixed(1), x2: to.x.toFixed(1), y2: to.y.toFixed(1) };
      const title = list.format(nodes[a]) + " – " + list.format(nodes[b]) + " · " + percent.format(common / 100);
      const element = s("a", {
        class: "link" + (common < 75 ? " weak" : common < 90 ? "" : " strong"), "aria-label": title,
        href: pair < 0 ? href : href + "/" + (pair + 1),
      }, s("title", {}, title), s("line", { class: "hit", ...ends }),
      s("line", { class: "drawn", ...ends, "stroke-width": (1 + Math.max(0, common - 60) / 8).toFixed(1) }));
      return { a, b, common, element };
    });
    const places = points.map((point) => {
      const title = list.format(nodes[point.node]);
      const x = point.side * (radius + 18);
      return { a: point.node, b: point.node, element: s("a", { class: "node", href, "aria-label": title }, s("title", {}, title),
        s("line", { class: "leader", x1: point.x.toFixed(1), y1: point.y.toFixed(1), x2: x, y2: point.row.toFixed(1) }),
        s("circle", { cx: point.x.toFixed(1), cy: point.y.toFixed(1), r: nodes[point.node].length > 1 ? 8 : 5 }),
        s("text", { x: x + point.side * 3, y: (point.row + 4).toFixed(1), "text-anchor": point.side > 0 ? "start" : "end" }, point.label)) };
    });
    const all = [...places, ...lines];
    const figure = s("svg", { width: across, height: Math.ceil(2 * top), role: "group", class: across > 520 ? "wide" : null,
      viewBox: [-room[0], -top, across, 2 * top].map(Math.ceil).join(" "), "aria-label": kata + " · " + number.format(place + 1) },
    // The thickest line is on top of the others.
    lines.toSorted((a, b) => a.common - b.common).map(({ element }) => element), places.map(({ element }) => element),
    count === 2 ? s("text", { y: -9, "text-anchor": "middle" }, percent.format(links[0][2] / 100)) : null);
    roving(figure, all.map(({ element }) => element));
    // What is pointed at stands out with all that it touches.
    const point = (chosen) => {
      figure.classList.toggle("choosing", Boolean(chosen));
      const isEnd = (node) => chosen && (node === chosen.a || node === chosen.b);
      for (const { a, b, element } of lines) {
        element.classList.toggle("lit", Boolean(chosen) && (chosen.a === chosen.b ? isEnd(a) || isEnd(b) : element === chosen.element));
      }
    };
    for (const one of all) {
      for (const kind of ["pointerenter", "focus"]) one.element.addEventListener(kind, () => point(one));
      for (const kind of ["pointerleave", "blur"]) one.element.addEventListener(kind, () => point(null));
      // Choosing the same once more is no change of the address.
      one.element.addEventListener("click", () => { if (location.hash === one.element.getAttribute("href")) show(); });
    }
    return h("figure", {}, h("figcaption", {}, number.format(place + 1)), scrolling(kata + " · " + number.format(place + 1), figure));
  }

  // Files that are the same and near to no other one.
  function copies(kata) {
    return data.identical.flatMap((group, place) => {
      if (group.kata !== kata) return [];
      if (data.similar.some((other) => other.kata === kata && other.learners.includes(group.learners[0]))) return [];
      const figure = circle({ kata, nodes: [group.learners], links: [] }, place, "#identical/" + (place + 1));
      figure.querySelector("figcaption").textContent = "=";
      return [figure];
    });
  }

  // Opens what was chosen in the pictures.
  function reveal([, kind, group, pair]) {
    if (!document.getElementById("class")) classView();
    const entry = document.getElementById((kind === "similar" ? "group-" : "identical-") + group);
    if (!entry) return false;
    if (kind === "similar") entry.open = true;
    entry.querySelectorAll("details").forEach((inner) => { inner.open = true; });
    const target = (pair && entry.querySelector('a[href="#pair/' + pair + '"]')) || entry.querySelector("summary, a");
    document.querySelectorAll(".chosen").forEach((other) => other.classList.remove("chosen"));
    target.closest("li").classList.add("chosen");
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "center" });
    return true;
  }

  const states = {
    all: () => true,
    unpassed: (learner) => learner.isGraded && !learner.results.every(isPassed),
    problems: (learner) => Boolean(learner.problem),
    identical: (learner) => learner.identical.size > 0,
    similar: (learner) => learner.isSimilar,
    late: (learner) => Boolean(learner.lateness) || Boolean(known(learner).isLate),
    look: (learner) => learner.look.length > 0,
  };
  for (const ending of ["didNotCompile", "rejected", "notHandedIn"]) {
    states[ending] = (learner) => learner.results.some((result) => result && result.ending === ending);
  }

  function chosen() {
    const wanted = folded(view.filter);
    const found = learners.filter((learner) => states[view.state](learner) && learner.searchable.includes(wanted));
    const value = {
      name: (a, b) => collator.compare(a.name, b.name) || a.index - b.index,
      points: (a, b) => a.points - b.points || a.index - b.index,
      seconds: (a, b) => a.seconds - b.seconds || a.index - b.index,
    }[view.sort] ?? ((a, b) => {
      const k = Number(view.sort);
      const points = (result) => !result || result.isMissing ? -1 : result.points;
      return points(a.results[k]) - points(b.results[k]) || a.index - b.index;
    });
    found.sort(value);
    return view.descending ? found.reverse() : found;
  }

  // The class's table, and below it the tests of one kata, of the same learners.
  function classTable() {
    const body = h("tbody", {});
    const tests = h("div", {});
    const shown = h("span", { id: "shown", role: "status" });
    const previous = h("button", { type: "button", onclick: () => turn(-1) }, words.previous);
    const next = h("button", { type: "button", onclick: () => turn(1) }, words.next);
    const headers = [];

    function header(key, label, properties = {}) {
      const cell = h("th", { scope: "col", "data-sort": key, ...properties }, h("button", {
        type: "button", title: format(words.sortBy, label), onclick: () => {
          if (view.sort === key) view.descending = !view.descending;
          else Object.assign(view, { sort: key, descending: key !== "name" });
          view.page = 0;
          fill();
        },
      }, label));
      headers.push(cell);
      return cell;
    }

    function turn(by) { view.page += by; fill(); }

    function late(learner) {
      const { lateness } = learner;
      if (!lateness) return known(learner).isLate ? h("small", { class: "late" }, " ", words.late) : "";
      return h("small", { class: "late", title: learner.adjustments.join("\n") }, " ", words.late, lateness.by ? " " + lateness.by : "",
        lateness.percent ? " −" + percent.format(lateness.percent / 100) : "");
    }

    function row(learner) {
      const cells = data.katas.map((kata, k) => {
        const result = learner.results[k];
        if (!result) return h("td", { class: "kata none" });
        const label = kata.name + " · " + nameOf(result.ending)
          + (result.isMissing ? "" : " · " + number.format(result.points) + "/" + number.format(kata.maxPoints));
        return h("td", { class: "kata " + result.ending, title: label, "data-kata": kata.name },
          endings[result.ending] + (result.isMissing ? "" : " " + number.format(result.points)));
      });
      return h("tr", {}, h("th", { scope: "row" }, link(learner), learner.problem ? " ⚠" : "",
        learner.look.length ? h("span", { title: learner.look.join("\n") }, " ⚑") : "", late(learner)),
        h("td", { class: "number points" }, learner.isGraded ? number.format(learner.points) : ""), ...cells);
    }

    function testTable(visible) {
      const k = view.kata;
      const kata = data.katas[k];
      const seen = visible.filter((learner) => counts(learner.results[k]));
      if (seen.length === 0) return h("p", {}, words.none);
      // What a number stands for is said where it is pointed at, and where the keyboard is.
      const told = h("p", { id: "testName", role: "status" }, "\u00A0");
      const heads = kata.tests.map((test, t) => h("th", { scope: "col", class: "cell", title: plain(test.title) },
        String(t + 1)));
      const tell = (event) => {
        const t = (event.target.closest("th, td")?.cellIndex ?? 0) - 1;
        // Said once for each test, and not at each movement.
        if (told.dataset.test === String(t)) return;
        told.dataset.test = t;
        if (kata.tests[t]) told.replaceChildren(h("b", {}, t + 1 + "."), " ", ...prose(kata.tests[t].title));
      };
      const table = h("table", { class: "map", id: "testMap", onpointerover: tell, onfocusin: tell });
      roving(table, heads);
      table.append(h("thead", {}, h("tr", {}, h("th", { scope: "col" }, words.learner), heads)),
        h("tbody", {}, seen.map((learner) => h("tr", {}, h("th", { scope: "row" }, link(learner)), kata.tests.map((test, t) => {
          const code = learner.results[k].tests[t];
          const label = plain(test.title) + " · " + words.testOutcomes[marks[code][1]];
          return h("td", { class: "cell " + marks[code][1], title: label }, marks[code][0]);
        })))));
      return [
        h("ul", { class: "legend", "aria-label": words.legend }, Object.keys(marks).map((code) =>
          h("li", {}, mark(code), words.testOutcomes[marks[code][1]]))),
        h("ol", { class: "names" }, kata.tests.map((test) =>
          h("li", {}, prose(test.title), " ", h("span", { class: "quiet" }, words.tiers[test.tier])))),
        told,
        tall(words.heatMap, table),
      ];
    }

    function fill() {
      const found = chosen();
      const pages = Math.max(1, Math.ceil(found.length / pageSize));
      view.page = Math.min(Math.max(0, view.page), pages - 1);
      const visible = found.slice(view.page * pageSize, (view.page + 1) * pageSize);
      body.replaceChildren(...visible.map(row));
      if (visible.length === 0) {
        body.append(h("tr", {}, h("td", { colspan: 2 + data.katas.length }, words.noMatch)));
      }
      tests.replaceChildren(...[testTable(visible)].flat());
      shown.textContent = format(words.labelled, words.shown, number.format(visible.length) + "/" + number.format(learners.length));
      previous.disabled = view.page === 0;
      next.disabled = view.page >= pages - 1;
      previous.hidden = next.hidden = pages === 1;
      for (const cell of headers) {
        if (cell.dataset.sort === view.sort) cell.setAttribute("aria-sort", view.descending ? "descending" : "ascending");
        else cell.removeAttribute("aria-sort");
      }
    }

    const table = h("table", { class: "map", id: "map" },
      h("thead", {},
        h("tr", {}, header("name", words.learner), header("points", words.points),
          data.katas.map((kata, k) => header(String(k), kata.name, { class: "kata" })))),
      body);
    table.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      const links = [...body.querySelectorAll("a")];
      const at = links.indexOf(document.activeElement);
      if (at < 0) return;
      links[Math.min(links.length - 1, Math.max(0, at + step))].focus();
      event.preventDefault();
    });
    const state = (value, label) => h("option", { value, selected: view.state === value }, label);
    const section = h("section", { id: "class" }, h("h2", {}, words.classTable),
      h("div", { class: "tools" },
        h("label", {}, words.filterName + " ", h("input", {
          id: "filter", type: "search", value: view.filter,
          oninput: (event) => { view.filter = event.target.value; view.page = 0; fill(); },
        })),
        h("label", {}, words.filterState + " ", h("select", {
          id: "state", onchange: (event) => { view.state = event.target.value; view.page = 0; fill(); },
        }, state("all", words.filterAll), state("unpassed", words.filterUnpassed), state("problems", words.filterProblems),
        state("identical", words.filterIdentical), state("similar", words.filterSimilar), state("late", words.filterLate), state("look", words.toLookAt),
        ["didNotCompile", "rejected", "notHandedIn"].map((ending) => state(ending, nameOf(ending))))),
        shown, previous, next),
      h("ul", { class: "legend", "aria-label": words.legend }, Object.keys(endings).map((ending) =>
        h("li", {}, h("span", { class: "mark " + ending, "aria-hidden": "true" }, endings[ending]), nameOf(ending)))),
      tall(words.classTable, table));
    const each = data.katas.length === 0 ? "" : h("section", { id: "tests" }, h("h2", {}, words.heatMap),
      h("div", { class: "tools" }, h("label", {}, words.kata + " ", h("select", {
        id: "kata", onchange: (event) => { view.kata = Number(event.target.value); fill(); },
      }, data.katas.map((kata, k) => h("option", { value: String(k), selected: view.kata === k }, kata.name))))),
      tests);
    fill();
    return [section, each];
  }

  function classView() {
    document.title = words.title;
    document.getElementById("title").textContent = words.title;
    const [table, tests] = classTable();
    main.replaceChildren(cards(), table, h("div", { class: "columns" }, distribution(), time(), hardest(), h("div", {}, identical(), likeKnown())),
      themes(), similar(), tests);
  }

  // One learner.
  function kataView(learner, result, k) {
    const kata = data.katas[k];
    const others = learner.identical.get(kata.name);
    return h("article", {}, kataHead(kata, result, result.path, result.seconds),
    others ? h("p", {}, filled(words.identicalTo, people(others))) : null,
    result.look.map((reason) => h("p", { class: "look" }, "⚑ ", prose(format(words.look, reason)))),
    result.diagnostics.length ? said(result.diagnostics) : null,
    kata.tests.map((test, index) => testView(result, test, index)));
  }

  function learnerView(learner) {
    document.title = learner.name + " – " + words.title;
    document.getElementById("title").textContent = learner.name;
    const order = chosen();
    const place = order.indexOf(learner);
    const neighbor = (by, label, id) => {
      const other = order[place + by];
      return place >= 0 && other ? h("a", { id, href: "#learner/" + (other.index + 1) }, label) : null;
    };
    const { number: no, github, email, isLate } = known(learner);
    const identity = [[words.number, no], ["GitHub", github], [words.email, email]].filter(([, value]) => value)
      .map(([label, value]) => format(words.labelled, label, value)).concat(isLate ? [words.late] : []);
    const missing = data.katas.filter((kata, k) => learner.results[k]?.isMissing).map((kata) => kata.name);
    main.replaceChildren(
      h("nav", { class: "tools" }, h("a", { href: "#", id: "back" }, words.back),
        neighbor(-1, words.previousLearner, "previous"), neighbor(1, words.nextLearner, "next")),
      h("ul", { class: "cards" },
        h("li", {}, h("b", {}, number.format(learner.points) + "/" + number.format(maxPoints)), words.points),
        h("li", {}, h("b", {}, seconds.format(learner.seconds)), words.seconds)),
      ...(learner.adjustments ?? []).map((text) => h("p", { class: "adjustment" }, prose(text))),
      learner.problem ? h("p", { class: "message", id: "problem" }, "⚠ ", prose(learner.problem)) : "",
      learner.sources.length === 0 ? "" : h("p", { class: "quiet" }, format(words.sources, list.format(learner.sources))),
      identity.length === 0 ? "" : h("p", { class: "quiet", id: "identity" }, identity.join(" · ")),
      ...learner.results.map((result, k) => result && !result.isMissing ? kataView(learner, result, k) : ""),
      missing.length === 0 ? "" : h("p", { id: "missing" }, format(words.labelled, words.notHandedIn, list.format(missing))));
  }

  // Two files that have much in common, with what matches in both.
  const namesOf = (pair) => pair.sides.map((side) => list.format(side.learners)).join(" – ");
  const lines = ([from, to]) => from === to ? number.format(from) : number.format(from) + "–" + number.format(to);
  // Six colors, and after them the same with stripes at the edge.
  const matchClass = (match) => "match match" + ((match - 1) % 6 + 1) + (Math.floor((match - 1) / 6) % 2 ? " again" : "");

  function sideView(side, kata) {
    const { text, colors, note } = data.files[side.file] ?? { note: words.codeNotKept };
    const rows = source(text ?? "", colors).map((part, index) => {
      const match = side.lines[index] ?? 0;
      const row = line(index + 1, match > 0 ? String(match) : match < 0 ? "·" : "", [[part.text, false]], part.colors);
      if (match !== 0) row.classList.add(...(match > 0 ? matchClass(match) : "discounted").split(" "));
      return row;
    });
    const label = words.code + " · " + kata + " · " + list.format(side.learners);
    return h("div", { class: "side" }, h("h3", {}, people(side.learners)),
      text === undefined ? null : h("div", { class: "pane", tabindex: "0", role: "region", "aria-label": label }, rows),
      note ? h("p", { class: "quiet note" }, prose(note)) : null);
  }

  function pairView(place) {
    const pair = data.pairs[place];
    const { kata } = data.similar[pair.group];
    document.title = namesOf(pair) + " – " + words.title;
    document.getElementById("title").textContent = kata + " · " + percent.format(pair.similarity);
    const neighbor = (index, label, id) => data.pairs[index] ? h("a", { id, href: "#pair/" + (index + 1) }, label) : null;
    const sides = h("div", { class: "sides" }, pair.sides.map((side) => sideView(side, kata)));
    // The pane that the reader scrolls leads: the other one shows the same match, or as much of its file.
    const panes = [...sides.querySelectorAll(".pane")];
    let leader = null;
    const follow = (pane) => {
      const other = panes[1 - panes.indexOf(pane)];
      if (pane !== leader || !other) return;
      const top = [...pane.children].find((row) => row.offsetTop + row.offsetHeight > pane.scrollTop);
      const match = top?.children[1].textContent;
      const rows = (one) => [...one.children].filter((row) => row.children[1].textContent === match);
      const [from, to] = [rows(pane)[0], rows(other)[0]];
      if (Number(match) > 0 && to) other.scrollTop = to.offsetTop + pane.scrollTop - from.offsetTop;
      else other.scrollTop = pane.scrollTop / Math.max(1, pane.scrollHeight - pane.clientHeight) * (other.scrollHeight - other.clientHeight);
    };
    for (const pane of panes) {
      for (const kind of ["wheel", "touchstart", "pointerdown", "keydown"]) {
        pane.addEventListener(kind, () => { leader = pane; }, { passive: true });
      }
      pane.addEventListener("scroll", () => follow(pane), { passive: true });
    }
    const reveal = (match) => {
      leader = null;
      for (const pane of panes) {
        const row = [...pane.children].find((row) => row.children[1].textContent === String(match));
        if (row) pane.scrollTop = row.offsetTop - pane.clientHeight / 4;
      }
      panes[0]?.focus({ preventScroll: true });
    };
    main.replaceChildren(
      h("nav", { class: "tools" }, h("a", { href: "#similar/" + (pair.group + 1) + "/" + (place + 1), id: "back" }, words.back),
        neighbor(place - 1, words.previousPair, "previous"), neighbor(place + 1, words.nextPair, "next")),
      h("p", { class: "quiet" }, prose(words.sideBySideNote)),
      pair.matches.length === 0 ? "" : h("ol", { id: "matches", "aria-label": words.matches }, pair.matches.map((match, index) =>
        h("li", {}, h("button", { type: "button", class: matchClass(index + 1), onclick: () => reveal(index + 1) },
          h("b", {}, String(index + 1)), " ", lines(match.slice(0, 2)), " ↔ ", lines(match.slice(2)))))),
      sides);
  }

  // Whether something on the page was chosen, and has the focus.
  function show() {
    const chosen = location.hash.match(/^#(similar|identical)\/(\d+)(?:\/(\d+))?$/);
    if (chosen && reveal(chosen)) return true;
    const pair = location.hash.match(/^#pair\/(\d+)$/);
    if (pair && data.pairs[Number(pair[1]) - 1]) {
      pairView(Number(pair[1]) - 1);
      window.scrollTo(0, 0);
      return false;
    }
    const match = location.hash.match(/^#learner\/(\d+)$/);
    const learner = match ? learners[Number(match[1]) - 1] : undefined;
    if (learner) learnerView(learner);
    else classView();
    window.scrollTo(0, 0);
    return false;
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target.matches("input, select");
    if (event.key === "Escape") {
      if (isTyping) event.target.blur();
      else if (location.hash) location.hash = "";
    } else if (!isTyping && event.key === "/") {
      document.getElementById("filter")?.focus();
      event.preventDefault();
    } else if (!isTyping && (event.key === "n" || event.key === "p")) {
      document.getElementById(event.key === "n" ? "next" : "previous")?.click();
    }
  });
  window.addEventListener("hashchange", () => { if (!show()) main.focus({ preventScroll: true }); });
  document.getElementById("about").textContent = words.seed + " " + data.seed + " · Swift " + data.swift;
  document.getElementById("keys").textContent = words.keys;
  show();
})();
