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
  const shorten = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

  const symptom = byId("symptom");
  for (const name of data.symptoms) symptom.add(new Option(words(name), name));

  function empty(target, sentence) {
    const paragraph = document.createElement("p");
    paragraph.textContent = sentence;
    byId(target).replaceChildren(paragraph);
  }

  function drawIntervals(measure) {
    const rows = data.rates.filter((row) => row.measure === measure).sort((a, b) => b.rate - a.rate).slice(0, 40);
    if (!rows.length) return empty("interval-chart", "Nothing could be judged for this symptom.");
    const narrow = width() < 640;
    byId("interval-chart").replaceChildren(Plot.plot({
      width: width(), marginLeft: narrow ? 130 : 320, marginRight: 30, marginTop: 30,
      x: { label: "share of turns that leak", tickFormat: ".2~p", grid: true, nice: true, domain: [0, d3.max(rows, (row) => row.high ?? row.rate) || 0.01] },
      y: { label: null, domain: rows.map((row) => row.place), tickFormat: (text) => shorten(text, narrow ? 18 : 46) },
      marks: [
        Plot.ruleY(rows, { y: "place", x1: (row) => row.low ?? 0, x2: (row) => row.high ?? row.rate, stroke: "var(--accent)", strokeWidth: 3, strokeOpacity: 0.55,
          strokeDasharray: (row) => (row.low === null ? "4 3" : null) }),
        Plot.dot(rows, { y: "place", x: "rate", fill: "var(--accent)", r: 5, title: tip, tip: true }),
      ],
    }));
  }

  function drawTrend(measure) {
    const rows = data.trend.filter((row) => row.measure === measure).map((row) => ({ ...row, date: new Date(`${row.day}T00:00:00Z`) }));
    if (!rows.length) return empty("trend-chart", "No day is known for these turns.");
    const totals = d3.rollups(rows, (group) => d3.sum(group, (row) => row.leaked_turns), (row) => row.lineage).sort((a, b) => b[1] - a[1]);
    const lineages = totals.slice(0, 6).map(([name]) => name);
    const kept = rows.filter((row) => lineages.includes(row.lineage));
    const changes = data.changes.filter((change) => lineages.includes(change.lineage)).map((change) => ({ ...change, date: new Date(`${change.day}T00:00:00Z`) }));
    byId("trend-chart").replaceChildren(Plot.plot({
      width: width(), height: 170 * lineages.length + 60, marginLeft: 60, marginRight: 20, marginTop: 34,
      x: { type: "utc", label: null, ...(new Set(kept.map((row) => row.day)).size === 1 ? { ticks: [kept[0].date], tickFormat: "%Y-%m-%d" } : {}) },
      y: { label: "share of turns", tickFormat: ".2~p", grid: true, nice: true },
      fy: { label: null, domain: lineages, axis: null, padding: 0.22 },
      marks: [
        Plot.ruleX(changes, { x: "date", fy: "lineage", stroke: "var(--clear)", strokeDasharray: "5 3", title: (change) => `${change.day}: ${change.what}`, tip: true }),
        Plot.text(changes, { x: "date", fy: "lineage", text: () => "▼ changed", frameAnchor: "top", dx: 4, dy: 12, textAnchor: "start", fill: "var(--clear)", fontSize: 11 }),
        Plot.ruleX(kept, { x: "date", fy: "lineage", y1: (row) => row.low ?? 0, y2: (row) => row.high ?? row.rate, stroke: "var(--accent)", strokeOpacity: 0.45, strokeWidth: 3 }),
        Plot.line(kept, { x: "date", fy: "lineage", y: "rate", stroke: "var(--accent)", z: "lineage" }),
        Plot.dot(kept, { x: "date", fy: "lineage", y: "rate", fill: "var(--accent)", r: 3.5, title: (row) => `${row.day}\n${tip(row)}`, tip: true }),
        Plot.text(lineages, { fy: (name) => name, text: (name) => shorten(name, width() < 640 ? 40 : 100), frameAnchor: "top-left", dy: -14, fontWeight: 600 }),
        Plot.ruleY([0], { stroke: "var(--line)" }),
      ],
    }));
  }

  function drawHeat(measure) {
    const rows = data.heat.filter((row) => row.measure === measure);
    if (!rows.length) return empty("heat-chart", "No cut of this symptom could be judged.");
    const places = [...new Set(rows.map((row) => row.place))];
    const cell = Math.max(86, Math.min(150, (width() - 240) / places.length));
    const highest = d3.max(rows, (row) => row.rate) || 1;
    byId("heat-chart").replaceChildren(Plot.plot({
      width: Math.max(width(), 240 + cell * places.length), marginLeft: 220, marginTop: 70, padding: 0.06,
      height: 90 + 26 * new Set(rows.map((row) => row.cut)).size,
      x: { axis: "top", label: null, domain: places, tickFormat: (text) => shorten(text, Math.floor(cell / 7)) },
      y: { label: null, domain: [...new Set(rows.map((row) => row.cut))].sort(), tickFormat: (text) => shorten(text, 34) },
      marks: [
        Plot.cell(rows, { x: "place", y: "cut", fill: "var(--heat)", fillOpacity: (row) => 0.06 + 0.64 * Math.sqrt(row.rate / highest), inset: 0.5,
          title: (row) => `${row.place}\n${row.cut}\n${share(row.rate)}, ${row.leaked_turns} of ${row.turns} turns`, tip: true }),
        Plot.text(rows, { x: "place", y: "cut", text: (row) => share(row.rate), fill: "var(--ink)", fontSize: 11 }),
      ],
    }));
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
