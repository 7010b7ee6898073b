import { nothingToOneself } from '../../../../application/outgoing/request-replacement';
import { solanaReplacement } from '../../../../application/outgoing/solana/replacement';
import type { ReplacementKind } from '../../../../domain/transfers';
import { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import { PayloadEntity } from '../../../../entities/outgoing/payload.entity';

const raw = { family: 'solana', call: { messageHex: '0x' }, blockhash: null } as const;
const whyNot = (kind: ReplacementKind, lifetime: string, terms: typeof raw | null = null, sponsorAddress: string | null = null) =>
  solanaReplacement.whyNot?.(
    Object.assign(new OutgoingEntity(), { terms, sponsorAddress }),
    Object.assign(new PayloadEntity(), { context: { lifetime: { kind: lifetime }, slot: 1 } }),
    kind,
  );

test('what has a durable nonce is cancelled and sped up, a raw transaction cancelled alone', () => {
  expect([whyNot('Cancel', 'durable-nonce'), whyNot('SpeedUp', 'durable-nonce')]).toEqual([undefined, undefined]);
  expect(whyNot('Cancel', 'durable-nonce', raw)).toBeUndefined();
  expect(whyNot('SpeedUp', 'durable-nonce', raw)).toMatch(/price/);
});

test.each(['Cancel', 'SpeedUp'] as const)('%s: what lives by a blockhash expires by itself', (kind) => {
  expect(whyNot(kind, 'blockhash')).toMatch(/expires on its own unless a block includes it$/);
});

test.each(['Cancel', 'SpeedUp'] as const)('%s: what a sponsor pays for has the same answers, and says when it pays', (kind) => {
  expect(whyNot(kind, 'durable-nonce', null, 'sponsor')).toBeUndefined();
  expect(whyNot(kind, 'blockhash', null, 'sponsor')).toMatch(/pays only in that case/);
});

test('a cancellation is a transfer of nothing to its own sender', () => {
  expect(nothingToOneself(Object.assign(new OutgoingEntity(), { fromAddress: 'me' }))).toMatchObject({
    toAddress: 'me',
    amountUnits: '0',
    terms: null,
  });
});
