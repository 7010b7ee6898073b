import { z } from 'zod';
import { Quotes } from './quote-schemas';
import { Verified } from './wallet-schemas';

const Contract = z.string().describe('Address of the token');
const balance = {
  symbol: z.string().optional().describe('For a token that is not `verified`, the symbol that the token itself reports, if any'),
  decimals: z.number().int(),
  verified: Verified,
  balance: z.string().meta({ description: 'Whole number of smallest units' }),
  quotes: Quotes.optional().meta({ description: 'Price of one whole asset. A currency without a known price is absent' }),
};
const unreadable = z
  .literal('Unknown')
  .meta({ description: 'Only the network can read the balance, so the response contains no number' });

/** The members of a response about balances, except the member with the ID of the wallet or watch. */
export const assetMembers = {
  assets: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('Native'), ...balance }),
      z.object({ kind: z.literal('Erc20'), contract: Contract, ...balance }),
      z.object({ kind: z.literal('Erc7984'), contract: Contract, ...balance, balance: unreadable }),
      z.object({ kind: z.enum(['Spl', 'Spl2022']), mint: z.string().describe('Address of the mint'), ...balance }),
    ]),
  ),
  netWorth: Quotes.optional().meta({
    description:
      'Sum over all assets. A currency is absent if any asset lacks a price in that currency, because a partial sum would be ' +
      'mistaken for the total',
  }),
};
