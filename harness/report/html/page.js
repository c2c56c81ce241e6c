"use strict";

const table = document.getElementById("verdicts");
const rows = Array.from(table.tBodies[0].rows);

// What a row is sorted by: a number where the column has numbers, or null, which comes last whichever way.
function value(row, column, numeric) {
  const cell = row.cells[column];
  const text = cell.dataset.value ?? cell.textContent.trim();
  if (text === "") return null;
  return numeric ? Number(text) : text;
}

table.tHead.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const heading = button.closest("th");
  const descending = heading.getAttribute("aria-sort") === "ascending";
  for (const other of heading.parentElement.cells) other.setAttribute("aria-sort", "none");
  heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const numeric = heading.classList.contains("number");
  const keyed = rows.map((row) => [value(row, heading.cellIndex, numeric), row]);
  keyed.sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null);
    const order = numeric ? a - b : a.localeCompare(b, "en", { numeric: true });
    return descending ? -order : order;
  });
  table.tBodies[0].append(...keyed.map(([, row]) => row));
});

const form = document.getElementById("filter");
const search = document.getElementById("words");
const unexpected = document.getElementById("unexpected");
const boxes = Array.from(form.querySelectorAll("[name=outcome]"));
const theorems = Array.from(document.querySelectorAll("details.theorem"));
const said = new Map(); // of each claim, by its id, all that is written of it

function text(row) {
  const id = row.cells[0].textContent.trim();
  if (!said.has(id)) said.set(id, `${row.textContent} ${document.getElementById(id).textContent}`.toLowerCase());
  return said.get(id);
}

function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const outcomes = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  let shown = 0;
  for (const row of rows) {
    row.hidden = !(
      outcomes.has(row.dataset.outcome) &&
      (!words.length || words.every((word) => text(row).includes(word))) &&
      (!unexpected.checked || row.classList.contains("unexpected"))
    );
    document.getElementById(row.cells[0].textContent.trim()).hidden = row.hidden;
    shown += !row.hidden;
  }
  for (const theorem of theorems) theorem.hidden = !theorem.querySelector("article:not([hidden])");
  document.getElementById("shown").textContent = `${shown} of ${rows.length} claims`;
}

// What is asked for stands in the address, which can be kept and sent.
function keep() {
  const asked = new URLSearchParams();
  if (search.value.trim()) asked.set("words", search.value.trim());
  if (boxes.some((box) => !box.checked)) asked.set("outcome", boxes.filter((box) => box.checked).map((box) => box.value).join(","));
  if (unexpected.checked) asked.set("unexpected", "yes");
  const query = asked.toString();
  history.replaceState(null, "", `${location.pathname}${query ? "?" + query : ""}${location.hash}`);
}

function recall() {
  const asked = new URLSearchParams(location.search);
  if (asked.has("words")) search.value = asked.get("words");
  if (asked.has("outcome")) {
    const outcomes = asked.get("outcome").split(",");
    for (const box of boxes) box.checked = outcomes.includes(box.value);
  }
  if (asked.has("unexpected")) unexpected.checked = true;
}

form.addEventListener("input", () => { filter(); keep(); });
form.addEventListener("submit", (event) => event.preventDefault());
recall();
filter(); // a browser may also have kept what was filled in

// A link to what is folded away, or is within that, unfolds it.
function unfold() {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!place) return;
  for (let each = place; each; each = each.parentElement) {
    if (each instanceof HTMLDetailsElement) each.open = true;
    each.hidden = false;
  }
  place.scrollIntoView();
}

addEventListener("hashchange", unfold);
unfold();

// A figure is unpacked when it is first seen: an SVG that has in it what its marks say, and where each of them is.
const SVG = "http://www.w3.org/2000/svg";
const figures = new Map();

async function unpacked(figure) {
  const bytes = Uint8Array.from(atob(figure.dataset.svg), (each) => each.charCodeAt(0));
  const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  const svg = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  const said = JSON.parse(svg.querySelector("metadata").textContent);
  const points = said.rows.map((row, place) => point(row, said, place));
  svg.setAttribute("aria-hidden", "true");
  svg.append(...points);
  figure.querySelector(".picture").replaceChildren(svg);
  return { svg, said, points, at: -1 };
}

function point(row, said, place) {
  const circle = document.createElementNS(SVG, "circle");
  const [x, y] = said.at[place];
  for (const [name, value] of Object.entries({ class: "point", cx: x, cy: y, r: 6, "data-place": place })) circle.setAttribute(name, value);
  return circle;
}

function sentence({ said }, place) {
  const named = said.columns.map((column, at) => [column, said.rows[place][at]]).filter(([, value]) => value);
  return named.map(([column, value]) => (["setting", "series", "quantity", "number"].includes(column) ? value : `${column} ${value}`)).join("; ");
}

function drawn(figure) {
  if (!figures.has(figure)) figures.set(figure, unpacked(figure));
  return figures.get(figure);
}

// What a mark says stands below its figure, while it is pointed at or reached by the arrow keys.
async function tell(figure, place) {
  const shown = await drawn(figure);
  shown.points[shown.at]?.classList.remove("on");
  shown.at = place;
  shown.points[place]?.classList.add("on");
  figure.querySelector(".mark").textContent = place < 0 ? "" : sentence(shown, place);
}

function opened(details) {
  for (const figure of details.querySelectorAll("figure[data-svg]")) {
    if (figure.closest("details") !== details) continue;
    drawn(figure).then(({ said }) => {
      const values = figure.nextElementSibling;
      if (said.few) values.open = true;
    });
  }
  if (details.classList.contains("values")) {
    drawn(details.previousElementSibling).then(({ said }) => {
      const place = details.querySelector(".wide");
      if (!place.firstChild) place.append(listed(said, place.getAttribute("aria-label")));
    });
  }
}

function listed(said, name) {
  const made = document.createElement("table");
  made.setAttribute("aria-label", name);
  const line = (parent, cells, kind) => {
    const row = parent.insertRow();
    cells.forEach((cell, at) => {
      const place = document.createElement(kind);
      place.textContent = cell;
      if (kind === "th") place.scope = "col";
      if (said.numbers[at]) place.className = "number";
      row.append(place);
    });
  };
  line(made.createTHead(), said.columns, "th");
  const body = made.createTBody();
  for (const row of said.rows) line(body, row, "td");
  return made;
}

document.addEventListener("toggle", (event) => event.target.open && opened(event.target), true);
for (const each of document.querySelectorAll("details[open]")) opened(each);

document.addEventListener("pointerover", (event) => {
  const mark = event.target.closest(".picture .point");
  if (mark) tell(mark.closest("figure"), Number(mark.dataset.place));
});

document.addEventListener("keydown", async (event) => {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step || !event.target.classList.contains("picture")) return;
  event.preventDefault();
  const figure = event.target.closest("figure");
  const { points, at } = await drawn(figure);
  tell(figure, Math.min(Math.max(at + step, 0), points.length - 1));
});

function saved(name, { columns, rows }) {
  const quoted = [columns, ...rows].map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([quoted.join("\n") + "\n"], { type: "text/csv" }));
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}

const full = document.getElementById("full");
document.addEventListener("click", async (event) => {
  const figure = event.target.closest("figure[data-svg]");
  if (!figure) return;
  const { svg, said } = await drawn(figure);
  if (event.target.closest(".save")) saved(figure.dataset.name, said);
  if (!event.target.closest(".zoom, .picture")) return;
  full.querySelector("div").replaceChildren(svg.cloneNode(true));
  full.showModal();
});
