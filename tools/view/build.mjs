// Bundles the WebGL library of `odonata view` into python/odonata/output/view/app/library.js.
//
//   npm ci && npm run build          in this folder; needs Node 20 and the package registry
//
// The result is committed: the wheel and a fresh clone need no Node. It begins with the hashes of
// what it was made from, which tests/test_view_library.py compares, and with all licences.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "../../python/odonata/output/view/app/library.js");
const ALLOWED = new Set(["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD"]);

const hash = (name) => createHash("sha256").update(readFileSync(join(here, name))).digest("hex");

// Folder of the package that a bundled file belongs to.
function packageOf(file) {
  const parts = file.split("node_modules/");
  const [first, second] = parts.at(-1).split("/");
  const name = first.startsWith("@") ? `${first}/${second}` : first;
  return `${parts.slice(0, -1).join("node_modules/")}node_modules/${name}`;
}

function licenceOf(folder) {
  const about = JSON.parse(readFileSync(join(here, folder, "package.json"), "utf8"));
  if (!ALLOWED.has(about.license)) throw new Error(`${about.name}: licence ${about.license}`);
  const name = readdirSync(join(here, folder)).find((file) => /^licen[cs]e(\.(md|txt))?$/i.test(file));
  const text = name && existsSync(join(here, folder, name)) ? readFileSync(join(here, folder, name), "utf8") : "";
  return { title: `${about.name} ${about.version} (${about.license})`, text: text.trim() };
}

const { outputFiles, metafile } = await build({
  absWorkingDir: here,
  entryPoints: ["entry.js"],
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "deck",
  target: "es2022",
  legalComments: "none",
  charset: "ascii",
  write: false,
  metafile: true,
});

const folders = new Set(Object.keys(metafile.inputs).filter((file) => file.includes("node_modules/")).map(packageOf));
const licences = [...folders].map(licenceOf).sort((one, two) => (one.title < two.title ? -1 : 1));
const texts = new Map();
for (const { title, text } of licences) texts.set(text, [...(texts.get(text) ?? []), title]);
const told = [...texts].map(([text, titles]) => `${titles.join("\n")}\n\n${text || "(the package names its licence, and holds no text of it)"}`);
const head = [
  "/*! The WebGL library of `odonata view`, bundled by tools/view/build.mjs. Do not edit.",
  `package-lock.json sha256 ${hash("package-lock.json")}`,
  `entry.js sha256 ${hash("entry.js")}`,
  `build.mjs sha256 ${hash("build.mjs")}`,
  "",
  told.join("\n\n---\n\n").replaceAll("*/", "* /"),
  "*/",
].join("\n");
const code = outputFiles[0].text.replaceAll("</script", "<\\/script").trimEnd();
writeFileSync(target, `${head}\n${code}\n`);
console.log(`${target}: ${(code.length / 1e3).toFixed(0)} kB, ${licences.length} packages`);
