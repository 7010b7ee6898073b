import { evmCodecOf, solanaCodecOf, utxoCodecOf } from '../../chains/codecs';
import { networkOf } from '../../chains/networks';
import type { Effect } from '../../chains/types';
import type { Family } from '../../domain/networks';
import { inSlot, type Slot } from '../../domain/slots';
import type { TransactionTerms } from '../../domain/transactions';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { combinedEffect, knownEffects } from '../outgoing/evm/combined-effect';
import { isEvmRequest } from '../outgoing/evm/requests';
import { askedNonceOf, inputOf } from '../outgoing/evm/transaction';
import type { TransactionRequest } from '../outgoing/family-forms';
import { proven, UnprovenRequest } from './refused';

export type SignedRow = OutgoingEntity & { readonly publicKeyHex: string | null };
type Said = { readonly terms: TransactionTerms; readonly effect: Effect; readonly askedNonce?: number | null };
/** Parses a caller's signed request again with the codec of the network's family. */
export type ReadSigned = (row: SignedRow, request: TransactionRequest) => Said;

const evmIn: ReadSigned = (row, request) => {
  const codec = evmCodecOf(row.network);
  if (request.kind === 'UserOperations') {
    const call = codec.userCallsOf(request.userOperations, row.fromAddress, 'body.userOperations');
    // The chain reported which of the contracts are tokens, and only the row records this report.
    const tokens = row.terms?.family === 'evm-operation' ? row.terms.tokens : [];
    const effects = call.map((one) => codec.effectOf({ type: 2, accessList: [], authorizationList: [], ...one }));
    return { terms: { family: 'evm-operation', call, tokens }, effect: combinedEffect(knownEffects(effects, tokens)) };
  }
  if (!isEvmRequest(request)) throw new UnprovenRequest('KindDiffers');
  const { input, at } = inputOf(request, codec);
  const terms = codec.termsOf(input, row.fromAddress, at);
  return { terms, effect: codec.effectOf(terms.call), askedNonce: askedNonceOf(terms) };
};

const solanaIn: ReadSigned = (row, request) => {
  const codec = solanaCodecOf(row.network);
  if (request.kind === 'CreateSolanaNonceAccounts') {
    // Rent, price and the missing accounts come from the chain, so the terms come from the row. The signer checks the bytes.
    proven(row.terms?.family === 'solana', 'KindDiffers');
    return { terms: row.terms, effect: { asset: { kind: 'Call' }, recipient: row.fromAddress, amountUnits: 0n } };
  }
  proven(request.kind === 'Transaction' && typeof request.transaction === 'string', 'KindDiffers');
  const terms = codec.termsOf(request.transaction, row.fromAddress, 'body.transaction');
  return { terms, effect: codec.effectOf(terms.call.messageHex) };
};

const psbtIn: ReadSigned = (row, request) => {
  proven(request.kind === 'Psbt' && row.publicKeyHex !== null, 'KindDiffers');
  const { psbtHex, recipients, amountUnits } = utxoCodecOf(row.network).readPsbt(request.psbt, row.publicKeyHex, 'body.psbt');
  const [recipient] = recipients;
  return {
    terms: { family: 'utxo', call: { psbtHex } },
    effect: {
      asset: { kind: recipient === undefined ? 'Call' : 'Native' },
      recipient: recipient ?? row.fromAddress,
      amountUnits,
    },
  };
};

const FAMILIES: Readonly<Record<Family, Slot<ReadSigned>>> = {
  evm: evmIn,
  solana: solanaIn,
  utxo: psbtIn,
};

/** The content that the row of a raw transaction must have according to its signed body. */
export const signedTermsOf: ReadSigned = (row, request) => inSlot(FAMILIES[networkOf(row.network).family])(row, request);
