// Runs ONNX models with onnxruntime-node on inputs that it makes up, and writes what goes in and comes out.
//
//   ORT_NODE_MODULES=FOLDER node onnxruntime_run.mjs LIST
//
// A line of LIST is a model and a folder, with a tab between. The folder gets in_0.npy, out_0.npy, … and
// figures.json: {"inputs": [[name, file]], "outputs": [[name, file or null, type]]} or {"error": why}. A folder
// that has it is left out, so that a run that a model has ended can be started again.
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';

const require = createRequire(path.join(path.resolve(process.env.ORT_NODE_MODULES ?? 'node_modules'), 'x.js'));
const ort = require('onnxruntime-node');
ort.env.logLevel = 'fatal';

const KINDS = {
  float32: ['<f4', Float32Array], float64: ['<f8', Float64Array], float16: ['<f2', Uint16Array],
  int8: ['|i1', Int8Array], uint8: ['|u1', Uint8Array], int16: ['<i2', Int16Array], uint16: ['<u2', Uint16Array],
  int32: ['<i4', Int32Array], uint32: ['<u4', Uint32Array], int64: ['<i8', BigInt64Array],
  uint64: ['<u8', BigUint64Array], bool: ['|b1', Uint8Array],
};

function writeNpy(file, t) {
  const shape = t.dims.length === 1 ? `(${t.dims[0]},)` : `(${t.dims.join(', ')})`;
  let text = `{'descr': '${KINDS[t.type][0]}', 'fortran_order': False, 'shape': ${shape}, }`;
  text += ' '.repeat(63 - ((10 + text.length) % 64)) + '\n';
  const head = Buffer.alloc(10);
  head.write('\x93NUMPY', 0, 'latin1');
  head[6] = 1;
  head.writeUInt16LE(text.length, 8);
  const { buffer, byteOffset, byteLength } = t.data;
  fs.writeFileSync(file, Buffer.concat([head, Buffer.from(text, 'latin1'), Buffer.from(buffer, byteOffset, byteLength)]));
}

// Floats from -1 to 1 (halves from -1 to -0.25 and from 0.5 to 1), bytes from 0 to 99, other integers 0 or 1.
function madeUp(type, count, random) {
  const data = new KINDS[type][1](count);
  for (let i = 0; i < count; i++) {
    const r = random();
    if (type === 'float16') data[i] = (r < 0.5 ? 0x3800 : 0xb400) + Math.floor(r * 500);
    else if (type.startsWith('float')) data[i] = 2 * r - 1;
    else if (type.endsWith('64')) data[i] = BigInt(Math.floor(r * 2));
    else data[i] = Math.floor(r * (type.endsWith('t8') ? 100 : 2));
  }
  return data;
}

// Dimensions that the model leaves open are 2.
async function figures(model, folder) {
  const session = await ort.InferenceSession.create(model, {
    intraOpNumThreads: 1, interOpNumThreads: 1, graphOptimizationLevel: 'disabled', logSeverityLevel: 4,
  });
  let state = 12345;
  const random = () => (state = (state * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
  const feeds = {}, inputs = [];
  for (const m of session.inputMetadata) {
    if (!m.isTensor || !(m.type in KINDS)) throw new Error(`input ${m.name} is no tensor of numbers`);
    const dims = m.shape.map((d) => (typeof d === 'number' && d >= 0 ? d : 2));
    const count = dims.reduce((a, b) => a * b, 1);
    if (count > 5e6) throw new Error(`input ${m.name} is large`);
    feeds[m.name] = new ort.Tensor(m.type, madeUp(m.type, count, random), dims);
    inputs.push([m.name, `in_${inputs.length}.npy`]);
    writeNpy(path.join(folder, inputs.at(-1)[1]), feeds[m.name]);
  }
  const results = await session.run(feeds);
  const outputs = session.outputNames.map((name, i) => {
    const t = results[name];
    if (!t || !t.dims || !(t.type in KINDS)) return [name, null, 'other'];
    writeNpy(path.join(folder, `out_${i}.npy`), t);
    return [name, `out_${i}.npy`, t.type];
  });
  return { inputs, outputs };
}

for (const line of fs.readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean)) {
  const [model, folder] = line.split('\t');
  const file = path.join(folder, 'figures.json');
  if (fs.existsSync(file)) continue;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ error: 'it ended the process' }));
  const found = await figures(model, folder).catch((e) => ({ error: String(e.message ?? e) }));
  fs.writeFileSync(file, JSON.stringify(found));
}
