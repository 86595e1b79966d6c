// Draws the charts of the page from the options in #chart-data. Tooltips are drawn as
// text, never as HTML, for names in them come from programs and models.
"use strict";
(() => {
  const round = (x) => Number(x).toFixed(2);
  const isMean = (p) => String(p.seriesId).startsWith("mean:");
  // A mean's value is [x, mean, min, max] on a curve and [mean, label, min, max] on a bar.
  const tooltip = (points) => {
    const means = points.filter(isMean).filter((p) => p.value && p.value.length === 4);
    if (means.length === 0) return "";
    const bars = means[0].seriesType === "bar";
    const head = bars ? String(means[0].value[1]) : String(means[0].value[0]);
    const lines = means.map((p) => {
      const mean = bars ? p.value[0] : p.value[1];
      return `${bars ? "mean" : p.seriesName}: ${round(mean)} % (${round(p.value[2])}–${round(p.value[3])})`;
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
  const options = JSON.parse(document.getElementById("chart-data").textContent);
  const charts = [];
  for (const el of document.querySelectorAll("[data-chart]")) {
    const option = options[el.dataset.chart];
    const rows = Number(el.dataset.rows);
    if (rows > 0) el.style.height = `${90 + 30 * rows}px`;
    option.tooltip = { ...option.tooltip, renderMode: "richText", confine: true, formatter: tooltip };
    for (const series of option.series) {
      if (series.type === "custom") Object.assign(series, { renderItem: band(series), silent: true, z: 1 });
    }
    const chart = echarts.init(el, null, { renderer: "svg" });
    chart.setOption(option);
    charts.push(chart);
  }
  const resize = () => charts.forEach((c) => c.resize());
  window.addEventListener("resize", resize);
  window.addEventListener("beforeprint", resize);
  window.addEventListener("afterprint", resize);
})();
