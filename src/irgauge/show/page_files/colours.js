// Colours for a dark page: the hue stays, light becomes dark; clear colours of middle lightness stay as they are.

const NAMES = { white: "#ffffff", black: "#000000" };
const CLEAR = 0.115; // chroma from which a colour is told by its hue, not by its lightness
const DARKEST = 0.22; // what white becomes

const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const coded = (c) => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);
const times = (matrix, v) => matrix.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);

// the matrices of Oklab (Ottosson, 2020)
const TO_CONES = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]];
const TO_LAB = [[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099], [0.0259040371, 0.7827717662, -0.808675766]];
const FROM_LAB = [[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.291485548]];
const FROM_CONES = [[4.0767416621, -3.3077115913, 0.2309699292], [-1.2684380046, 2.6097574011, -0.3413193965], [-0.0041960863, -0.7034186147, 1.707614701]];

function dark(colour) {
  const hex = NAMES[colour] ?? colour;
  const rgb = [1, 3, 5].map((i) => linear(parseInt(hex.slice(i, i + 2), 16) / 255));
  const [light, a, b] = times(TO_LAB, times(TO_CONES, rgb).map(Math.cbrt));
  if (Math.hypot(a, b) > CLEAR && light > 0.5) return hex;
  const turned = DARKEST + (0.97 - DARKEST) * Math.max(0, 1 - light) ** 0.8;
  const back = times(FROM_CONES, times(FROM_LAB, [turned, a, b]).map((c) => c ** 3));
  const byte = (c) => Math.round(255 * coded(Math.min(1, Math.max(0, c)))).toString(16).padStart(2, "0");
  return `#${back.map(byte).join("")}`;
}

const NAMED_IN = ["datasets", "domain", "sort", "equal", "oneOf", "values", "title", "text", "subtitle"];
const isNamed = (node, key) => NAMED_IN.includes(key) && (key === "datasets" || typeof node === "string" || Array.isArray(node));

// A specification with its colours turned; names in data, domains and titles are no colours.
function darkened(node, key) {
  if (isNamed(node, key)) return node;
  if (typeof node === "string") return /^(#[0-9a-f]{6}|white|black)$/i.test(node) ? dark(node.toLowerCase()) : node;
  if (node === null || typeof node !== "object") return node;
  if (Array.isArray(node)) return node.map((one) => darkened(one));
  return Object.fromEntries(Object.entries(node).map(([name, one]) => [name, darkened(one, name)]));
}
