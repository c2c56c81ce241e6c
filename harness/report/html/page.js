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

const full = document.getElementById("full");
document.addEventListener("click", (event) => {
  const image = event.target.closest(".zoom")?.querySelector("img");
  if (!image) return;
  const shown = full.querySelector("img");
  shown.src = image.src;
  shown.alt = image.alt;
  full.showModal();
});
