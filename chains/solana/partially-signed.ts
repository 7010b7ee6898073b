import { ed25519 } from '@noble/curves/ed25519.js';
import { getBase58Decoder, type SignatureBytes } from '@solana/kit';
import { AppError, invariant } from '../../domain/errors';
import { asAddress, publicKeyOfAddress } from './addresses';
import { bytesIn, encodeMessage, NO_BLOCKHASH, type Wire, wireOf } from './encoding';
import { isAdvance, type KnownInstruction, refusedIn, seenIn } from './instructions';
import { inputFaultAt, wireIn } from './parse-input';
import type { SolanaPartial } from './types';
import { bytesOf, fitsPacket, hexOf, maxFeeOf, SIGNATURE_BYTES } from './unsigned';

/** The accounts are the nonce account, the recent blockhashes and the authority. The data is only the tag. */
const ADVANCE = { accounts: 3, bytes: 4 } as const;

const isGood = (signature: Uint8Array, message: Uint8Array, signer: string): boolean =>
  ed25519.verify(Uint8Array.from(signature), message, publicKeyOfAddress(signer), { zip215: false });

function lifetimeOf(first: KnownInstruction | undefined, lifetimeToken: string): SolanaPartial['lifetime'] | undefined {
  if (first === undefined || !isAdvance(first)) return { kind: 'blockhash', blockhash: lifetimeToken };
  const [account, , authority] = first.accounts;
  if (!account || !authority || first.accounts.length !== ADVANCE.accounts || first.data.length !== ADVANCE.bytes)
    return undefined;
  return { kind: 'durable-nonce', account: account.address, authority: authority.address, value: lifetimeToken };
}

/** True if the transaction contains this signature by the signer, and the signature is valid for the message. */
export function signedTruly({ message, signatures }: Wire, signer: string, signature: Uint8Array): boolean {
  const own = signatures[asAddress(signer)];
  return !!own && Buffer.from(own).equals(signature) && isGood(own, bytesOf(encodeMessage(message)), signer);
}

/** The first signer whose signature is not valid for the message. Missing signatures are ignored. */
function falseSignerIn({ message, signatures }: Wire): string | undefined {
  const bytes = bytesOf(encodeMessage(message));
  return Object.entries(signatures).find(([signer, signature]) => signature !== null && !isGood(signature, bytes, signer))?.[0];
}

export function partialOf(text: string, signer: string, at: string): SolanaPartial {
  const fault = inputFaultAt(at);
  const wire = wireIn(text, fault);
  const { message, signatures } = wire;
  const signers = Object.keys(signatures);
  if (signers.length !== message.header.numSignerAccounts) throw fault('names a signer twice');
  if (!signers.includes(signer)) throw fault(`needs no signature of ${signer}`);
  if (signatures[asAddress(signer)] !== null) throw fault(`already has a signature of ${signer}`);
  const lying = falseSignerIn(wire);
  if (lying !== undefined) throw fault(`has a signature of ${lying} that is not valid for these bytes`);
  const messageHex = encodeMessage(message);
  if (!fitsPacket(bytesOf(messageHex).length, signers.length)) throw fault('is longer than a packet allows');
  const instructions = seenIn(message) ?? [];
  const [first, ...others] = instructions;
  if (first === undefined) throw fault('has no instruction');
  const refused = refusedIn(instructions);
  if (refused !== undefined) throw fault(`has the instruction ${refused}, which is never signed`);
  if (others.some(isAdvance)) throw fault('advances a nonce in an instruction other than the first');
  const lifetime = lifetimeOf(first, message.lifetimeToken);
  if (!lifetime) throw fault('advances a nonce in an unsupported form');
  if (message.lifetimeToken === NO_BLOCKHASH)
    throw fault('has no blockhash: nothing is filled in if only a signature is requested');
  const [feePayer = ''] = signers;
  return { messageHex, feePayer, lifetime, maxFeeUnits: maxFeeOf(signers.length, instructions) };
}

export function signPartial(text: string, signatureHex: string, signer: string): ReturnType<typeof wireWith> {
  const wire = wireOf(bytesIn(text) ?? new Uint8Array());
  invariant(wire && signer in wire.signatures, 'the transaction was read before');
  const signature = bytesOf(signatureHex);
  const message = bytesOf(encodeMessage(wire.message));
  // Validators check just as strictly: no block would include a signature that passes only lenient rules.
  if (signature.length !== SIGNATURE_BYTES || !isGood(signature, message, signer))
    throw new AppError('EnvelopeMismatch', 'The signature over these bytes is not the signer’s');
  return wireWith({ ...wire.signatures, [signer]: signature as Uint8Array as SignatureBytes }, message);
}

/** The transaction has an id only once its fee payer has signed. */
function wireWith(signatures: Wire['signatures'], message: Uint8Array): { readonly rawHex: string; readonly txHash?: string } {
  const inOrder = Object.values(signatures).map((signature) => signature ?? new Uint8Array(SIGNATURE_BYTES));
  const [named] = Object.values(signatures);
  const rawHex = hexOf(Buffer.concat([Uint8Array.of(inOrder.length), ...inOrder.map((one) => Uint8Array.from(one)), message]));
  return named ? { rawHex, txHash: getBase58Decoder().decode(named) } : { rawHex };
}
