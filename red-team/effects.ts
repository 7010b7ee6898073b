import { createPublicKey, verify } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { base58 } from '@scure/base';
import { Address, OutScript, TEST_NETWORK, Transaction } from '@scure/btc-signer';
import {
  decodeFunctionData,
  hashAuthorization,
  hashMessage,
  hashTypedData,
  keccak256,
  parseAbi,
  parseTransaction,
  publicKeyToAddress,
} from 'viem/utils';
import { z } from 'zod';

/** The effect of signed bytes, computed by code that is independent of the signer and the builders. */
export type Effect = {
  readonly text: string;
  /** The nonces or coins that the bytes use up. Two signatures without a common claim can both take effect. */
  readonly claims: readonly string[];
  readonly spentUnits: bigint;
};
type Hex = `0x${string}`;
const hex = (text: string) => text.toLowerCase() as Hex;
const Signature = z.object({ r: z.string(), s: z.string(), recoveryId: z.number().optional() });
type Signature = z.infer<typeof Signature>;
const Result = z.union([
  z.object({ signature: Signature }).transform(({ signature }) => [signature]),
  z.object({ signatures: z.array(Signature) }).transform(({ signatures }) => signatures),
]);

export const evmEffect = (from: string, to: string, value: bigint, data: string) => hex(`evm:${from}:${to}:${value}:${data}`);
export const callsEffect = (sender: string, to: string, value: bigint, sponsor: string) =>
  hex(`calls:${sender}:${to}:${value}:0x:${sponsor}`);
export const coinsEffect = (from: string, to: string, units: bigint) => `coins:${from}:${to}:${units}`;
export const solanaEffect = (from: string, to: string, units: bigint, memo = '', feePayer = from) =>
  `solana:${from}:${to}:${units}:${memo}:${feePayer}`;
/** The effect of an order that does not move funds. Such an order does not need a person's request. */
export const IDLE = 'idle';

function signerOf(digest: Hex, { r, s, recoveryId = 0 }: Signature): string {
  const compact = Buffer.from(`${r.slice(2)}${s.slice(2)}`, 'hex');
  const recovered = secp256k1.Signature.fromBytes(Uint8Array.from(compact), 'compact').addRecoveryBit(recoveryId);
  const point = recovered.recoverPublicKey(Uint8Array.from(Buffer.from(digest.slice(2), 'hex')));
  return publicKeyToAddress(`0x${Buffer.from(point.toBytes(false)).toString('hex')}`);
}

function evmOf(bytesHex: string, signature: Signature): Effect {
  const { chainId, nonce = 0, to = '', value = 0n, data = '0x', ...tx } = parseTransaction(bytesHex as Hex);
  const from = signerOf(keccak256(bytesHex as Hex), signature);
  const price = tx.maxFeePerGas ?? tx.gasPrice ?? 0n;
  const isIdle = hex(from) === hex(to ?? '') && value === 0n && data === '0x' && !tx.authorizationList?.length;
  const text = isIdle ? IDLE : `${evmEffect(from, to ?? '', value, data)}${tx.authorizationList?.length ? ':authorized' : ''}`;
  const spentUnits = value + (tx.gas ?? 0n) * price;
  return {
    // The charter contains a wallet with the same key on Polygon Amoy, and a nonce of that wallet may be used up too.
    text: chainId === 11_155_111 || (isIdle && chainId === 80_002) ? text : `${text}:chain ${chainId}`,
    claims: [hex(`nonce:${from}:${nonce}`)],
    spentUnits,
  };
}

const ABI = parseAbi([
  'struct Call { address target; uint256 value; bytes data; }',
  'struct Op { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'function executeBatch(Call[] calls)',
  'function handleOps(Op[] ops, address beneficiary)',
]);

function sponsoredOf(bytesHex: string): Effect {
  const { data = '0x', ...tx } = parseTransaction(bytesHex as Hex);
  const outer = decodeFunctionData({ abi: ABI, data });
  if (outer.functionName !== 'handleOps') return { text: `unknown:${bytesHex}`, claims: [], spentUnits: 0n };
  const [operations, beneficiary] = outer.args;
  const texts = operations.map(({ sender, callData }) => {
    const inner = decodeFunctionData({ abi: ABI, data: callData });
    if (inner.functionName !== 'executeBatch') return `unknown:${callData}`;
    const calls = inner.args[0].map(({ target, value, data: called }) => `${target}:${value}:${called}`).join();
    return hex(`calls:${sender}:${calls}:${beneficiary}`);
  });
  const claims = operations.map(({ sender, nonce }) => hex(`operation:${sender}:${nonce}`));
  const isForeign = tx.chainId !== 11_155_111 || (tx.authorizationList?.length ?? 0) > 0;
  return { text: isForeign ? `foreign:${bytesHex}` : texts.join('+'), claims, spentUnits: 0n };
}

const addressOfScript = (script: Uint8Array) => Address(TEST_NETWORK).encode(OutScript.decode(script));

function coinsOf(bytesHex: string): Effect {
  const tx = Transaction.fromPSBT(Uint8Array.from(Buffer.from(bytesHex.slice(2), 'hex')));
  const inputs = Array.from({ length: tx.inputsLength }, (_one, at) => tx.getInput(at));
  const from = new Set(
    inputs.map(({ witnessUtxo, nonWitnessUtxo, index = 0 }) => {
      const script = witnessUtxo?.script ?? nonWitnessUtxo?.outputs[index]?.script;
      return script === undefined ? 'unknown' : addressOfScript(script);
    }),
  );
  const outputs = Array.from({ length: tx.outputsLength }, (_one, at) => tx.getOutput(at));
  const paid = outputs
    .map(({ script, amount }) => ({ to: script ? addressOfScript(script) : 'unknown', amount }))
    .filter(({ to }) => !from.has(to));
  const sender = [...from].join('+');
  const text = paid.length === 0 ? IDLE : paid.map(({ to, amount = 0n }) => coinsEffect(sender, to, amount)).join('+');
  const claims = inputs.map(({ txid, index }) => `coin:${Buffer.from(txid ?? []).toString('hex')}:${index}`);
  return { text, claims, spentUnits: 0n };
}

const SYSTEM = '11111111111111111111111111111111';
const FREE_PROGRAMS = ['ComputeBudget111111111111111111111111111111'];
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';

/** Reads a message of version 0 or a legacy message. */
function readMessage(bytes: Buffer) {
  let at = bytes[0] === 0x80 ? 1 : 0;
  const take = (count: number) => {
    at += count;
    return bytes.subarray(at - count, at);
  };
  const short = () => {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = take(1)[0] ?? 0;
      value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80);
    return value;
  };
  take(3);
  const accounts = Array.from({ length: short() }, () => base58.encode(Uint8Array.from(take(32))));
  take(32);
  const instructions = Array.from({ length: short() }, () => {
    const program = accounts[take(1)[0] ?? 0] ?? '';
    const used = [...take(short())].map((index) => accounts[index] ?? 'unknown');
    return { program, used, data: take(short()) };
  });
  return { accounts, instructions, signers: bytes[bytes[0] === 0x80 ? 1 : 0] ?? 0 };
}

function solanaOf(bytesHex: string, { r, s }: Signature): Effect {
  const bytes = Buffer.from(bytesHex.slice(2), 'hex');
  const { accounts, instructions, signers } = readMessage(bytes);
  const [feePayer = ''] = accounts;
  let [text, memo] = ['', ''];
  for (const { program, used, data } of instructions) {
    const kind = program === SYSTEM ? data.readUInt32LE(0) : undefined;
    const [from = '', to = ''] = used;
    if (FREE_PROGRAMS.includes(program) || kind === 4) continue;
    if (program === MEMO) memo += data.toString('utf8');
    else if (kind === 2 && text === '') text = `${from}:${to}:${data.readBigUInt64LE(4)}`;
    else text += `+${program}:${data.toString('hex')}`;
  }
  const [from = '', to = '', units = ''] = text.split(':');
  const signed = Buffer.from(`${r.slice(2)}${s.slice(2)}`, 'hex');
  const isSignedBy = (address: string) => {
    const x = Buffer.from(base58.decode(address)).toString('base64url');
    return verify(null, bytes, createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }), signed);
  };
  const isIdle = from === to && units === '0' && feePayer === from && memo === '';
  const isOurs = accounts.slice(0, signers).some(isSignedBy);
  const whole = isIdle ? IDLE : `solana:${text}:${memo}:${feePayer}`;
  return { text: isOurs ? whole : `foreign:${whole}`, claims: [`message:${bytesHex}`], spentUnits: 0n };
}

const Authorization = z.object({ chainId: z.number(), address: z.string(), nonce: z.number() });
const Payload = z.looseObject({ kind: z.string() });

/** The effect of a payload for which a person requests a signature. */
export function payloadEffect(signer: string, payload: object): string {
  const { kind, ...rest } = Payload.parse(payload);
  if (kind === 'Eip191' || (kind === 'Message' && signer.startsWith('0x')))
    return hex(`digest:${signer}:${hashMessage({ raw: hex(String(rest['messageHex'])) })}`);
  if (kind === 'Eip712') return hex(`digest:${signer}:${hashTypedData(JSON.parse(String(rest['typedData'])))}`);
  if (kind === 'Eip7702') {
    const { chainId, address, nonce } = Authorization.parse(rest);
    return hex(`digest:${signer}:${hashAuthorization({ chainId, nonce, contractAddress: hex(address) })}`);
  }
  const members = Object.entries(rest).sort(([one], [other]) => (one < other ? -1 : 1));
  return `payload:${signer}:${kind}:${JSON.stringify(members)}`;
}

function payloadOf(payload: object, signature: Signature, publicKeyHex: string): Effect {
  const read = Payload.parse(payload);
  const bytesHex = String(read['bytesHex']);
  if (read.kind === 'EvmTransaction') return evmOf(bytesHex, signature);
  if (read.kind === 'Psbt') return coinsOf(bytesHex);
  if (read.kind === 'SolanaTransaction') return solanaOf(bytesHex, signature);
  const isPersonal =
    read.kind === 'Eip191' ||
    ['Eip712', 'Eip7702'].includes(read.kind) ||
    (read.kind === 'Message' && publicKeyHex.length === 66);
  if (!isPersonal) return { text: payloadEffect(publicKeyHex, payload), claims: ['payload'], spentUnits: 0n };
  return digestOf(payloadEffect('0x', payload).split(':').at(-1) as Hex, signature);
}

function digestOf(digest: Hex, signature: Signature): Effect {
  return { text: hex(`digest:${signerOf(digest, signature)}:${digest}`), claims: ['payload'], spentUnits: 0n };
}
/** Replaces the name of an order if only the digest of the signed content is known. The digest is in `bytesHex`. */
export const DIGEST = 'digest';

const Read = z.looseObject({ op: z.string(), bytesHex: z.string().optional(), payload: z.looseObject({}).optional() });
const Rows = z.looseObject({ sealed: z.looseObject({ publicKeyHex: z.string() }) });

export const signaturesIn = (result: unknown): readonly string[] => Result.parse(result).map(({ r, s }) => `${r} ${s}`);

/** The effects of the signatures that the signer returned for this order. */
export function effectsOf(order: object, result: unknown): readonly Effect[] {
  const { op, bytesHex = '', payload = {} } = Read.parse(order);
  const signatures = Result.parse(result);
  const [first] = signatures;
  if (!first) return [];
  if (op === 'signTransfer') return [evmOf(bytesHex, first)];
  if (op === DIGEST) return [digestOf(hex(bytesHex), first)];
  if (op === 'signSponsored') return [sponsoredOf(bytesHex)];
  if (op === 'signUtxo') return [coinsOf(bytesHex)];
  if (op === 'signSolana') return signatures.map((signature) => solanaOf(bytesHex, signature));
  return [payloadOf(payload, first, Rows.parse(order).sealed.publicKeyHex)];
}
