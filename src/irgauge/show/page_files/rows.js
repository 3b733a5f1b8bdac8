// The rows of a table in its box: all of a short one, of a long one those in view; all are printed.

const WHOLE = 200; // rows of a table that is drawn whole
const MARGIN = 20; // rows that are drawn above and below those in view
const HEIGHT = 28; // pixels of a row, where none can be measured
let areSpread = false;
const isOpen = (box) => !box.closest("details:not([open])");
const views = new WeakMap(); // box -> what it shows
const resized = new ResizeObserver((entries) => entries.forEach(({ target }) => drawInView(target)));

// A view is `rows`, whether they are of a long table, and the element of a `row` by its place.
function putRows(box, view) {
  views.set(box, { ...view, isSpread: areSpread && isOpen(box) });
  box.classList.toggle("virtual", view.isLong);
  box.scrollTop = 0;
  drawInView(box);
  box.onscroll = view.isLong ? () => drawInView(box) : null;
  if (view.isLong) resized.observe(box);
  else resized.unobserve(box);
}

function drawInView(box) {
  const view = views.get(box);
  const isWhole = !view.isLong || view.isSpread;
  const [first, end] = isWhole ? [0, view.rows.length] : inView(box, view);
  if (first === view.first && end === view.end) return;
  Object.assign(view, { first, end });
  const drawn = Array.from({ length: end - first }, (_, i) => numbered(view, first + i));
  const table = box.querySelector("table");
  table.tBodies[0].replaceChildren(...(isWhole ? drawn : [space(first, view), ...drawn, space(view.rows.length - end, view)]));
  if (view.isLong) table.setAttribute("aria-rowcount", view.rows.length + 1);
  if (view.isLong) table.tHead.rows[0].setAttribute("aria-rowindex", 1);
  markRows(box);
  if (!isWhole) measure(box, view);
}

// The places of the rows to draw; the same ones while the box is scrolled by a few rows.
function inView(box, view) {
  const height = view.height ?? HEIGHT;
  const top = MARGIN * Math.floor(box.scrollTop / height / MARGIN);
  const seen = Math.ceil((box.clientHeight || 20 * HEIGHT) / height);
  const first = Math.max(0, Math.min(top, view.rows.length) - MARGIN);
  return [first, Math.min(view.rows.length, first + seen + 3 * MARGIN)];
}

function numbered(view, place) {
  const row = view.row(place);
  if (view.isLong) row.setAttribute("aria-rowindex", place + 2);
  return row;
}

// The room of rows that are not drawn.
function space(count, view) {
  const row = document.createElement("tr");
  row.className = "space";
  row.hidden = count === 0;
  row.setAttribute("aria-hidden", "true");
  row.style.height = `${count * (view.height ?? HEIGHT)}px`;
  return row;
}

// Rows are as high as the letters of the reader want it.
function measure(box, view) {
  const height = box.querySelector("tbody tr:not(.space)")?.getBoundingClientRect().height;
  if (!height || Math.abs(height - (view.height ?? HEIGHT)) < 0.01) return;
  Object.assign(view, { height, first: undefined });
  drawInView(box);
}

// All rows of the tables that are open, for printing; afterwards those in view.
function spreadRows(isSpread) {
  areSpread = isSpread;
  for (const box of document.querySelectorAll(".table-box")) {
    const view = views.get(box);
    if (!view?.isLong || (isSpread && !isOpen(box))) continue;
    Object.assign(view, { isSpread, first: undefined });
    drawInView(box);
  }
}
