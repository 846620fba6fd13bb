#!/usr/bin/env node
// Runs a .tflite model with LiteRT, TensorFlow Lite's successor: the WebAssembly build of npm's @litertjs/core (2.5.3),
// which knows operators, types and versions that the package of shared/tools/oracle/tflite_run.mjs is too old for.
//   node litert_run.mjs --modules DIR/node_modules --model m.tflite --out DIR [--input F.npy ...]
// Inputs are given in the model's order; outputs are written as output_K.npy, their names as lines to stdout.
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const args = { input: [] };
for (let k = 2; k < process.argv.length; k += 2) {
  const name = process.argv[k].replace(/^--/, '');
  if (name === 'input') args.input.push(process.argv[k + 1]);
  else args[name] = process.argv[k + 1];
}
const home = path.join(path.resolve(args.modules), '@litertjs', 'core');
const wasm = path.join(home, 'wasm', 'litert_wasm_compat_internal');  // needs no option of node

// The package is made for browsers: what it asks them for is here.
const log = [];
globalThis.self = globalThis;
globalThis.GPUBuffer = class {};
globalThis.require = createRequire(import.meta.url);
globalThis.__dirname = path.dirname(wasm);
globalThis.__filename = wasm + '.js';
globalThis.importScripts = file => vm.runInThisContext(fs.readFileSync(String(file), 'utf8'));
globalThis.Module = { wasmBinary: fs.readFileSync(wasm + '.wasm'), print: s => log.push(s), printErr: s => log.push(s) };
console.warn = () => {};

// It gives out arrays of three types; the others are the same.
const TYPES = { float32: ['<f4', Float32Array, 1], int32: ['<i4', Int32Array, 2], uint8: ['|u1', Uint8Array, 3],
  int64: ['<i8', BigInt64Array, 4], bool: ['|b1', Uint8ClampedArray, 6], int16: ['<i2', Int16Array, 7],
  int8: ['|i1', Int8Array, 9], float64: ['<f8', Float64Array, 11], uint32: ['<u4', Uint32Array, 16] };
const more = Object.entries(TYPES).filter(([name]) => !['float32', 'int32', 'uint8'].includes(name)).map(
  ([name, [, array, number]]) => `{dtype: "${name}", typedArrayConstructor: ${array.name}, elementType: ${number}},`);
const all = path.join(home, 'dist', 'all_types.mjs');
fs.writeFileSync(all, fs.readFileSync(path.join(home, 'dist', 'index.js'), 'utf8').replace('Object.freeze([', 'Object.freeze([' + more.join(' ')));
const { loadLiteRt, loadAndCompile, Tensor } = await import(pathToFileURL(all));

function readNpy(file) {
  const b = fs.readFileSync(file), start = b[6] === 1 ? 10 : 12;
  const head = b.subarray(start, start + (b[6] === 1 ? b.readUInt16LE(8) : b.readUInt32LE(8))).toString();
  const descr = head.match(/'descr': '([^']*)'/)[1];
  const shape = head.match(/'shape': \(([^)]*)\)/)[1].split(',').filter(d => d.trim()).map(Number);
  const array = Object.values(TYPES).find(t => t[0] === descr)[1];
  return new Tensor(new array(new Uint8Array(b.subarray(start + head.length)).buffer), shape);
}
function writeNpy(file, tensor) {
  const bytes = tensor.toTypedArray(), shape = [...tensor.type.layout.dimensions];
  let head = `{'descr': '${TYPES[tensor.type.dtype][0]}', 'fortran_order': False, 'shape': (${shape.map(d => d + ',').join(' ')}), }`;
  head = head.padEnd(Math.ceil((head.length + 11) / 64) * 64 - 11) + '\n';
  const start = Buffer.from('\x93NUMPY\x01\x00\x00\x00', 'latin1');
  start.writeUInt16LE(head.length, 8);
  fs.writeFileSync(file, Buffer.concat([start, Buffer.from(head), Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]));
}

try {
  await loadLiteRt(wasm + '.js');
  const model = await loadAndCompile(new Uint8Array(fs.readFileSync(args.model)), { accelerator: 'wasm' });
  const outputs = await model.run(args.input.map(readNpy));
  fs.mkdirSync(args.out, { recursive: true });
  outputs.forEach((tensor, k) => writeNpy(path.join(args.out, `output_${k}.npy`), tensor));
  model.getOutputDetails().forEach(o => console.log(o.name));
  process.exit(0);
} catch (e) {
  console.error('litert_run: ' + (e?.message || e) + '\n' + log.slice(-8).join('\n'));
  process.exit(1);
}
