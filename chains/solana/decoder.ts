import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import type { SolanaRawTerms } from '../../domain/transactions';
import type { Effect } from '../types';
import { associatedTokenAddress, readInstruction } from './decoder-instructions';
import { isMessage, readMessage } from './decoder-message';
import { nonceAccountsIn } from './decoder-nonce-accounts';
import type { DecodedSolana, DecodedSolanaTransfer, SolanaDecoder, SolanaInstruction, SplProgram } from './types';

/** The fee for each signature. */
const SIGNATURE_LAMPORTS = 5_000n;
/** The highest limit that the network accepts. This limit also applies to a transaction that does not set a limit. */
const COMPUTE_UNITS_MAX = 1_400_000;
const MICRO = 1_000_000n;
const BLOCKHASH_BYTES = 32;
const SIGNATURE_BYTES = 64;
/**
 * The maximum rent: 6,960 lamports for each byte of the account and for 128 bytes of overhead. An account has 165 bytes, and at
 * most 200 bytes with every extension that Token-2022 itself adds.
 */
const TOKEN_ACCOUNT_RENT: Readonly<Record<SplProgram, bigint>> = { Spl: 2_039_280n, Spl2022: 2_282_880n };

type Of<K extends SolanaInstruction['kind']> = Extract<SolanaInstruction, { kind: K }>;
const isKind =
  <K extends SolanaInstruction['kind']>(kind: K) =>
  (instruction: SolanaInstruction): instruction is Of<K> =>
    instruction.kind === kind;

const UNREADABLE: DecodedSolana = {
  version: 0,
  signers: [],
  feePayer: '',
  lifetime: { kind: 'blockhash', blockhash: '' },
  instructions: [],
  maxFeeUnits: 0n,
  maxRentUnits: 0n,
  opaque: ['bytes'],
};

function maxCostOf(signers: number, instructions: readonly SolanaInstruction[]): bigint {
  const prices = instructions.filter(isKind('ComputeUnitPrice')).map(({ microLamports }) => microLamports);
  const limits = instructions.filter(isKind('ComputeUnitLimit')).map(({ units }) => Math.min(units, COMPUTE_UNITS_MAX));
  const [price = 0n] = prices.sort((a, b) => (a < b ? 1 : -1));
  const units = limits.length === 0 ? COMPUTE_UNITS_MAX : Math.max(...limits);
  return BigInt(signers) * SIGNATURE_LAMPORTS + (BigInt(units) * price + MICRO - 1n) / MICRO;
}

const maxRentOf = (instructions: readonly SolanaInstruction[]): bigint =>
  instructions.filter(isKind('CreateTokenAccount')).reduce((sum, { program }) => sum + TOKEN_ACCOUNT_RENT[program], 0n);

function decode(messageHex: string): DecodedSolana {
  const message = readMessage(bytesOf(messageHex));
  if (!message) return UNREADABLE;
  const { version, signers, blockhash, hasLookups } = message;
  const instructions = message.instructions.map(readInstruction);
  const [first] = instructions;
  const opaque = instructions.flatMap((one) => {
    if (one.kind === 'Unknown') return [`program ${one.program}`];
    return one.kind === 'Refused' ? [one.name] : [];
  });
  // An instruction that advances a nonce sets the lifetime only if it comes first. A later advance would use up a nonce that is
  // not reserved in any record.
  if (instructions.slice(1).some(isKind('AdvanceNonce'))) opaque.push('System AdvanceNonceAccount');
  if (hasLookups) opaque.push('address lookup table');
  const maxRentUnits = maxRentOf(instructions);
  return {
    version,
    signers,
    feePayer: signers[0] ?? '',
    lifetime:
      first?.kind === 'AdvanceNonce'
        ? { kind: 'durable-nonce', account: first.account, authority: first.authority, value: blockhash }
        : { kind: 'blockhash', blockhash },
    instructions,
    maxFeeUnits: maxCostOf(signers.length, instructions) + maxRentUnits,
    maxRentUnits,
    opaque,
  };
}

function bytesOf(hex: string): Buffer {
  return /^0x(?:[0-9a-f]{2})*$/.test(hex) ? Buffer.from(hex.slice(2), 'hex') : Buffer.alloc(0);
}

/**
 * A plain transfer may also contain each of these instructions once. `createsFor` checks the instruction that creates a
 * token account.
 */
const BESIDE: readonly SolanaInstruction['kind'][] = [
  'AdvanceNonce',
  'ComputeUnitLimit',
  'ComputeUnitPrice',
  'CreateTokenAccount',
  'Memo',
];
const isMove = (one: SolanaInstruction): one is Of<'Transfer'> | Of<'TokenTransfer'> =>
  one.kind === 'Transfer' || one.kind === 'TokenTransfer';

function moved(one: Of<'Transfer'> | Of<'TokenTransfer'>) {
  if (one.kind === 'Transfer') {
    const { from, to, lamports } = one;
    return {
      asset: { kind: 'Native' },
      from,
      source: from,
      destination: to,
      amountUnits: lamports,
      decimals: null,
    } as const;
  }
  const { program, mint, authority, source, destination, amountUnits, decimals } = one;
  return { asset: { kind: program, contract: mint }, from: authority, source, destination, amountUnits, decimals } as const;
}

const NOTHING = { asset: { kind: 'Native' }, from: '', source: '', destination: '', amountUnits: 0n, decimals: null } as const;

function decodeTransfer(messageHex: string): DecodedSolanaTransfer {
  const { signers, feePayer, lifetime, instructions, maxFeeUnits, maxRentUnits, opaque: unread } = decode(messageHex);
  const opaque = [...unread];
  const [move, ...moreMoves] = instructions.filter(isMove);
  const [creation] = instructions.filter(isKind('CreateTokenAccount'));
  const counts = BESIDE.map((kind) => [kind, instructions.filter(isKind(kind)).length] as const);
  opaque.push(...counts.filter(([, count]) => count > 1).map(([kind]) => `${kind} twice`));
  opaque.push(...instructions.filter((one) => !isMove(one) && !BESIDE.includes(one.kind)).map(({ kind }) => kind));
  if (move === undefined || moreMoves.length > 0) opaque.push(`${moreMoves.length + (move ? 1 : 0)} transfers`);
  const is = move === undefined ? NOTHING : moved(move);
  if (creation && !createsFor(creation, move)) opaque.push('an account that the transfer does not need');
  if (signers.some((signer) => signer !== feePayer && signer !== is.from)) opaque.push('another signer');
  const [memo] = instructions.filter(isKind('Memo'));
  return {
    ...is,
    signers,
    feePayer,
    lifetime,
    maxFeeUnits,
    maxRentUnits,
    opaque,
    memo: memo?.text ?? null,
    createsDestination: creation !== undefined,
  };
}

/**
 * The owner of the tokens must pay the rent. If a fee payer paid, a recipient could close the account, keep the rent, and drain
 * the fee payer by repeating this.
 */
const createsFor = (made: Of<'CreateTokenAccount'>, move: SolanaInstruction | undefined): boolean =>
  move?.kind === 'TokenTransfer' &&
  made.payer === move.authority &&
  made.account === move.destination &&
  made.mint === move.mint &&
  made.program === move.program;

function refused(messageHex: string): readonly string[] {
  if (readMessage(bytesOf(messageHex)) === undefined) return ['bytes'];
  const [first, ...others] = decode(messageHex).instructions;
  const named = [first, ...others].flatMap((one) => (one?.kind === 'Refused' ? [one.name] : []));
  return others.some(isKind('AdvanceNonce')) ? [...named, 'System AdvanceNonceAccount'] : named;
}

function callOf(messageHex: string): SolanaRawTerms['call'] | undefined {
  const bytes = bytesOf(messageHex);
  const message = readMessage(bytes);
  const { instructions, lifetime, opaque } = decode(messageHex);
  // A raw transaction may call unknown programs, but must contain neither refused instructions nor lookup tables.
  const strange = instructions.filter(isKind('Unknown')).length;
  if (message === undefined || opaque.length > strange) return undefined;
  if (lifetime.kind === 'blockhash') bytes.fill(0, message.blockhashAt, message.blockhashAt + BLOCKHASH_BYTES);
  return { messageHex: `0x${bytes.toString('hex')}` };
}

function effectOf(messageHex: string): Effect {
  const transfer = decodeTransfer(messageHex);
  const { opaque, asset, destination, amountUnits, createsDestination } = transfer;
  if (opaque.length === 0) {
    const [made] = createsDestination ? decode(messageHex).instructions.filter(isKind('CreateTokenAccount')) : [];
    return { asset, recipient: made?.owner ?? destination, amountUnits };
  }
  return { asset: { kind: 'Call' }, recipient: transfer.feePayer, amountUnits: 0n };
}

function advancesAlone(messageHex: string): boolean {
  const { lifetime, instructions, opaque } = decode(messageHex);
  const priced: readonly SolanaInstruction['kind'][] = ['ComputeUnitLimit', 'ComputeUnitPrice'];
  return (
    opaque.length === 0 && lifetime.kind === 'durable-nonce' && instructions.slice(1).every(({ kind }) => priced.includes(kind))
  );
}

export const solanaDecoder: SolanaDecoder = {
  family: 'solana',
  decode,
  decodeTransfer,
  refused,
  callOf,
  effectOf,
  advancesAlone,
  nonceAccountsIn: (messageHex) => nonceAccountsIn(decode(messageHex)),
  associatedTokenAddress,
  isTransaction: (bytesHex) => isMessage(bytesOf(bytesHex)),
  verifies(messageHex, signatureHex, address) {
    const bytes = Buffer.from(signatureHex, 'hex');
    return (
      bytes.length === SIGNATURE_BYTES && ed25519.verify(bytes, bytesOf(messageHex), base58.decode(address), { zip215: false })
    );
  },
  addressOf(publicKeyHex) {
    const bytes = Buffer.from(publicKeyHex, 'hex');
    if (bytes.length !== 32 || publicKeyHex.length !== 64) throw new RangeError('a public key has 32 bytes');
    return base58.encode(bytes);
  },
};
