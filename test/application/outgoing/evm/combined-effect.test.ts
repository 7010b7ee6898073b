import { combinedEffect, knownEffects } from '../../../../application/outgoing/evm/combined-effect';
import type { Effect } from '../../../../chains/types';

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const native = (recipient: string, amountUnits: bigint): Effect => ({ asset: { kind: 'Native' }, recipient, amountUnits });
const token = (contract: string, amountUnits: bigint): Effect => ({
  asset: { kind: 'Erc20', contract },
  recipient: OTHER,
  amountUnits,
});
const call = (amountUnits: bigint): Effect => ({ asset: { kind: 'Call' }, recipient: TOKEN, amountUnits });

test.each<[string, readonly Effect[], Effect]>([
  ['amounts of the native asset are summed', [native(OTHER, 2n), native(TOKEN, 3n)], native(OTHER, 5n)],
  ['amounts of one token are summed', [token(TOKEN, 2n), token(TOKEN, 3n)], token(TOKEN, 5n)],
  ['two tokens are combined into a call without value', [token(TOKEN, 2n), token(OTHER, 3n)], { ...call(0n), recipient: OTHER }],
  [
    'native asset and token are combined into a call with the native amount',
    [native(OTHER, 2n), token(TOKEN, 3n)],
    { ...call(2n), recipient: OTHER },
  ],
  ['a call and another effect are combined into a call', [native(OTHER, 2n), call(3n)], { ...call(5n), recipient: OTHER }],
])('%s', (_what, effects, combined) => {
  expect(combinedEffect(effects)).toEqual(combined);
});

test('a transfer of an unknown token, or of a token of a different kind, is treated as a call', () => {
  const collectible: Effect = { asset: { kind: 'Erc721', contract: TOKEN, tokenId: '1' }, recipient: OTHER, amountUnits: 1n };
  const effects = [token(TOKEN, 2n), token(OTHER, 3n), native(OTHER, 1n), collectible];
  expect(knownEffects(effects, [TOKEN])).toEqual([
    token(TOKEN, 2n),
    { ...call(0n), recipient: OTHER },
    native(OTHER, 1n),
    call(0n),
  ]);
});
