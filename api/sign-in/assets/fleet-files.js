import { sha256Hex, toHex } from './bytes.js';
import { canonical } from './canonical.js';
import { moment } from './fleet-words.js';

/** @typedef {import('./fleet-words.js').Group} Group */

const OUTPUT_TYPES = ['fleet-output', 'keystore-output'];
const FILE_TYPE = 'strongroom-fleet-output';
const NAMES = ['output.json', 'output-file.json'];
const BYTES_MAX = 4 * 1024 * 1024;
const FINGERPRINT_CHARS = 32;

/** @param {unknown} value */
const digestOf = (value) => sha256Hex(canonical(value));

/**
 * The first half of the digest. Devices show the same half in groups of four, and people compare it on paper.
 * @param {unknown} value
 */
const fingerprintOf = async (value) => (await digestOf(value)).slice(0, FINGERPRINT_CHARS);

/**
 * Removes all that people write between the characters of a fingerprint.
 * @param {string} text
 */
export const typedFingerprint = (text) => text.toLowerCase().replace(/[\s.:-]/g, '');

/**
 * A fingerprint from paper names the digest if it has the whole first half, and no character differs.
 * @param {string} typed
 * @param {string} digest
 */
export const names = (typed, digest) => {
  const hex = typedFingerprint(typed);
  return hex.length >= FINGERPRINT_CHARS && digest.startsWith(hex);
};

/**
 * Throws unless the text is the archive of this group. The device verifies the signature.
 * @param {string} text
 * @param {Group} group
 */
export async function archiveRows(text, { groupId, storeId, orgId }) {
  const { input } = JSON.parse(text);
  if (input.groupId !== groupId || input.storeId !== storeId || input.orgId !== orgId)
    throw new Error('The service has sent the archive of another group. Nothing was saved.');
  return /** @type {const} */ ([
    ['Input, as the device shows it', await fingerprintOf(input)],
    ['SHA-256 of the file', await sha256Hex(text)],
  ]);
}

/** @param {Uint8Array} bytes */
function jsonIn(bytes) {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** @typedef {{ name: string, bytes: Uint8Array<ArrayBuffer>, json: any }} Chosen */

/**
 * Finds the two files of an output among the chosen files. A folder may contain other files, which are not read.
 * @param {readonly File[]} files
 */
async function chosen(files) {
  const wanted = files.length > NAMES.length ? files.filter(({ name }) => NAMES.includes(name)) : files;
  const read = await Promise.all(
    wanted
      .filter(({ size }) => size <= BYTES_MAX)
      .map(async (file) => {
        const bytes = new Uint8Array(await file.arrayBuffer());
        return { name: file.name, bytes, json: jsonIn(bytes) };
      }),
  );
  const outputs = read.filter(({ json }) => OUTPUT_TYPES.includes(json?.type));
  const signed = read.filter(({ json }) => json?.output?.type === FILE_TYPE);
  const [output, file] = [outputs[0], signed[0]];
  if (!output || !file || outputs.length > 1 || signed.length > 1)
    throw new Error(`Choose the two files that the device wrote: ${NAMES.join(' and ')}, each at most 4 MiB.`);
  return { output, file };
}

/**
 * The archives that codes have carried, under the names that the device gives to them.
 * @param {readonly Uint8Array<ArrayBuffer>[]} archives
 */
export const readFiles = (archives) =>
  archives.map((bytes) => new File([bytes], OUTPUT_TYPES.includes(jsonIn(bytes)?.type) ? 'output.json' : 'output-file.json'));

/**
 * The checks find a mistake before anything is signed. The service verifies the whole output.
 * @param {Chosen} output
 * @param {Chosen} file
 * @param {Group} group
 */
async function assertOfGroup({ json: outputJson }, { json: { output } }, { groupId, storeId, orgId }) {
  const isOfGroup = [outputJson.group_id ?? groupId, output.groupId].every((id) => id === groupId);
  if (!isOfGroup || outputJson.keystore_id !== storeId || outputJson.org_id !== orgId)
    throw new Error('These files are the output of another group. Choose those of this group.');
  if ((await digestOf(outputJson)) !== output.outputJsonDigest)
    throw new Error('The two files do not belong together. Choose both files from the same folder of the device.');
}

/**
 * @param {any} outputs
 */
function signedRow(outputs) {
  const results = Object.values(outputs).map(({ result }) => result);
  if (results.some((one) => one === undefined)) return [];
  const signed = results.filter(({ success }) => success !== undefined).length;
  return [/** @type {const} */ (['Requests', `${signed} signed, ${results.length - signed} refused by the device`])];
}

/**
 * @param {any} signed the next manifest; null if the group does not change the fleet
 */
async function manifestRows(signed) {
  if (!signed) return [];
  const { manifest } = signed;
  const cards = await Promise.all(manifest.provisioners.map(digestOf));
  return /** @type {const} */ ([
    ['Manifest', await fingerprintOf(manifest)],
    ['Provisioners', await fingerprintOf(cards)],
  ]);
}

/**
 * Reads the output of a group from the chosen files. `data` is what the passkey signs; it contains the checksum of `file`.
 * @param {readonly File[]} files
 * @param {Group} group
 */
export async function outputIn(files, group) {
  const { output, file } = await chosen(files);
  await assertOfGroup(output, file, group);
  const { device, keys, manifest, dateMade } = file.json.output;
  const fileChecksum = toHex(await crypto.subtle.digest('SHA-256', file.bytes));
  /** @type {(readonly [string, string])[]} */
  const rows = [
    ['Device', String(device.serial)],
    ['Fingerprint of the device', await fingerprintOf(device)],
    ['Made, by the clock of the device', moment(dateMade)],
    ...(await manifestRows(manifest)),
    ...(manifest ? [/** @type {const} */ (['New keys', String(keys.length)])] : signedRow(output.json.outputs)),
    [`SHA-256 of ${file.name}`, fileChecksum],
  ];
  return { rows, data: { fileChecksum, outputJson: output.json }, file: new File([file.bytes], file.name) };
}
