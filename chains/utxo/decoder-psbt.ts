import { ByteReader, Unreadable } from './decoder-bytes';
import { assertKeys, GLOBAL_KEYS, INPUT_KEYS, OUTPUT_KEYS } from './decoder-psbt-keys';
import { paysScript } from './decoder-scripts';
import { type DecodedTransaction, decodeUtxoTransaction, idOf, readAnyTransaction, type TxOutput } from './decoder-transaction';

/** `isProved` means that the PSBT contains the previous transaction whose id the input names. */
export type Spent = TxOutput & { readonly isProved: boolean };
export type Psbt = {
  readonly tx: DecodedTransaction;
  readonly spent: readonly Spent[];
  /** One value for each input. Undefined if the PSBT does not specify a hash type. */
  readonly hashTypes: readonly (number | undefined)[];
  /** True for each input that already has a signature. */
  readonly signed: readonly boolean[];
};

const MAGIC = '70736274ff';
const GLOBAL = { unsignedTx: 0x00, version: 0xfb };
const INPUT = { nonWitnessUtxo: 0x00, witnessUtxo: 0x01, hashType: 0x03, redeemScript: 0x04, witnessScript: 0x05 };
/** Key types of a partial signature, a final script or witness, and Taproot signatures by a key or for a script. */
const SIGNATURES: ReadonlySet<number> = new Set([0x02, 0x07, 0x08, 0x13, 0x14]);

/** Reads a map of BIP174. The result maps each key, in hex, to its value. */
function readMap(reader: ByteReader): Map<string, Buffer> {
  const map = new Map<string, Buffer>();
  for (let key = reader.chunk(); key.length > 0; key = reader.chunk()) {
    const name = key.toString('hex');
    if (map.has(name)) throw new Unreadable('a key occurs twice');
    map.set(name, reader.chunk());
  }
  return map;
}

/** The value whose key consists only of this type. */
const plain = (map: ReadonlyMap<string, Buffer>, type: number) => map.get(type.toString(16).padStart(2, '0'));

function readOutput(bytes: Buffer): TxOutput {
  const reader = new ByteReader(bytes);
  const output = { amountUnits: reader.u64(), script: reader.chunk() };
  if (!reader.isAtEnd) throw new Unreadable('there are bytes after the output');
  return output;
}

function spentBy({ txid, vout }: { readonly txid: string; readonly vout: number }, map: ReadonlyMap<string, Buffer>): Spent {
  const whole = plain(map, INPUT.nonWitnessUtxo);
  const alone = plain(map, INPUT.witnessUtxo);
  const told = alone && readOutput(alone);
  if (!whole) {
    if (!told) throw new Unreadable('an input does not show what it spends');
    return { ...told, isProved: false };
  }
  const previous = readAnyTransaction(whole);
  const output = previous.outputs[vout];
  if (idOf(previous) !== txid || !output) throw new Unreadable('a previous transaction is not the one that the input names');
  const isSame = !told || (told.amountUnits === output.amountUnits && told.script.equals(output.script));
  if (!isSame) throw new Unreadable('two members disagree on what an input spends');
  return { ...output, isProved: true };
}

/** Throws unless the output commits to the scripts (BIP174, "Signer"). */
function assertScripts({ script }: TxOutput, map: ReadonlyMap<string, Buffer>): void {
  const redeem = plain(map, INPUT.redeemScript);
  const witness = plain(map, INPUT.witnessScript);
  if (redeem && !paysScript(script, 'ScriptHash', redeem)) throw new Unreadable('a redeem script does not belong to the output');
  if (witness && !paysScript(redeem ?? script, 'WitnessV0', witness))
    throw new Unreadable('a witness script does not belong to the output');
}

const isSigned = (map: ReadonlyMap<string, Buffer>): boolean =>
  [...map.keys()].some((name) => SIGNATURES.has(Number.parseInt(name.slice(0, 2), 16)));

function hashTypeIn(map: ReadonlyMap<string, Buffer>): number | undefined {
  const bytes = plain(map, INPUT.hashType);
  if (bytes && bytes.length !== 4) throw new Unreadable('a hash type is four bytes');
  return bytes?.readUInt32LE();
}

/** Reads version 0 (BIP174). Throws `Unreadable` for other bytes. */
export function readPsbt(psbtHex: string): Psbt {
  const hex = psbtHex.replace(/^0x/, '').toLowerCase();
  if (!/^(?:[0-9a-f]{2})+$/.test(hex) || !hex.startsWith(MAGIC)) throw new Unreadable('the bytes are not a PSBT');
  const reader = new ByteReader(Buffer.from(hex.slice(MAGIC.length), 'hex'));
  const global = readMap(reader);
  const unsigned = plain(global, GLOBAL.unsignedTx);
  assertKeys(global, GLOBAL_KEYS);
  const version = plain(global, GLOBAL.version);
  if (!unsigned || (version && version.readUInt32LE() !== 0)) throw new Unreadable('only version 0 is supported');
  const tx = decodeUtxoTransaction(unsigned);
  if (tx.inputs.some(({ scriptSig }) => scriptSig.length > 0)) throw new Unreadable('the transaction is signed');
  const outpoints = new Set(tx.inputs.map(({ txid, vout }) => `${txid}:${vout}`));
  if (outpoints.size !== tx.inputs.length || tx.inputs.length === 0)
    throw new Unreadable('a coin is spent twice, or there is none');
  const inputs = tx.inputs.map((input) => ({ input, map: readMap(reader) }));
  for (const _ of tx.outputs) assertKeys(readMap(reader), OUTPUT_KEYS);
  if (!reader.isAtEnd) throw new Unreadable('there are bytes after the PSBT');
  const spent = inputs.map(({ input, map }) => {
    assertKeys(map, INPUT_KEYS);
    const output = spentBy(input, map);
    assertScripts(output, map);
    return output;
  });
  return {
    tx,
    spent,
    hashTypes: inputs.map(({ map }) => hashTypeIn(map)),
    signed: inputs.map(({ map }) => isSigned(map)),
  };
}
