"use strict";
// Draws the embedded figures. Colours are names until here, so that one specification serves both themes.
(function () {
  const element = document.getElementById("figures");
  const specs = JSON.parse(element.textContent);
  if (!window.Plotly) { return; }
  const hidden = new Set();

  function colours() {
    const style = getComputedStyle(document.documentElement);
    return function (name) {
      const value = style.getPropertyValue("--" + name).trim();
      return value || "rgba(0,0,0,0)";
    };
  }

  function faded(hex, alpha) {
    const n = parseInt(hex.slice(1), 16);
    return "rgba(" + (n >> 16) + "," + ((n >> 8) & 255) + "," + (n & 255) + "," + alpha + ")";
  }

  function painted(value, colour) {
    if (typeof value === "string") {
      if (/^@[a-z]+\d?$/.test(value)) { return colour(value.slice(1)); }
      if (/^@[a-z]+\d?\/[\d.]+$/.test(value)) {
        const [name, alpha] = value.slice(1).split("/");
        return faded(colour(name), alpha);
      }
      return value.replace(/^(.*)<span style='color:@(g\d)'>●<\/span>$/, function (_, text, name) {
        return text + " <span style='color:" + colour(name) + "'>●</span>";
      });
    }
    if (Array.isArray(value)) { return value.map(function (v) { return painted(v, colour); }); }
    if (value && typeof value === "object") {
      const out = {};
      for (const key of Object.keys(value)) { out[key] = painted(value[key], colour); }
      return out;
    }
    return value;
  }

  function draw(place) {
    const spec = specs[place.dataset.figure];
    if (!spec) { return; }
    const colour = colours();
    const ready = painted({ data: spec.data, layout: spec.layout }, colour);
    // Steps overlap more than slopes do: their bands are only legible for a few groups at a time.
    const shown = new Set(ready.data.map(function (t) { return t.meta; }).filter(function (g) { return !hidden.has(g); }));
    const bands = spec.bands === undefined || shown.size <= spec.bands;
    for (const trace of ready.data) { trace.visible = !hidden.has(trace.meta) && (bands || trace.name !== "band"); }
    ready.layout.autosize = true;
    // On a change of width plotly asks the container for its height.
    place.style.height = ready.layout.height + "px";
    window.Plotly.react(place, ready.data, ready.layout, { displayModeBar: false, responsive: true, displaylogo: false });
  }

  function drawAll() { document.querySelectorAll(".plot").forEach(draw); }

  for (const chip of document.querySelectorAll("[data-toggle]")) {
    chip.addEventListener("click", function () {
      const group = chip.dataset.toggle;
      if (hidden.has(group)) { hidden.delete(group); } else { hidden.add(group); }
      chip.setAttribute("aria-pressed", String(!hidden.has(group)));
      document.querySelectorAll("#course .plot").forEach(draw);
    });
  }
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  window.addEventListener("beforeprint", drawAll);
  window.addEventListener("afterprint", drawAll);
  drawAll();
})();
