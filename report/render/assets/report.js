// Draws the charts in #chart-data. Tooltips are drawn as text, never as HTML, for names in them come from programs
// and models.
"use strict";
(() => {
  const round = (x) => Number(x).toFixed(2);
  const isMean = (p) => String(p.seriesId).startsWith("mean:");
  // A mean's value is [x, mean, min, max] on a curve and [mean, label, min, max] in a row.
  const tooltip = (points) => {
    const means = points.filter(isMean).filter((p) => p.value && p.value.length === 4);
    if (means.length === 0) return "";
    const bars = typeof means[0].value[1] === "string";
    const head = bars ? String(means[0].value[1]) : String(means[0].value[0]);
    const lines = means.map((p) => {
      const mean = bars ? p.value[0] : p.value[1];
      return `${bars ? "mean" : p.seriesName}: ${round(mean)} (${round(p.value[2])} to ${round(p.value[3])})`;
    });
    return [head, ...lines].join("\n");
  };
  // A band's values are [x, min, max]; its first item draws the whole area.
  const band = (series) => {
    const points = series.data.map((d) => d.value);
    return (params, api) => {
      if (params.dataIndex > 0) return undefined;
      const high = points.map((p) => api.coord([p[0], p[2]]));
      const low = points.map((p) => api.coord([p[0], p[1]]));
      return {
        type: "polygon",
        shape: { points: [...high, ...low.reverse()] },
        style: { fill: series.color, opacity: 0.2 },
      };
    };
  };
  // An interval's value is [mean, label, low, high].
  const interval = (series) => (params, api) => {
    const [, label, low, high] = series.data[params.dataIndex].value;
    const [from, to] = [api.coord([low, label]), api.coord([high, label])];
    return {
      type: "line",
      shape: { x1: from[0], y1: from[1], x2: to[0], y2: to[1] },
      style: { stroke: series.color, lineWidth: 2 },
    };
  };

  // The option of ECharts that draws a chart: a series of means for each of its own, and one of bands or intervals.
  const optionOf = (chart) => {
    const rows = chart.kind === "rows";
    const axis = { nameLocation: "middle", axisLabel: { color: "#5a6472" } };
    const grid = { splitLine: { show: true, lineStyle: { color: "#e4e8ee" } } };
    const series = chart.series.flatMap(({ name, points }, i) => {
      const { colour: color, line, symbol } = chart.looks[i];
      const value = (p) => ({ value: rows ? [p.mean, p.label, p.min, p.max] : [p.x, p.mean, p.min, p.max] });
      const mean = { id: `mean:${name}`, name, color, symbol, data: points.map(value) };
      if (rows) {
        Object.assign(mean, { type: "scatter", symbolSize: 10 });
        return [mean, { id: `interval:${name}`, name, color, type: "custom", data: mean.data }];
      }
      Object.assign(mean, { type: "line", symbolSize: 6, showSymbol: points.length <= 30, lineStyle: { color, type: line, width: 2 } });
      if (chart.kind === "steps") return [{ ...mean, step: "end" }];
      const data = points.map((p) => ({ value: [p.x, p.min, p.max] }));
      return [mean, { id: `band:${name}`, name, color, type: "custom", data, encode: { x: 0, y: [1, 2] } }];
    });
    const all = { animation: false, series, tooltip: { trigger: "axis", renderMode: "richText", confine: true, formatter: tooltip } };
    if (!rows) {
      return {
        ...all,
        grid: { left: 54, top: 44, right: 28, bottom: 46 },
        legend: { left: 54, top: 4, data: chart.series.map((s) => s.name) },
        xAxis: { ...axis, type: "value", name: chart.x_label, nameGap: 28, splitLine: { show: false }, axisLabel: { color: "#5a6472", hideOverlap: true } },
        yAxis: { ...axis, ...grid, type: "value", name: chart.y_label, nameGap: 38, min: 0 },
      };
    }
    const ends = chart.series.flatMap((s) => s.points.flatMap((p) => [Math.floor(p.min), Math.ceil(p.max)]));
    return {
      ...all,
      grid: { left: 8, top: 12, right: 28, bottom: 30, containLabel: true },
      legend: { show: false }, // each row has its name
      xAxis: { ...axis, ...grid, type: "value", name: chart.x_label, nameGap: 26, min: Math.min(0, ...ends), max: Math.max(0, ...ends) },
      yAxis: { type: "category", inverse: true, data: chart.categories, axisLabel: { color: "#1b2430" } },
    };
  };

  // The fragment of the address says what is shown: "#coverage" is a place, and
  // "#library=zlib&tool=randoop&at=coverage" a selection with a place in it.
  const keys = ["library", "tool", "variant"];
  const parse = () => {
    const text = location.hash.slice(1);
    if (!text.includes("=")) return { at: decodeURIComponent(text) };
    return Object.fromEntries(new URLSearchParams(text));
  };
  const address = (chosen, at) => {
    const parts = new URLSearchParams();
    for (const key of keys) if (chosen[key]) parts.set(key, chosen[key]);
    if (parts.size === 0) return `#${at || "content"}`;
    if (at) parts.set("at", at);
    return `#${parts}`;
  };
  // A tool is named with its variant behind a slash, but for the default.
  const isChosen = (chosen, tool) => {
    const [name, variant = "default"] = tool.split("/");
    return (!chosen.tool || chosen.tool === name) && (!chosen.variant || chosen.variant === variant);
  };
  const matches = (chosen, library, tools) =>
    (!chosen.library || !library || library === chosen.library) &&
    (!tools || tools.some((tool) => isChosen(chosen, tool)));
  const wanted = (chosen, el) => matches(chosen, el.dataset.library, el.dataset.tools?.split("|"));

  // What the parts of tables belong to, by the columns of libraries, tools and cells: "tool.variant.library.edition.trial".
  const text = (cell) => (cell.querySelector("button")?.textContent ?? cell.firstChild?.textContent ?? "").trim();
  for (const block of document.querySelectorAll("main .block")) {
    const keys = [...block.querySelectorAll("thead th")].map((th) => th.dataset.key);
    for (const row of block.querySelectorAll("tr")) {
      const cells = [...row.children], tools = [];
      if (block.dataset.spread === "tool") cells.slice(2).forEach((cell, i) => { cell.dataset.tools = keys[i + 2]; });
      if (row.parentElement.tagName === "THEAD") continue;
      keys.forEach((key, i) => {
        if (key === "library") row.dataset.library = text(cells[i]);
        if (/^tool(_[ab])?$/.test(key)) tools.push(text(cells[i]));
        const [, tool, library] = key === "cell" ? text(cells[i]).match(/^(.+)\.([^.]+)\.[^.]+\.\d+/) ?? [] : [];
        if (tool) [row.dataset.library, tools[0]] = [library, tool.replace(".", "/")];
      });
      if (tools.length > 0) row.dataset.tools = tools.join("|");
    }
  }

  // The part of a chart's option that was chosen; a row's category is "library: tool", or the tool.
  const narrowed = (chosen, option) => {
    const bars = option.yAxis.type === "category";
    const category = (label) => {
      const [tool, library = ""] = label.split(": ").reverse();
      return matches(chosen, library, [tool]);
    };
    const series = option.series.filter((s) => matches(chosen, "", [s.name])).map((s) =>
      bars ? { ...s, data: s.data.filter((d) => category(d.value[1])) } : s);
    const part = { ...option, series, legend: { ...option.legend, data: [...new Set(series.map((s) => s.name))] } };
    if (bars) part.yAxis = { ...option.yAxis, data: option.yAxis.data.filter(category) };
    return part;
  };

  const all = JSON.parse(document.getElementById("chart-data").textContent);
  const charts = [];
  for (const el of document.querySelectorAll("[data-chart]")) {
    charts.push({ el, option: optionOf(all[el.dataset.chart]), figure: el.closest("figure") });
  }
  const draw = (chosen) => {
    for (const c of charts) {
      const part = narrowed(chosen, c.option);
      c.figure.hidden = !wanted(chosen, c.figure) || part.series.every((s) => s.data.length === 0);
      if (c.figure.hidden || c.el.clientWidth === 0) continue; // a section that is closed
      const rows = part.yAxis.data?.length ?? 0;
      if (rows > 0) c.el.style.height = `${62 + 30 * rows}px`;
      else part.grid = { ...c.option.grid, top: c.option.grid.top + legendRoom(part.legend, c.el.clientWidth) };
      for (const series of part.series) {
        if (series.type === "custom") {
          const draw = series.id.startsWith("band:") ? band : interval;
          Object.assign(series, { renderItem: draw(series), silent: true, z: 1 });
        }
      }
      c.chart ??= echarts.init(c.el, null, { renderer: "svg" });
      c.chart.setOption(part, { notMerge: true });
      c.chart.resize();
    }
  };

  // A legend that needs several lines pushes its chart down by them.
  const legendRoom = (legend, width) => {
    let lines = 1, used = 0;
    for (const name of legend.data) {
      const entry = 45 + 7 * name.length; // pixels
      if (used > 0 && used + entry > width - 60) [lines, used] = [lines + 1, 0];
      used += entry;
    }
    return 20 * (lines - 1);
  };

  const form = document.getElementById("filters");
  const answers = [...document.querySelectorAll("[data-answer]")]; // of all libraries, and of each
  const show = () => {
    const chosen = parse();
    const any = keys.some((key) => chosen[key]);
    document.body.classList.toggle("narrowed", any);
    const own = answers.some((el) => el.dataset.answer === chosen.library);
    for (const el of answers) el.hidden = el.dataset.answer !== (own ? chosen.library : "");
    let rows = 0, of = 0;
    for (const el of document.querySelectorAll("th[data-tools], td[data-tools]")) el.hidden = !wanted(chosen, el);
    for (const row of document.querySelectorAll("tr[data-library], tr[data-tools]")) {
      row.hidden = !wanted(chosen, row);
      of++;
      if (!row.hidden) rows++;
    }
    for (const block of document.querySelectorAll("main .block")) {
      const body = [...block.querySelectorAll("tbody tr")];
      block.hidden = any && (!wanted(chosen, block) || (body.length > 0 && body.every((row) => row.hidden)));
    }
    draw(chosen);
    for (const a of document.querySelectorAll('a[href^="#"]:not([data-page])')) {
      a.dataset.at ??= a.getAttribute("href").slice(1);
      const own = a.dataset.at.includes("=");
      if (!own) a.setAttribute("href", address(chosen, a.dataset.at));
    }
    for (const a of document.querySelectorAll("a[data-page]")) {
      a.ariaCurrent = a.textContent === chosen.library ? "page" : null;
    }
    if (form) {
      for (const key of keys) if (form.elements[key]) form.elements[key].value = chosen[key] ?? "";
      document.getElementById("shown").textContent = any ? `${rows} of ${of} rows shown` : "";
    }
    const place = chosen.at && document.getElementById(chosen.at);
    if (place) {
      reveal(place);
      place.scrollIntoView();
    }
  };

  // All but the answer is behind headings: a link opens what it leads to, paper has all of it, and a page
  // that is loaded again is as it was.
  const sections = [...document.querySelectorAll("details.more")];
  const opened = `opened ${location.pathname}`;
  const reveal = (place) => {
    const section = place.closest("details.more") ?? place.querySelector("details.more");
    if (section) section.open = true;
  };
  for (const section of sections) {
    section.addEventListener("toggle", () => {
      draw(parse());
      sessionStorage.setItem(opened, sections.filter((s) => s.open).map((s) => s.parentElement.id).join(" "));
    });
  }
  for (const id of (sessionStorage.getItem(opened) ?? "").split(" ")) if (document.getElementById(id)) reveal(document.getElementById(id));
  document.getElementById("open-all")?.addEventListener("click", () => { for (const s of sections) s.open = true; });
  if (form) {
    form.addEventListener("change", () => {
      const chosen = Object.fromEntries(keys.map((key) => [key, form.elements[key]?.value]));
      location.hash = address(chosen, parse().at);
    });
    form.addEventListener("reset", (event) => {
      event.preventDefault();
      location.hash = address({}, parse().at);
    });
    form.addEventListener("submit", (event) => event.preventDefault());
  }
  // A test opens at the line that failed, where the keyboard goes on.
  for (const detail of document.querySelectorAll(".detail")) {
    detail.addEventListener("toggle", (event) => {
      const failed = detail.querySelector(".failed");
      if (event.newState !== "open" || !failed) return;
      failed.scrollIntoView({ block: "center", behavior: "instant" });
      failed.closest("pre").focus({ preventScroll: true });
    });
  }
  window.addEventListener("hashchange", show);
  show();
  const resize = () => draw(parse());
  let closed = [];
  window.addEventListener("resize", resize);
  window.addEventListener("beforeprint", () => {
    closed = sections.filter((s) => !s.open);
    for (const s of closed) s.open = true;
    resize();
  });
  window.addEventListener("afterprint", () => {
    for (const s of closed) s.open = false;
    resize();
  });
})();
