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

function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const outcomes = new Set(Array.from(form.querySelectorAll("[name=outcome]:checked"), (box) => box.value));
  let shown = 0;
  for (const row of rows) {
    const text = `${row.textContent} ${row.dataset.words}`.toLowerCase();
    row.hidden = !(
      outcomes.has(row.dataset.outcome) &&
      words.every((word) => text.includes(word)) &&
      (!unexpected.checked || row.classList.contains("unexpected"))
    );
    shown += !row.hidden;
  }
  document.getElementById("shown").textContent = `${shown} of ${rows.length} claims`;
}

form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
filter(); // a browser may have kept what was filled in

// A link to what is folded away unfolds it.
function unfold() {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (place instanceof HTMLDetailsElement) place.open = true;
}

addEventListener("hashchange", unfold);
unfold();
