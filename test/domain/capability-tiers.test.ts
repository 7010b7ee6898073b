import { assertTierHas, TIER_HAS, tierHas } from '../../domain/capability-tiers';

const PARTS = TIER_HAS[1];

test('the first tier includes every part, the second native balances, transfers and fees, and the third no part', () => {
  expect(PARTS).toEqual(['Balance', 'Transfers', 'Fees', 'Tokens', 'ContractReads', 'IncomingPayments']);
  expect(TIER_HAS[2]).toEqual(['Balance', 'Transfers', 'Fees']);
  expect(TIER_HAS[3]).toEqual([]);
});

test.each(PARTS)('%s is refused on exactly the tiers that lack this part, with network, tier and part', (part) => {
  for (const tier of [1, 2, 3] as const) {
    const ask = () => assertTierHas({ name: 'Ethereum', tier }, part);
    if (tierHas(tier, part)) expect(ask).not.toThrow();
    else {
      const message = expect.stringContaining(`on Ethereum, a network of tier ${tier}, have no `);
      const details = { network: 'Ethereum', tier, part };
      expect(ask).toThrow(expect.objectContaining({ code: 'NotFound', status: 404, message, details }));
    }
  }
});
