import { base58 } from '@scure/base';
import { z } from 'zod';
import { AppError } from '../../domain/errors';
import type { Rpc } from '../rpc/rpc';
import { wireOf } from './encoding';
import { atSlot, Base58, Count } from './rpc';
import type { SolanaReader } from './types';

const PAGE = 1_000;
const FINAL = { commitment: 'finalized' } as const;

const Page = z.array(z.object({ signature: Base58 }));
const Statuses = atSlot(z.array(z.object({ slot: Count, confirmationStatus: z.string().nullish() }).nullable()).length(1));
const Whole = z.object({ transaction: z.tuple([z.base64(), z.literal('base64')]) }).nullable();

/** Searches finalized transactions. `ask` must come from `neverRefused`. */
export function createHistory(network: string, ask: Rpc): Pick<SolanaReader, 'isIncluded' | 'signedBy'> {
  const unreadable = (signature: string) =>
    new AppError('NetworkUnavailable', `The node of ${network} lists the transaction ${signature} and does not have it`, {
      network,
    });

  /** The signature by the key of the address. Undefined for a transaction that only names the address. */
  const signatureIn = async (signature: string, address: string): Promise<string | undefined> => {
    const params = [signature, { ...FINAL, encoding: 'base64', maxSupportedTransactionVersion: 0 }];
    const found = await ask('getTransaction', params, Whole);
    const wire = found && wireOf(Buffer.from(found.transaction[0], 'base64'));
    if (!wire) throw unreadable(signature);
    const own = Object.entries(wire.signatures).find(([signer]) => signer === address)?.[1];
    return own ? base58.encode(Uint8Array.from(own)) : undefined;
  };

  return {
    async isIncluded(signature) {
      const { value } = await ask('getSignatureStatuses', [[signature], { searchTransactionHistory: true }], Statuses);
      return value[0]?.confirmationStatus === 'finalized';
    },

    async signedBy(address, isKnown) {
      const signed: string[] = [];
      let before: string | undefined;
      for (;;) {
        const options = { ...FINAL, limit: PAGE, ...(before === undefined ? {} : { before }) };
        const page = await ask('getSignaturesForAddress', [address, options], Page);
        for (const { signature } of page) {
          if (isKnown(signature)) continue;
          const own = await signatureIn(signature, address);
          if (own !== undefined) signed.push(own);
        }
        before = page.at(-1)?.signature;
        if (page.length < PAGE || before === undefined) return signed;
      }
    },
  };
}
