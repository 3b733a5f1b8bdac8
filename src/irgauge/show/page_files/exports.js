// Files for other programs, and the clipboard.

function save(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  say(`Saved ${name}`);
}

const say = (text) => { document.getElementById("said").textContent = text; };

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea"); // where a page from disk may not use the clipboard
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  const word = button.textContent;
  if (word !== "Copied") setTimeout(() => { button.textContent = word; }, 1500);
  button.textContent = "Copied";
  say("Copied");
}

// The whole chart, with title and caption, on white.
const wholeView = (spec) => viewOf(document.createElement("div"), asChosen(withData(spec)), { renderer: "svg" });

const CHARTS = {
  svg: async (spec) => [await (await wholeView(spec)).toSVG(), "image/svg+xml"],
  png: async (spec) => {
    const canvas = await (await wholeView(spec)).toCanvas(2);
    return [await new Promise((done) => canvas.toBlob(done, "image/png")), "image/png"];
  },
  pdf: async (spec) => [await pdf(await (await wholeView(spec)).toCanvas(3), 3), "application/pdf"],
};

async function deflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function colours(canvas) {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height); // red, green, blue, opacity
  const out = new Uint8Array((data.length / 4) * 3);
  for (let i = 0, o = 0; i < data.length; i += 4, o += 3) out.set(data.subarray(i, i + 3), o);
  return out;
}

// A page as large as the chart, with the chart as a picture.
async function pdf(canvas, scale) {
  const image = await deflated(colours(canvas));
  const [width, height] = [canvas.width, canvas.height].map((pixels) => (0.75 * pixels) / scale); // points
  const content = `q ${width} 0 0 ${height} 0 0 cm /I Do Q`;
  const picture = `/Type /XObject /Subtype /Image /Width ${canvas.width} /Height ${canvas.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode`;
  return pdfFile([
    ["<< /Type /Catalog /Pages 2 0 R >>"],
    ["<< /Type /Pages /Kids [3 0 R] /Count 1 >>"],
    [`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>`],
    [`<< /Length ${content.length} >>\nstream\n${content}\nendstream`],
    [`<< ${picture} /Length ${image.length} >>\nstream\n`, image, "\nendstream"],
  ]);
}

// Objects of a PDF with their cross-reference table.
function pdfFile(objects) {
  const parts = ["%PDF-1.4\n"];
  const length = () => parts.reduce((sum, part) => sum + part.length, 0); // all texts are ASCII
  const starts = objects.map((object, i) => {
    const start = length();
    parts.push(`${i + 1} 0 obj\n`, ...object, "\nendobj\n");
    return start;
  });
  const table = starts.map((start) => `${String(start).padStart(10, "0")} 00000 n \n`).join("");
  const count = objects.length + 1;
  const at = length();
  parts.push(`xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`);
  return new Blob(parts);
}
