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

test('a transfer with a durable nonce can be cancelled and sped up, a raw transaction only cancelled', () => {
  expect([whyNot('Cancel', 'durable-nonce'), whyNot('SpeedUp', 'durable-nonce')]).toEqual([undefined, undefined]);
  expect(whyNot('Cancel', 'durable-nonce', raw)).toBeUndefined();
  expect(whyNot('SpeedUp', 'durable-nonce', raw)).toMatch(/price/);
});

test.each(['Cancel', 'SpeedUp'] as const)(
  '%s is refused for a transaction with a blockhash, because it expires by itself',
  (kind) => {
    expect(whyNot(kind, 'blockhash')).toMatch(/expires on its own unless a block includes it$/);
  },
);

test.each(['Cancel', 'SpeedUp'] as const)(
  '%s is accepted and refused in the same cases for a sponsored transaction, and the refusal states when the sponsor pays',
  (kind) => {
    expect(whyNot(kind, 'durable-nonce', null, 'sponsor')).toBeUndefined();
    expect(whyNot(kind, 'blockhash', null, 'sponsor')).toMatch(/pays only in that case/);
  },
);

test('a cancellation is a transfer of zero to its own sender', () => {
  expect(nothingToOneself(Object.assign(new OutgoingEntity(), { fromAddress: 'me' }))).toMatchObject({
    toAddress: 'me',
    amountUnits: '0',
    terms: null,
  });
});
