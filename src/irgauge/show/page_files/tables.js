// Tables: sorted, filtered, and as text for other programs.

const LONG = 40; // letters of a cell that is given some width
const SHORT = 20; // letters of a cell that stays on one line
const NEXT = { none: "ascending", ascending: "descending", descending: "none" };
const compare = new Intl.Collator("en", { numeric: true }).compare;

function order(table, state) {
  const rows = Array.from({ length: table.rows }, (_, i) => i);
  const wanted = state.filter.toLowerCase().split(/\s+/).filter(Boolean).map((word) => holding(table, word));
  const kept = wanted.length ? rows.filter((i) => wanted.every((holds) => holds(i))) : rows;
  if (state.sort === "none") return kept;
  const keys = rows.map(table.columns[state.column].sortKey);
  const sign = state.sort === "ascending" ? 1 : -1;
  return kept.sort((i, j) => byKey(keys[i], keys[j], sign) || i - j);
}

// Whether a cell of the row holds the word.
function holding(table, word) {
  const columns = table.columns.map((column) => column.holding(word)).filter(Boolean);
  return (row) => columns.some((holds) => holds(row));
}

// What is undefined comes last in both directions.
function byKey(a, b, sign) {
  if (a === null || b === null) return (a === null) - (b === null);
  return sign * (typeof a === "number" && typeof b === "number" ? a - b : compare(String(a), String(b)));
}

function header(table, state, sortBy) {
  const row = document.createElement("tr");
  table.columns.forEach((column, i) => {
    const cell = document.createElement("th");
    const button = element("button", column.name);
    button.type = "button";
    button.addEventListener("click", () => sortBy(i));
    cell.scope = "col";
    cell.dataset.name = column.name; // for paper: browsers repeat no buttons
    cell.className = column.numeric ? "number" : "";
    cell.setAttribute("aria-sort", state.column === i ? state.sort : "none");
    if (column.longest) cell.dataset.longest = column.longest; // the width stays as rows come and go
    cell.append(button);
    row.append(cell);
  });
  const head = document.createElement("thead");
  head.append(row);
  return head;
}

function drawnRow(table, state, i, next) {
  const row = document.createElement("tr");
  table.columns.forEach((column, c) => {
    const text = column.text(i);
    const cell = element("td", text);
    if (column.numeric) cell.className = "number";
    else if (text.length > LONG) cell.className = "long";
    else if (text.length <= SHORT) cell.className = "short";
    if (isSystemCell(table, c, text)) cell.classList.add("system");
    row.append(cell);
  });
  if (state.sort === "none" && endsGroup(table, i, next)) row.className = "ends";
  return row;
}

function endsGroup(table, row, next) {
  if (table.group_by === null || next === undefined) return false;
  const { key } = table.columns[table.group_by];
  return key(row) !== key(next);
}

function drawTable(part, table, state) {
  const rows = order(table, state);
  const made = document.createElement("table");
  const caption = element("caption", table.title);
  caption.className = "hidden";
  const sortBy = (column) => {
    Object.assign(state, { sort: NEXT[state.column === column ? state.sort : "none"], column });
    drawTable(part, table, state);
    part.querySelectorAll("th button")[column].focus();
  };
  made.append(caption, header(table, state, sortBy), document.createElement("tbody"));
  const box = part.querySelector(".table-box");
  box.replaceChildren(made);
  putRows(box, { rows, isLong: table.rows > WHOLE, row: (place) => drawnRow(table, state, rows[place], rows[place + 1]) });
  part.querySelector(".count").textContent = counted(rows.length, table.rows);
}

function counted(kept, total) {
  const all = `${grouped(total)} ${total === 1 ? "row" : "rows"}`;
  return kept < total ? `${grouped(kept)} of ${all}` : all;
}

const textRows = (table, rows) => rows.map((i) => table.columns.map((column) => column.text(i)));

const TEXTS = {
  copy: (table, rows) => [table.names, ...textRows(table, rows)].map((row) => row.join("\t")).join("\n") + "\n",
  csv: (table, rows) => {
    const quoted = (value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
    const cell = (value) => (value === null ? "" : quoted(typeof value === "string" ? guarded(value) : String(value)));
    return [table.columns.map((column) => column.id), ...rows.map((i) => table.columns.map((column) => column.key(i)))].map((row) => row.map(cell).join(",") + "\n").join("");
  },
  md: (table, rows) => {
    const rule = table.columns.map((column) => (column.numeric ? "---:" : ":---"));
    const cells = [table.names, ...textRows(table, rows)].map((row) => row.map(markdown));
    const all = [cells[0], rule, ...cells.slice(1)].map((row) => `| ${row.join(" | ")} |`);
    return [`**${markdown(table.title)}**`, "", ...all, "", ...(table.caption ? [markdown(table.caption), ""] : [])].join("\n");
  },
  tex: (table, rows) => {
    const { before, after, columns } = table.latex;
    const cells = rows.map((i, place) => {
      const end = endsGroup(table, i, rows[place + 1]) ? " \\midrule" : "";
      return `${columns.map((c) => latexCell(table, c, table.columns[c].text(i))).join(" & ")} \\\\${end}`;
    });
    return [...before, ...cells, ...after, ""].join("\n");
  },
};

// A text that no spreadsheet takes as a formula.
const guarded = (text) => (/^'*[=+\-@＝＋－＠\t\r\n]/.test(text) && !/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text) ? "'" : "") + text.replaceAll("\r", "\\r");

// A text with what Markdown would take as marks written out.
function markdown(text) {
  const marks = text.replace(/[|<>*_`\\[\]~$]|&(?=#?[\p{L}\p{N}_]+;)/gu, "\\$&");
  return marks.replace(/^(\d{0,9})(?=([-+]|#+|-+|(?<=\d)[.)])( |$))/, "$1\\");
}

const LATEX = parsed(document.getElementById("latex"));
const isLetter = (sign) => /[ -~\p{L}\p{M}]/u.test(sign);
const told = (sign) => `U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
const printable = (text) => Array.from(text.normalize("NFC"), (sign) => (sign in LATEX || isLetter(sign) ? sign : told(sign))).join("");
const latex = (text) => Array.from(printable(text), (sign) => LATEX[sign] ?? sign).join("").replace(/-(?=-)/g, "-{}").replace(/^[[*]/, "{$&}");

function latexCell(table, column, text) {
  if (table.latex.wrapped.includes(column)) return breakable(text);
  return latex(table.columns[column].numeric ? text.replace(/^-/, "−") : text);
}

const breakable = (text) => printable(text).split(" ").map((word) => pieces(word).map(latex).join("\\allowbreak{}")).join(" ").replaceAll("-\\allowbreak{}", "-");

// A word cut where a line may end: a long one after signs, and a very long one anywhere.
function pieces(word) {
  if (Array.from(word).length <= 9) return [word];
  const parts = word.split(/(?<=[_\-/+|])(?=[^_\-/+|])|(?<=[.:])(?=[A-Za-z])/).flatMap((part) => part.split(/([^\s_\-/+|]{17,})/u));
  return parts.filter(Boolean).flatMap((part) => (/^[^\s_\-/+|]{17,}$/u.test(part) ? Array.from(part) : [part]));
}
