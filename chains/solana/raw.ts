import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
} from '@solana/kit';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget';
import { AppError, invariant } from '../../domain/errors';
import type { SolanaRawTerms } from '../../domain/transactions';
import type { Effect, UnsignedBytes } from '../types';
import { MEMO_PROGRAM } from './addresses';
import { instructionsIn, isAdvance, type KnownInstruction, refusedIn, transferIn } from './instructions';
import { bytesOf, fitsPacket, hexOf, maxFeeOf, unsignedOf } from './unsigned';

type Compiled = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime;
type Wire = { readonly message: Compiled; readonly isSigned: boolean };

/** What stands where a sender has no blockhash yet: 32 zeros. */
const NO_BLOCKHASH = '11111111111111111111111111111111';
const HEX = /^(?:0x)?(?:[0-9a-f]{2})+$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const encode = (message: Compiled) => hexOf(Uint8Array.from(getCompiledTransactionMessageEncoder().encode(message)));

/** Undefined unless the bytes are the one encoding of what they say, so that nothing hides behind or between. */
function compiledOf(bytes: Uint8Array): Compiled | undefined {
  try {
    const message = getCompiledTransactionMessageDecoder().decode(bytes);
    return encode(message) === hexOf(bytes) ? message : undefined;
  } catch {
    return undefined;
  }
}

function wireOf(bytes: Uint8Array): Wire | undefined {
  const alone = compiledOf(bytes);
  if (alone) return { message: alone, isSigned: false };
  try {
    const transaction = getTransactionDecoder().decode(bytes);
    const again = getTransactionEncoder().encode(transaction);
    const message =
      hexOf(Uint8Array.from(again)) === hexOf(bytes) ? compiledOf(Uint8Array.from(transaction.messageBytes)) : undefined;
    return message && { message, isSigned: Object.values(transaction.signatures).some((signature) => signature !== null) };
  } catch {
    return undefined;
  }
}

export const isTransaction = (bytesHex: string): boolean => wireOf(bytesOf(bytesHex)) !== undefined;

const withLifetime = (message: Compiled, lifetimeToken: string): Compiled => ({ ...message, lifetimeToken });

export function termsOf(text: string, from: string, at: string): SolanaRawTerms {
  const fault = (message: string) =>
    new AppError('InvalidRequest', `The request is not valid: ${at}: ${message}`, { issues: [{ path: at, message }] });
  if (!HEX.test(text) && !BASE64.test(text)) throw fault('must be hexadecimal or base64');
  const wire = wireOf(HEX.test(text) ? Buffer.from(text.replace(/^0x/i, ''), 'hex') : Buffer.from(text, 'base64'));
  if (!wire) throw fault('is not the canonical encoding of one Solana transaction or message');
  const { message, isSigned } = wire;
  if (message.version !== 'legacy' && message.version !== 0) throw fault('must be a legacy transaction or one of version 0');
  if (isSigned) throw fault('is signed already: send it without signatures');
  const { header, staticAccounts } = message;
  if (staticAccounts[0] !== from) throw fault(`must be paid for by the wallet's own address ${from}`);
  if (header.numSignerAccounts !== 1) throw fault('needs signatures of others, which cannot be added here');
  if (!fitsPacket(encode(message).length / 2 - 1)) throw fault('is longer than a packet takes');
  const instructions = instructionsIn(message);
  if (instructions === undefined) throw fault('takes accounts from an address lookup table: name all of them in the transaction');
  if (instructions.length === 0) throw fault('has no instruction');
  const refused = refusedIn(instructions);
  if (refused !== undefined) throw fault(`has the instruction ${refused}, which is never signed`);
  if (instructions.slice(1).some(isAdvance)) throw fault('advances a nonce elsewhere than in its first instruction');
  const isDurable = instructions.slice(0, 1).some(isAdvance);
  const given = message.lifetimeToken;
  if (isDurable && given === NO_BLOCKHASH) throw fault('has no value of its durable nonce');
  const messageHex = encode(isDurable ? message : withLifetime(message, NO_BLOCKHASH));
  return { family: 'solana', call: { messageHex }, blockhash: isDurable || given === NO_BLOCKHASH ? null : given };
}

export function buildRaw({ call, blockhash: given }: SolanaRawTerms, filledIn: string | null): UnsignedBytes {
  const message = compiledOf(bytesOf(call.messageHex));
  invariant(message, 'the message was read before');
  const instructions = instructionsIn(message);
  invariant(instructions, 'the message names all of its accounts');
  const blockhash = given ?? filledIn;
  const isOpen = message.lifetimeToken === NO_BLOCKHASH;
  invariant(!isOpen || blockhash !== null, 'a message without a durable nonce gets a blockhash');
  const bytesHex = isOpen && blockhash !== null ? encode(withLifetime(message, blockhash)) : call.messageHex;
  return unsignedOf(bytesHex, maxFeeOf(message.header.numSignerAccounts, instructions));
}

/** Instructions that say how a transaction runs, and not what it does. */
const BESIDE: readonly Address[] = [COMPUTE_BUDGET_PROGRAM_ADDRESS, MEMO_PROGRAM];
const isBeside = (one: KnownInstruction) => BESIDE.includes(one.programAddress) || isAdvance(one);

export function effectOf(messageHex: string): Effect {
  const message = compiledOf(bytesOf(messageHex));
  invariant(message, 'the message was read before');
  const feePayer = message.staticAccounts[0] ?? '';
  const call: Effect = { asset: { kind: 'Call' }, recipient: feePayer, amountUnits: 0n };
  const instructions = instructionsIn(message);
  if (instructions === undefined || message.header.numSignerAccounts !== 1) return call;
  return transferIn(instructions.filter((one) => !isBeside(one))) ?? call;
}
