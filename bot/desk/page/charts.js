// data_visualization blocks as plain SVG: bar, line, area and pie, with a table for those who do not see them.

import { h, svg } from "./dom.js";

const W = 560, H = 240, LEFT = 48, BOTTOM = 40, TOP = 12, RIGHT = 8;
const tone = (index) => `tone${index % 6}`;
const short = (value) => (Math.abs(value) >= 1e6 ? `${(value / 1e6).toFixed(1)}M` : Math.abs(value) >= 1e4 ? `${Math.round(value / 1e3)}k` : `${Math.round(value * 100) / 100}`);

export function chart(block) {
  const { chart: one, title } = block;
  const drawn = one.type === "pie" ? pie(one.segments) : lines(one);
  const names = one.type === "pie" ? one.segments.map((part) => part.label) : one.series.map((series) => series.name);
  return h("figure", { class: "chart" }, h("figcaption", {}, title), drawn, legend(names), numbers(one));
}

const legend = (names) => h("div", { class: "legend" }, names.map((name, index) => h("span", { class: tone(index) }, h("i", {}), name)));

function lines(one) {
  const labels = one.axis_config.categories;
  const values = one.series.flatMap((series) => series.data.map((point) => point.value));
  const ticks = even(Math.min(0, ...values), Math.max(0, ...values) || 1, values.every(Number.isInteger));
  const [low, high] = [ticks[0], ticks.at(-1)];
  const x = (at) => LEFT + ((at + 0.5) * (W - LEFT - RIGHT)) / labels.length;
  const y = (value) => TOP + ((high - value) * (H - TOP - BOTTOM)) / (high - low);
  const draw = { bar: bars, line: strokes, area: areas }[one.type];
  return svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `${one.type} chart` },
    grid(ticks, y), labels.map((label, at) => at % every(labels) ? null : svg("text", { x: x(at), y: H - BOTTOM + size() + 5, class: "tick", "font-size": size(), "text-anchor": "middle" }, label)),
    one.series.map((series, index) => draw(points(series, labels), index, { x, y, count: one.series.length, step: (W - LEFT - RIGHT) / labels.length })),
    one.axis_config.x_label && svg("text", { x: W / 2, y: H - 4, class: "tick", "text-anchor": "middle" }, one.axis_config.x_label));
}

function points(series, labels) {
  return labels.map((label) => series.data.find((point) => point.label === label)?.value ?? 0);
}

// A phone draws it half as large, so that its words have to be larger.
const size = () => (matchMedia("(max-width: 760px)").matches ? 18 : 11);

// As many labels as stand beside each other: every one, every second, every third … All of them are in the numbers below.
const every = (labels) => Math.ceil((Math.max(...labels.map((label) => label.length)) * size() * 0.62) / ((W - LEFT - RIGHT) / labels.length));

// Round numbers from below the lowest to above the highest, some five of them.
function even(low, high, areWhole) {
  const rough = (high - low) / 4, power = 10 ** Math.floor(Math.log10(rough));
  const steps = areWhole && power < 10 ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10];
  const step = Math.max(areWhole ? 1 : 0, power * steps.find((one) => one * power >= rough * 0.999));
  const first = Math.floor(low / step), last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

function grid(ticks, y) {
  return ticks.map((value) => [svg("line", { x1: LEFT, x2: W - RIGHT, y1: y(value), y2: y(value), class: "grid" }),
    svg("text", { x: LEFT - 6, y: y(value) + size() / 3, class: "tick", "font-size": size(), "text-anchor": "end" }, short(value))]);
}

function bars(values, index, { x, y, count, step }) {
  const width = (step * 0.7) / count;
  return values.map((value, at) => svg("rect", {
    class: tone(index), x: x(at) - (width * count) / 2 + index * width, width: Math.max(1, width - 1),
    y: Math.min(y(0), y(value)), height: Math.abs(y(0) - y(value)), rx: 2,
  }, svg("title", {}, String(value))));
}

function strokes(values, index, { x, y }) {
  return [svg("polyline", { class: `stroke ${tone(index)}`, points: values.map((value, at) => `${x(at)},${y(value)}`).join(" ") }),
    values.map((value, at) => svg("circle", { class: tone(index), cx: x(at), cy: y(value), r: 3 }, svg("title", {}, String(value))))];
}

function areas(values, index, where) {
  const { x, y } = where;
  const edge = values.map((value, at) => `${x(at)},${y(value)}`).join(" ");
  return [svg("polygon", { class: `fill ${tone(index)}`, points: `${x(0)},${y(0)} ${edge} ${x(values.length - 1)},${y(0)}` }), strokes(values, index, where)];
}

function pie(segments) {
  const total = segments.reduce((sum, part) => sum + part.value, 0);
  let from = -Math.PI / 2;
  const slices = segments.map((part, index) => {
    const to = from + (part.value / total) * 2 * Math.PI;
    const at = (angle) => `${110 + 95 * Math.cos(angle)} ${110 + 95 * Math.sin(angle)}`;
    const path = segments.length === 1 ? "M110 15a95 95 0 1 1 -.1 0Z" : `M110 110L${at(from)}A95 95 0 ${to - from > Math.PI ? 1 : 0} 1 ${at(to)}Z`;
    from = to;
    return svg("path", { class: tone(index), d: path }, svg("title", {}, `${part.label}: ${part.value}`));
  });
  return svg("svg", { viewBox: "0 0 220 220", class: "pie", role: "img", "aria-label": "pie chart" }, slices);
}

function numbers(one) {
  const rows = one.type === "pie" ? one.segments.map((part) => [part.label, part.value])
    : one.axis_config.categories.map((label, at) => [label, ...one.series.map((series) => points(series, one.axis_config.categories)[at])]);
  return h("details", {}, h("summary", {}, "Show the numbers"),
    h("table", {}, rows.map((row) => h("tr", {}, row.map((cell, at) => h(at ? "td" : "th", { scope: at ? undefined : "row" }, String(cell)))))));
}
