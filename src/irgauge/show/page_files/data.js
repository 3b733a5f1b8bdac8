// Data as they stand in the page: by column, texts that come back by their numbers; much is deflated.

const textIn = (bytes) => new TextDecoder().decode(bytes);

function parsed(element) {
  const value = JSON.parse(element.textContent);
  return value.deflated ? JSON.parse(textIn(unpackedBytes(value.deflated))) : value;
}

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
  return value < 0 && Number(text) ? `-${text}` : text;
}

function shown(value, decimals) {
  const size = Math.abs(value);
  if (size === 0 || size >= 0.5 * 10 ** -decimals) return fixed(value, decimals);
  const text = value.toExponential(1);
  const place = -Number(text.split("e")[1]);
  return place <= 6 ? fixed(value, place + 1) : text.replace(/e([+-])(\d)$/, "e$10$2");
}

const grouped = new Intl.NumberFormat("en").format;

function textOf(column, value) {
  if (value === null) return "–";
  if (column.least !== undefined && value < column.below) return column.least;
  if (column.kind === "float") return shown(value, column.decimals);
  return column.kind === "int" ? grouped(value) : String(value);
}

function shortColumn(column) {
  const keys = cells(column);
  const texts = column.shown ?? keys.map((value) => textOf(column, value));
  const key = (i) => keys[i];
  return { ...column, key, sortKey: key, text: (i) => texts[i], holding: (word) => (i) => texts[i].toLowerCase().includes(word) };
}

// A table whose columns give for a row its `text`, and what it is sorted by and saved as.
function tableOf(packed) {
  const columns = packed.packed ? unpacked(packed) : packed.columns.map(shortColumn);
  return { ...packed, columns, names: columns.map((column) => column.name) };
}
