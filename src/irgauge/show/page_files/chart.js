const exports_ = { export: true, source: false, compiled: false, editor: false };
vegaEmbed("#chart", JSON.parse(document.getElementById("spec").textContent), { mode: "vega-lite", ast: true, actions: exports_ });
