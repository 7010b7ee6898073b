import type { Address } from '@solana/kit';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget';
import { invariant } from '../../domain/errors';
import type { SolanaRawTerms } from '../../domain/transactions';
import type { Effect, UnsignedBytes } from '../types';
import { MEMO_PROGRAM } from './addresses';
import { type Compiled, compiledOf, encodeMessage, NO_BLOCKHASH } from './encoding';
import { instructionsIn, isAdvance, type KnownInstruction, refusedIn, transferIn } from './instructions';
import { inputFaultAt, wireIn } from './parse-input';
import { bytesOf, fitsPacket, maxFeeOf, unsignedOf } from './unsigned';

const withLifetime = (message: Compiled, lifetimeToken: string): Compiled => ({ ...message, lifetimeToken });

export function termsOf(text: string, from: string, at: string): SolanaRawTerms {
  const fault = inputFaultAt(at);
  const { message, signatures } = wireIn(text, fault);
  if (Object.values(signatures).some((signature) => signature !== null))
    throw fault('is already signed: send it without signatures');
  const { header, staticAccounts } = message;
  if (staticAccounts[0] !== from) throw fault(`must be paid for by the wallet's own address ${from}`);
  if (header.numSignerAccounts !== 1) throw fault('needs signatures of others, which cannot be added here');
  if (!fitsPacket(encodeMessage(message).length / 2 - 1)) throw fault('is longer than a packet allows');
  const instructions = instructionsIn(message);
  if (instructions === undefined) throw fault('takes accounts from an address lookup table: name all of them in the transaction');
  if (instructions.length === 0) throw fault('has no instruction');
  const refused = refusedIn(instructions);
  if (refused !== undefined) throw fault(`has the instruction ${refused}, which is never signed`);
  if (instructions.slice(1).some(isAdvance)) throw fault('advances a nonce in an instruction other than the first');
  const isDurable = instructions.slice(0, 1).some(isAdvance);
  const given = message.lifetimeToken;
  if (isDurable && given === NO_BLOCKHASH) throw fault('has no value of its durable nonce');
  const messageHex = encodeMessage(isDurable ? message : withLifetime(message, NO_BLOCKHASH));
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
  const bytesHex = isOpen && blockhash !== null ? encodeMessage(withLifetime(message, blockhash)) : call.messageHex;
  const { numSignerAccounts: signatures } = message.header;
  return unsignedOf(bytesHex, signatures, maxFeeOf(signatures, instructions));
}

/** Programs whose instructions do not change the result of a transaction. */
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
