"use strict";
(() => {
  const data = JSON.parse(document.getElementById("chart-data").textContent);
  const byId = (id) => document.getElementById(id);
  const words = (name) => name.replaceAll("_", " ");
  const share = d3.format(".3~p");
  const interval = (row) => row.low === null
    ? (row.high === null ? "no interval" : `at most ${share(row.high)}`) : `${share(row.low)} to ${share(row.high)}`;
  const tip = (row) => `${share(row.rate)} (${interval(row)})\n${row.leaked_turns} of ${row.turns} turns`;
  const width = () => Math.max(320, byId("interval-chart").clientWidth);
  const pen = document.createElement("canvas").getContext("2d");
  const plain = "10px system-ui";
  const noted = (target, sentence) => { byId(`${target}-note`).textContent = sentence; };

  const symptom = byId("symptom");
  for (const name of data.symptoms) symptom.add(new Option(words(name), name));

  function empty(target, sentence) {
    const paragraph = document.createElement("p");
    paragraph.textContent = sentence;
    byId(`${target}-chart`).replaceChildren(paragraph);
    noted(target, "");
  }

  /** The text in so many pixels; what is too long loses its middle, since names differ at their ends. */
  function fit(text, pixels, font = plain) {
    pen.font = font;
    const signs = [...text];
    let kept = signs.length;
    const short = () => (kept === signs.length ? text : `${signs.slice(0, Math.ceil(kept * 0.55)).join("")}…${signs.slice(signs.length - Math.floor(kept * 0.45)).join("")}`);
    while (kept > 2 && pen.measureText(short()).width > pixels) kept -= 1;
    return short();
  }

  /** A model and the part behind it on one line; the model has at least two thirds of it. */
  function beside(model, part, pixels) {
    pen.font = plain;
    const behind = fit(part, Math.max(pixels / 3, pixels - pen.measureText(model).width));
    return `${fit(model, pixels - pen.measureText(` ${behind}`).width)} ${behind}`.trim();
  }

  /** Label of each place: its model and what tells it from the others; `lay` makes lines of the parts. */
  function labels(places, lay) {
    const shared = (part, at) => places.length > 1 && at > 0 && places.every((other) => data.places[other].includes(part));
    const found = new Map();
    const taken = new Map();
    for (const place of places) {
      const text = lay(data.places[place].filter((part, at) => !shared(part, at)));
      const times = (taken.get(text) ?? 0) + 1;
      taken.set(text, times);
      found.set(place, times === 1 ? text : `${text} (${times})`);
    }
    return found;
  }

  /** Intervals along one axis: whole lines between two bounds, dashes up to an upper bound, nothing where there is none. */
  function intervalMarks(rule, axis, rows, options) {
    const bounded = rows.filter((row) => row.low !== null && row.high !== null);
    const upper = rows.filter((row) => row.low === null && row.high !== null);
    const ends = (low) => ({ ...options, [`${axis}1`]: low, [`${axis}2`]: "high", strokeWidth: 3 });
    return [rule(bounded, { ...ends("low"), className: "bounded" }), rule(upper, { ...ends(() => 0), strokeDasharray: "4 3", className: "upper" })];
  }

  function drawIntervals(measure) {
    const all = data.rates.filter((row) => row.measure === measure).sort((a, b) => b.rate - a.rate);
    const rows = all.slice(0, 40);
    if (!rows.length) return empty("interval", "Nothing could be judged for this symptom.");
    const room = width() < 640 ? 120 : 310;
    const places = rows.map((row) => row.place);
    const named = labels(places, ([model, engine = "", ...rest]) => [beside(model, engine, room - 12), fit(rest.join(", "), room - 12)].filter(Boolean).join("\n"));
    byId("interval-chart").replaceChildren(Plot.plot({
      width: width(), height: 70 + 30 * rows.length, marginLeft: room, marginRight: 30, marginTop: 30,
      x: { label: "share of turns that leak", tickFormat: ".2~p", grid: true, nice: true, domain: [0, d3.max(rows, (row) => row.high ?? row.rate) || 0.01] },
      y: { type: "point", label: null, domain: places, tickFormat: (place) => named.get(place) },
      marks: [
        ...intervalMarks(Plot.ruleY, "x", rows, { y: "place", stroke: "var(--accent)", strokeOpacity: 0.55 }),
        Plot.dot(rows, { y: "place", x: "rate", fill: "var(--accent)", r: 5, title: (row) => `${data.places[row.place].join(", ")}\n${tip(row)}`, tip: true }),
      ],
    }));
    noted("interval", (all.length > rows.length ? `${rows.length} of ${all.length} shown, the highest rates. ` : "")
      + "A line is the 95 % interval, dashes end at an upper bound, a dot alone has too few conversations for either.");
  }

  /** Number of each version of a lineage, in the order in which they came. */
  function variants(rows) {
    const found = d3.rollup(d3.sort(rows, (row) => row.day), (group) => [...new Set(group.map((row) => row.variant))], (row) => row.lineage);
    return (row) => ({ at: found.get(row.lineage).indexOf(row.variant), of: found.get(row.lineage) });
  }

  function drawLegend(lineages, rows) {
    const several = variants(rows);
    const lists = lineages.map((name) => [name, several(rows.find((row) => row.lineage === name)).of]).filter(([, names]) => names.length > 1);
    byId("trend-legend").replaceChildren(...lists.map(([lineage, names]) => {
      const line = document.createElement("li");
      line.append(`${lineage}: `);
      for (const [at, name] of names.entries()) {
        const dot = document.createElement("span");
        dot.style.color = colour(at);
        dot.textContent = "●";
        line.append(dot, ` ${name || "no version known"}${at < names.length - 1 ? ",\u2002" : ""}`);
      }
      return line;
    }));
  }
  const colour = (at) => `var(--version-${at % 6})`;

  function drawTrend(measure) {
    const rows = data.trend.filter((row) => row.measure === measure).map((row) => ({ ...row, date: new Date(`${row.day}T00:00:00Z`) }));
    byId("trend-legend").replaceChildren();
    if (!rows.length) return empty("trend", "No day is known for these turns.");
    const totals = d3.rollups(rows, (group) => d3.sum(group, (row) => row.leaked_turns), (row) => row.lineage).sort((a, b) => b[1] - a[1]);
    const lineages = totals.slice(0, 6).map(([name]) => name);
    const kept = rows.filter((row) => lineages.includes(row.lineage));
    const version = variants(kept);
    const changes = data.changes.filter((change) => lineages.includes(change.lineage)).map((change) => ({ ...change, date: new Date(`${change.day}T00:00:00Z`) }));
    const [first, last] = d3.extent(kept, (row) => row.date);
    const days = d3.utcDay.range(first, d3.utcDay.offset(last, 1));
    const step = Math.ceil(days.length / Math.max(2, Math.floor(width() / 110)));
    const stroke = (row) => colour(version(row).at);
    byId("trend-chart").replaceChildren(Plot.plot({
      width: width(), height: 170 * lineages.length + 60, marginLeft: 60, marginRight: 40, marginTop: 34,
      x: { type: "utc", label: null, ticks: days.filter((_, at) => at % step === 0), tickFormat: "%Y-%m-%d" },
      y: { label: "share of turns", tickFormat: ".2~p", grid: true, nice: true },
      fy: { label: null, domain: lineages, axis: null, padding: 0.22 },
      color: { type: "identity" },
      marks: [
        Plot.ruleX(changes, { x: "date", fy: "lineage", stroke: "var(--clear)", strokeDasharray: "5 3", title: (change) => `${change.day}: ${change.what}`, tip: true }),
        Plot.text(changes, { x: "date", fy: "lineage", text: () => "▼ changed", frameAnchor: "top", dx: 4, dy: 12, textAnchor: "start", fill: "var(--clear)", fontSize: 11 }),
        ...intervalMarks(Plot.ruleX, "y", kept, { x: "date", fy: "lineage", stroke, strokeOpacity: 0.45 }),
        Plot.line(kept, { x: "date", fy: "lineage", y: "rate", stroke, z: (row) => `${row.lineage}\n${row.variant}` }),
        Plot.dot(kept, { x: "date", fy: "lineage", y: "rate", fill: stroke, r: 3.5, title: (row) => `${row.day}\n${row.variant ? `${row.variant}\n` : ""}${tip(row)}`, tip: true }),
        Plot.text(lineages, { fy: (name) => name, text: (name) => fit(name, width() - 70, "600 10px system-ui"), frameAnchor: "top-left", dy: -14, fontWeight: 600 }),
        Plot.ruleY([0], { stroke: "var(--line)" }),
      ],
    }));
    drawLegend(lineages, kept);
    noted("trend", totals.length > lineages.length ? `${lineages.length} of ${totals.length} deployments are shown, those with the most leaking turns.` : "");
  }

  function drawHeat(measure) {
    const rows = data.heat.filter((row) => row.measure === measure);
    if (!rows.length) return empty("heat", "No cut of this symptom could be judged.");
    const places = [...new Set(rows.map((row) => row.place))];
    const cell = Math.max(86, Math.min(150, (width() - 240) / places.length));
    const highest = d3.max(rows, (row) => row.rate) || 1;
    const named = labels(places, (parts) => parts.map((part) => fit(part, cell - 8)).join("\n"));
    byId("heat-chart").replaceChildren(Plot.plot({
      width: Math.max(width(), 240 + cell * places.length), marginLeft: 220, marginTop: 84, padding: 0.06,
      height: 104 + 26 * new Set(rows.map((row) => row.cut)).size,
      x: { type: "band", axis: "top", label: null, domain: places, tickFormat: (place) => named.get(place) },
      y: { label: null, domain: [...new Set(rows.map((row) => row.cut))].sort(), tickFormat: (text) => fit(text, 206) },
      marks: [
        Plot.cell(rows, { x: "place", y: "cut", fill: "var(--heat)", fillOpacity: (row) => 0.06 + 0.64 * Math.sqrt(row.rate / highest), inset: 0.5,
          title: (row) => `${data.places[row.place].join(", ")}\n${row.cut}\n${share(row.rate)}, ${row.leaked_turns} of ${row.turns} turns`, tip: true }),
        Plot.text(rows, { x: "place", y: "cut", text: (row) => share(row.rate), fill: "var(--ink)", fontSize: 11 }),
      ],
    }));
    noted("heat", data.heat_left_out);
  }

  function draw() {
    const measure = symptom.value;
    drawTrend(measure);
    drawIntervals(measure);
    drawHeat(measure);
  }
  symptom.addEventListener("change", draw);
  let waiting;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(draw, 150); });
  draw();

  const table = byId("rate-table");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const filter = byId("filter");
  const onlyLeaks = byId("only-leaks");

  function show() {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = (onlyLeaks.checked && row.dataset.leaked === "0") || !wanted.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    byId("shown").textContent = `${shown} of ${rows.length} rows`;
  }

  function sortBy(header) {
    const column = header.cellIndex;
    const numeric = header.dataset.kind === "number";
    const down = header.getAttribute("aria-sort") === (numeric ? "none" : "ascending") || (numeric && header.getAttribute("aria-sort") === "ascending");
    for (const other of header.parentElement.cells) other.setAttribute("aria-sort", "none");
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = (row) => (numeric ? Number(row.cells[column].dataset.value) : row.cells[column].textContent.trim().toLowerCase());
    rows.sort((a, b) => (down ? -1 : 1) * d3.ascending(key(a), key(b)));
    body.append(...rows);
  }
  for (const header of table.tHead.rows[0].cells) header.firstElementChild.addEventListener("click", () => sortBy(header));
  filter.addEventListener("input", show);
  onlyLeaks.addEventListener("change", show);
  show();

  function openTarget() {
    const target = location.hash && byId(decodeURIComponent(location.hash.slice(1)));
    if (target && target.tagName === "DETAILS") target.open = true;
    if (target && target.hidden) { filter.value = ""; onlyLeaks.checked = false; show(); target.scrollIntoView(); }
  }
  addEventListener("hashchange", openTarget);
  openTarget();
})();
