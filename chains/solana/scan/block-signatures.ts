import { base58 } from '@scure/base';
import { z } from 'zod';
import type { Rpc } from '../../rpc/rpc';
import type { ChainSignature } from '../../types';
import { wireOf } from '../encoding';
import { signedTruly } from '../partially-signed';
import type { BlockTransaction } from './block-reply';

const WORD_BYTES = 32;
const WHOLE = { commitment: 'confirmed', encoding: 'base64', maxSupportedTransactionVersion: 0 } as const;
const Whole = z.object({ transaction: z.tuple([z.base64(), z.literal('base64')]) }).nullable();

/**
 * The signatures of watched signers. The block has the signatures without the messages, so `isGenuine` asks for the whole
 * transaction. `ask` must come from `neverRefused`.
 */
export const blockSignaturesIn = (
  transactions: readonly BlockTransaction[],
  isWatched: (address: string) => boolean,
  ask: Rpc,
): ChainSignature[] =>
  transactions.flatMap(({ txHash, signers }) =>
    signers
      .filter(({ account }) => isWatched(account))
      .map(({ account, signature }) => {
        const bytes = Buffer.from(base58.decode(signature));
        const wordAt = (at: number) => `0x${bytes.subarray(at, at + WORD_BYTES).toString('hex')}`;
        const isGenuine = async () => {
          const found = await ask('getTransaction', [txHash, WHOLE], Whole);
          const wire = found && wireOf(Buffer.from(found.transaction[0], 'base64'));
          return wire ? signedTruly(wire, account, bytes) : false;
        };
        return { address: account, txHash, r: wordAt(0), s: wordAt(WORD_BYTES), isGenuine };
      }),
  );
