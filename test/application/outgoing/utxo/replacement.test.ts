import { replacementOf } from '../../../../application/outgoing/request-replacement';
import { utxoReplacement } from '../../../../application/outgoing/utxo/replacement';
import type { ReplacementKind } from '../../../../domain/transfers';
import { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import { PayloadEntity } from '../../../../entities/outgoing/payload.entity';

const whyNot = (kind: ReplacementKind, row: Partial<OutgoingEntity>) =>
  utxoReplacement.whyNot?.(
    Object.assign(new OutgoingEntity(), { assetKind: 'Native', terms: null, state: 'Broadcasted', ...row }),
    new PayloadEntity(),
    kind,
  );

test.each([
  ['BitcoinSignet', true],
  ['BitcoinTestnet4', true],
  ['LitecoinTestnet', false],
  ['BitcoinCashTestnet', false],
  ['DogecoinTestnet', false],
] as const)('nodes on %s replace a transaction that waits for a block: %s', (network, isReplaced) => {
  expect(replacementOf(network) !== undefined).toBe(isReplaced);
});

test('a transaction that was sent can be cancelled or sped up', () => {
  expect([whyNot('Cancel', {}), whyNot('SpeedUp', {})]).toEqual([undefined, undefined]);
  expect(whyNot('Cancel', { assetKind: 'Call' })).toBeUndefined();
});
