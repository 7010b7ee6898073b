import { z } from 'zod';
import { callVendor } from '../call';
import { VendorError } from '../failure';
import type { Screener } from '../screener';

const NETWORKS: ReadonlySet<string> = new Set([
  'ArbitrumOne',
  'AvalancheC',
  'Bitcoin',
  'Bsc',
  'Ethereum',
  // The network of the vendor's sandbox.
  'EthereumSepolia',
  'Optimism',
  'Polygon',
  'Solana',
  'Tron',
]);
/** The HTTP status for a network or an asset in our lists that the vendor does not support. */
const UNSUPPORTED = 422;

const Refusal = z.object({ error: z.enum(['UnsupportedNetwork', 'UnsupportedAsset']) });
const Score = z.object({ requestId: z.string(), riskScore: z.int().min(0).max(100) });

/** The risk score is 0 to 100 (docs/screening.md). */
export const kytBScreener: Screener<'KytB'> = {
  unsupported: ({ network }) => (NETWORKS.has(network) ? undefined : { kind: 'UnsupportedNetwork' }),

  screen: async (access, { id, question }) => {
    const body = { requestId: id, ...question };
    const { status, value } = await callVendor(
      access,
      { method: 'POST', path: '/v1/risk-scores', body, reply: z.union([Score, Refusal]) },
      [UNSUPPORTED],
    );
    if ('error' in value) {
      if (status !== UNSUPPORTED) throw new VendorError('Unreadable', 'the vendor sent a reply that cannot be read');
      return { kind: value.error };
    }
    // An answer about a different transaction must never clear this transaction.
    if (status === UNSUPPORTED || value.requestId !== id)
      throw new VendorError('Unreadable', 'the reply of the vendor is about another transaction');
    return { kind: 'Screened', riskScore: value.riskScore };
  },
};
