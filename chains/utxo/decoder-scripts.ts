import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { OutputForm, UtxoNetwork } from './types';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

const hash160 = (bytes: Uint8Array): Buffer => Buffer.from(ripemd160(sha256(bytes)));

/** Only kinds of scripts that have an address are listed. */
type Paid = { readonly kind: 'PublicKeyHash' | 'ScriptHash' | 'WitnessV0' | 'Taproot'; readonly program: Buffer };

const PATTERNS: readonly (readonly [RegExp, Paid['kind']])[] = [
  [/^76a914([0-9a-f]{40})88ac$/, 'PublicKeyHash'],
  [/^a914([0-9a-f]{40})87$/, 'ScriptHash'],
  [/^0014([0-9a-f]{40})$/, 'WitnessV0'],
  [/^0020([0-9a-f]{64})$/, 'WitnessV0'],
  [/^5120([0-9a-f]{64})$/, 'Taproot'],
];

function paidBy(script: Buffer): Paid | undefined {
  const hex = script.toString('hex');
  for (const [pattern, kind] of PATTERNS) {
    const program = pattern.exec(hex)?.[1];
    if (program !== undefined) return { kind, program: Buffer.from(program, 'hex') };
  }
  return undefined;
}

/** True if `script` pays to the hash of the script `behind` (BIP16 for `ScriptHash`, BIP141 for `WitnessV0`). */
export function paysScript(script: Buffer, kind: 'ScriptHash' | 'WitnessV0', behind: Buffer): boolean {
  const paid = paidBy(script);
  const hash = kind === 'ScriptHash' ? hash160(behind) : Buffer.from(sha256(behind));
  return paid?.kind === kind && paid.program.equals(hash);
}

export const isTaprootScript = (script: Buffer): boolean => paidBy(script)?.kind === 'Taproot';

function base58Check(version: number, payload: Buffer): string {
  const body = Buffer.concat([Buffer.from([version]), payload]);
  const whole = Buffer.concat([body, Buffer.from(sha256(sha256(body))).subarray(0, 4)]);
  let number = BigInt(`0x${whole.toString('hex')}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = (BASE58[Number(number % 58n)] ?? '') + text;
  const zeros = whole.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros) + text;
}

/** The bytes in groups of five bits. Zero bits pad the last group. */
function quintets(bytes: Buffer): number[] {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((group) => Number.parseInt(group.padEnd(5, '0'), 2));
}

/** The checksum of an error-detecting code over GF(32). `bits` is the width of the checksum. */
function checksum(values: readonly number[], bits: bigint, generators: readonly bigint[], constant: bigint): number[] {
  const low = (1n << (bits - 5n)) - 1n;
  const padded = [...values, ...new Array<number>(Number(bits / 5n)).fill(0)];
  const rest = padded.reduce((sum, value) => {
    const top = sum >> (bits - 5n);
    const next = ((sum & low) << 5n) ^ BigInt(value);
    return generators.reduce((mixed, generator, bit) => ((top >> BigInt(bit)) & 1n ? mixed ^ generator : mixed), next);
  }, 1n);
  const final = rest ^ constant;
  return Array.from({ length: Number(bits / 5n) }, (_, at) => Number((final >> (bits - 5n - 5n * BigInt(at))) & 31n));
}

const BECH32 = [0x3b6a57b2n, 0x26508e6dn, 0x1ea119fan, 0x3d4233ddn, 0x2a1462b3n];
const CASHADDR = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];
const letters = (digits: readonly number[]) => digits.map((digit) => BASE32[digit]).join('');
const codes = (text: string) => [...Buffer.from(text, 'ascii')];

/** The address of version 0 (BIP173), or of version 1 for Taproot (BIP350). */
function witnessAddress(hrp: string, version: 0 | 1, program: Buffer): string {
  const data = [version, ...quintets(program)];
  const head = [...codes(hrp).map((code) => code >> 5), 0, ...codes(hrp).map((code) => code & 31)];
  const checks = checksum([...head, ...data], 30n, BECH32, version === 0 ? 1n : 0x2bc830a3n);
  return `${hrp}1${letters([...data, ...checks])}`;
}

/** The CashAddr format (Bitcoin Cash specification), for hashes of 160 bits. */
function cashAddress(prefix: string, kind: 'PublicKeyHash' | 'ScriptHash', hash: Buffer): string {
  const data = quintets(Buffer.concat([Buffer.from([kind === 'PublicKeyHash' ? 0 : 8]), hash]));
  const head = [...codes(prefix).map((code) => code & 31), 0];
  return `${prefix}:${letters([...data, ...checksum([...head, ...data], 40n, CASHADDR, 1n)])}`;
}

/** Undefined for a script that has no address on this network. */
export function addressOfScript({ versions, hrp, cashPrefix, forms }: UtxoNetwork, script: Buffer): string | undefined {
  const paid = paidBy(script);
  if (!paid) return undefined;
  const { kind, program } = paid;
  switch (kind) {
    case 'PublicKeyHash':
    case 'ScriptHash':
      if (cashPrefix !== undefined) return cashAddress(cashPrefix, kind, program);
      return base58Check(kind === 'PublicKeyHash' ? versions.publicKeyHash : versions.scriptHash, program);
    case 'WitnessV0':
      return hrp === undefined ? undefined : witnessAddress(hrp, 0, program);
    case 'Taproot':
      return hrp === undefined || !forms.includes('P2TR') ? undefined : witnessAddress(hrp, 1, program);
  }
}

export function taggedHash(tag: string, ...parts: readonly Uint8Array[]): Buffer {
  const tagHash = sha256(Buffer.from(tag, 'utf8'));
  return Buffer.from(sha256(Buffer.concat([tagHash, tagHash, ...parts])));
}

/** The x coordinate of Q in BIP341, without a script tree (BIP86). */
function outputKeyOf(internalKey: Buffer): Buffer {
  const { Point } = secp256k1;
  const even = schnorr.utils.lift_x(BigInt(`0x${internalKey.toString('hex')}`));
  const tweak = Point.Fn.fromBytes(taggedHash('TapTweak', internalKey));
  return Buffer.from(even.add(Point.BASE.multiply(tweak)).toBytes(true)).subarray(1);
}

export const keyHashScript = (publicKey: Buffer): Buffer =>
  Buffer.concat([Buffer.from('76a914', 'hex'), hash160(publicKey), Buffer.from('88ac', 'hex')]);
export const witnessKeyScript = (publicKey: Buffer): Buffer => Buffer.concat([Buffer.from('0014', 'hex'), hash160(publicKey)]);
const nestedScript = (publicKey: Buffer): Buffer =>
  Buffer.concat([Buffer.from('a914', 'hex'), hash160(witnessKeyScript(publicKey)), Buffer.from('87', 'hex')]);

/** Undefined if keys of this length do not have this form. */
export function scriptOfKey(form: OutputForm, publicKey: Buffer): Buffer | undefined {
  if ((form === 'P2TR') !== (publicKey.length === 32)) return undefined;
  switch (form) {
    case 'P2PKH':
      return keyHashScript(publicKey);
    case 'P2SH-P2WPKH':
      return nestedScript(publicKey);
    case 'P2WPKH':
      return witnessKeyScript(publicKey);
    case 'P2TR':
      return Buffer.concat([Buffer.from('5120', 'hex'), outputKeyOf(publicKey)]);
  }
}
