// Data as they stand in the page: by column, texts that come back by their numbers.

const parsed = (element) => JSON.parse(element.textContent);

function cells(column) {
  return column.of ? column.at.map((i) => (i === null ? null : column.of[i])) : column.values;
}

function rowsOf(packed) {
  if (Array.isArray(packed)) return packed;
  const columns = packed.columns.map((column) => [column.name, cells(column)]);
  return Array.from({ length: packed.rows }, (_, i) => Object.fromEntries(columns.map(([name, all]) => [name, all[i]])));
}

// Number of decimals as in Python: a tie goes to the even digit.
function fixed(value, decimals) {
  const twice = value * 2 ** (decimals + 1);
  const odd = Math.abs(twice * 5 ** decimals);
  if (!Number.isInteger(twice) || odd % 2 !== 1 || odd > 2 ** 50) return value.toFixed(decimals);
  const below = (odd - 1) / 2;
  const text = ((below % 2 ? below + 1 : below) / 10 ** decimals).toFixed(decimals);
  return value < 0 ? `-${text}` : text;
}

function shown(value, decimals) {
  const size = Math.abs(value);
  if (size === 0 || size >= 0.5 * 10 ** -decimals) return fixed(value, decimals);
  return value.toExponential(1).replace(/e([+-])(\d)$/, "e$10$2");
}

// A table with the texts of its cells; `keys` are what its rows are sorted by.
function tableOf(packed) {
  const keys = packed.columns.map(cells);
  const texts = packed.columns.map((column, i) => column.shown ?? keys[i].map((value) => {
    if (value === null) return "–";
    if (value === 0 && column.zero) return column.zero;
    if (column.kind === "float") return shown(value, column.decimals);
    return column.kind === "int" ? value.toLocaleString("en") : String(value);
  }));
  return { ...packed, keys, texts, names: packed.columns.map((column) => column.name), csvNames: packed.columns.map((column) => column.key), numeric: packed.columns.map((column) => column.numeric) };
}
