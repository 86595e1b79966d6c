// Checks a report as its readers use it: with the keyboard alone from its top to the line of a test that
// failed, with axe-core in light and dark and with all sections open, on a screen 400 pixels wide, on paper.
//
//	npm install axe-core puppeteer-core
//	node scripts/report-check.mjs report/index.html [directory for pictures]
//
// Exits with 1 if anything is wrong. CHROMIUM names the browser (default: /usr/bin/chromium).
import { createRequire } from "node:module";
import { resolve } from "node:path";

const require = createRequire(resolve("package.json"));
const puppeteer = require("puppeteer-core");
const axe = require.resolve("axe-core/axe.min.js");
const [page, pictures] = process.argv.slice(2);
let wrong = 0;
const check = (ok, what) => {
  console.log(`${ok ? "ok   " : "WRONG"} ${what}`);
  if (!ok) wrong++;
};

const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const open = async (width, scheme) => {
  const tab = await browser.newPage();
  await tab.setBypassCSP(true); // for axe; the page itself needs none
  await tab.setViewport({ width, height: 900 });
  await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  tab.on("pageerror", (error) => check(false, `script: ${error}`));
  await tab.goto(`file://${resolve(page)}`);
  return tab;
};
const picture = async (tab, name, fullPage = false) => pictures && tab.screenshot({ path: `${pictures}/${name}.png`, fullPage });

// From the top: Tab to the entry of the matrix, Enter; Tab to a detection, Enter.
const keyboard = await open(1280, "light");
const press = async (key, most, there) => {
  for (let n = 0; n < most; n++) {
    await keyboard.keyboard.press(key);
    if (await keyboard.evaluate(there)) return n + 1;
  }
  return 0;
};
const toMatrix = await press("Tab", 60, () => document.activeElement.matches('nav a[href="#matrix"]'));
check(toMatrix > 0, `${toMatrix} times Tab to "Detection matrix"`);
await keyboard.keyboard.press("Enter");
check(await keyboard.evaluate(() => document.querySelector("#matrix details").open), "Enter opens the matrix");
const toCell = await press("Tab", 20, () => document.activeElement.matches("#matrix td.hit button"));
check(toCell > 0, `${toCell} times Tab to the first detection`);
check(await keyboard.evaluate(() => getComputedStyle(document.activeElement).outlineStyle !== "none"), "one sees where the focus is");
await keyboard.keyboard.press("Enter");
await new Promise((done) => setTimeout(done, 300));
const at = await keyboard.evaluate(() => {
  const line = document.querySelector(":popover-open .failed"), text = line?.closest("pre");
  if (!line) return "no failing line";
  const [a, b] = [line.getBoundingClientRect(), text.getBoundingClientRect()];
  if (document.activeElement !== text) return `the focus is on ${document.activeElement.tagName}`;
  return a.top >= b.top - 1 && a.bottom <= b.bottom + 1 && a.bottom <= innerHeight ? "" : "the line is out of sight";
});
check(at === "", `the failing line is in sight and has the focus ${at}`);
await picture(keyboard, "failing-line");
await keyboard.keyboard.press("Escape");
check(await keyboard.evaluate(() => !document.querySelector(":popover-open") && document.activeElement.matches("#matrix td.hit button")), "Escape leads back to the cell");

for (const scheme of ["light", "dark"]) {
  for (const width of [1280, 400]) {
    const tab = await open(width, scheme);
    await picture(tab, `${scheme}-${width}-top`);
    await tab.click("#open-all");
    await new Promise((done) => setTimeout(done, 500));
    await picture(tab, `${scheme}-${width}-all`, true);
    check(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${scheme}, ${width} pixels: nothing is wider than the screen`);
    check(await tab.evaluate(() => [...document.querySelectorAll("figure:not([hidden]) .chart")].every((c) => c.querySelector("svg"))), `${scheme}, ${width} pixels: every figure is drawn`);
    await tab.addScriptTag({ path: axe });
    const found = (await tab.evaluate(() => axe.run())).violations;
    for (const v of found) console.log(`      ${v.impact}: ${v.id}: ${v.nodes.length} × ${v.nodes[0].html.slice(0, 120)}`);
    check(!found.some((v) => ["serious", "critical"].includes(v.impact)), `${scheme}, ${width} pixels: axe-core finds nothing serious (${found.length} in all)`);
  }
}

const paper = await open(1280, "light");
await paper.emulateMediaType("print");
await paper.evaluate(() => dispatchEvent(new Event("beforeprint")));
check(await paper.evaluate(() => [...document.querySelectorAll("details.more")].every((d) => d.open)), "paper has all sections");
if (pictures) await paper.pdf({ path: `${pictures}/paper.pdf`, format: "A4" });
await browser.close();
process.exit(wrong > 0 ? 1 : 0);
