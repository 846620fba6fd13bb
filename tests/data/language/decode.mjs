// Runs the models of this folder with onnxruntime for 16 steps, each with the cache of the one before, and writes
// the logits: NAME.logits, 32-bit floats of the last token of each step.
//
//   ORT_NODE_MODULES=.../node_modules node decode.mjs [NAME...]
//
// The first step has four tokens, each later one has one; what they are, tokens() says here and in
// tests/cli/language_test.cpp.
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.dirname(fileURLToPath(import.meta.url));
const modules = process.env.ORT_NODE_MODULES;
const require = createRequire(modules ? path.join(path.resolve(modules), 'x.js') : import.meta.url);
const ort = require('onnxruntime-node');

const steps = 16;
const layers = 2;
const groups = 2;
const width = 16;
const vocabulary = 32;

function tokens(step) {
  return step === 0 ? [3, 14, 15, 9] : [(step * 7 + 5) % vocabulary];
}

const longs = (list) => new ort.Tensor('int64', BigInt64Array.from(list, BigInt), [1, list.length]);

const asked = process.argv.slice(2);
const names = fs.readdirSync(folder).filter((f) => f.endsWith('.onnx')).map((f) => f.slice(0, -5));
for (const name of names.filter((n) => asked.length === 0 || asked.includes(n))) {
  const session = await ort.InferenceSession.create(path.join(folder, `${name}.onnx`));
  const has = new Set(session.inputNames);
  const cache = {};
  for (let layer = 0; layer < layers; ++layer)
    for (const what of ['key', 'value'])
      cache[`${layer}.${what}`] = new ort.Tensor('float32', new Float32Array(0), [1, groups, 0, width]);
  const all = new Float32Array(steps * vocabulary);
  let past = 0;
  for (let step = 0; step < steps; ++step) {
    const ids = tokens(step);
    const total = past + ids.length;
    const feeds = { input_ids: longs(ids), attention_mask: longs(new Array(total).fill(1)) };
    if (has.has('position_ids')) feeds.position_ids = longs(ids.map((_, i) => past + i));
    for (const [key, value] of Object.entries(cache)) feeds[`past_key_values.${key}`] = value;
    const outputs = await session.run(feeds);
    all.set(outputs.logits.data.subarray((ids.length - 1) * vocabulary), step * vocabulary);
    for (const key of Object.keys(cache)) cache[key] = outputs[`present.${key}`];
    past = total;
  }
  fs.writeFileSync(path.join(folder, `${name}.logits`), Buffer.from(all.buffer));
  console.log(name, all.every(Number.isFinite) ? 'ok' : 'not finite', all[0], all[all.length - 1]);
}
