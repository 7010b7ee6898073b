import { assertInsideTransfer } from '../../../../activities/outgoing/solana/envelope';
import { noncesOfSignature } from '../../../../activities/signatures/solana-claims';
import { solanaCodecOf } from '../../../../chains/codecs';
import { solanaDecoderOf } from '../../../../chains/decoders';
import type { SolanaLifetime } from '../../../../chains/solana/types';
import { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import vectors from '../../../chains/solana/vectors.json';

const { sender, recipient, mint, blockhash, nonceAccount } = vectors;
const codec = solanaCodecOf('SolanaDevnet');
const lifetime: SolanaLifetime = { kind: 'blockhash', blockhash, lastValidBlockHeight: 9n };
const durable: SolanaLifetime = { kind: 'durable-nonce', account: nonceAccount, authority: sender, value: blockhash };
const native = { assetKind: 'Native', contract: null, tokenId: null, assetDecimals: 9 } as const;
const token = { assetKind: 'Spl', contract: mint, tokenId: null, assetDecimals: 6 } as const;
const row = (changes: Partial<OutgoingEntity> = {}) =>
  Object.assign(new OutgoingEntity(), {
    ...{ network: 'SolanaDevnet', fromAddress: sender, toAddress: recipient, amountUnits: '1000', ...native },
    ...{ feeCeilingUnits: '3000000', options: {}, terms: null, laneAddress: sender, sponsorAddress: null },
    ...changes,
  });

type Built = {
  readonly feePayer?: string;
  readonly to?: string;
  readonly amountUnits?: bigint;
  readonly memo?: string;
  readonly lifetime?: SolanaLifetime;
};
const built = ({ lifetime: lives = lifetime, ...changes }: Built = {}): string =>
  codec.build(
    { network: 'SolanaDevnet', from: sender, to: recipient, amountUnits: 1_000n, asset: { kind: 'Native' }, ...changes },
    { lifetime: lives, computeUnitLimit: 30_000, microLamportsPerUnit: 1_000n },
  ).bytesHex;
async function builtToken(owner: string, createsDestination = false): Promise<string> {
  const [source, destination] = await Promise.all([sender, owner].map((one) => codec.associatedTokenAddress(one, mint, 'Spl')));
  return codec.build(
    { network: 'SolanaDevnet', from: sender, to: owner, amountUnits: 1_000n, asset: { kind: 'Spl', contract: mint } },
    {
      ...{ lifetime, computeUnitLimit: 30_000, microLamportsPerUnit: 1_000n },
      token: { program: 'Spl', decimals: 6, source: source ?? '', destination: destination ?? '', createsDestination },
    },
  ).bytesHex;
}

test('bytes that do what was approved pass, for SOL and for tokens', async () => {
  expect(() => assertInsideTransfer(built(), row(), lifetime)).not.toThrow();
  expect(() => assertInsideTransfer(built({ lifetime: durable }), row(), durable)).not.toThrow();
  const options = { createDestinationAccount: true };
  const ofSponsor = { laneAddress: mint, sponsorAddress: mint };
  expect(() => assertInsideTransfer(built({ feePayer: mint }), row(ofSponsor), lifetime)).not.toThrow();
  const bytes = await builtToken(recipient, true);
  expect(() => assertInsideTransfer(bytes, row({ ...token, options }), lifetime)).not.toThrow();
});

test.each<[string, () => string | Promise<string>, Partial<OutgoingEntity>, SolanaLifetime?]>([
  ['recipient', () => built({ to: mint }), {}],
  ['recipient', () => builtToken(nonceAccount), token],
  ['amount', () => built({ amountUnits: 1_001n }), {}],
  ['asset', () => built(), token],
  ['decimals', () => builtToken(recipient), { ...token, assetDecimals: 9 }],
  ['memo', () => built({ memo: 'other' }), { options: { memo: 'invoice' } }],
  ['creation', () => builtToken(recipient, true), token],
  ['lifetime', () => built(), {}, durable],
  ['lifetime', () => built({ lifetime: { ...durable, value: mint } }), {}, durable],
  ['fee', () => built(), { feeCeilingUnits: '5000' }],
  ['sender', () => built(), { fromAddress: mint }],
  ['feePayer', () => built(), { laneAddress: mint, sponsorAddress: mint }],
  ['feePayer', () => built({ feePayer: mint }), {}],
  ['understood', () => vectors.transactions['two transfers'].messageHex, {}],
])('a difference in %s is named in the error, which is permanent', async (name, make, changes, meant = lifetime) => {
  const bytes = await make();
  expect(() => assertInsideTransfer(bytes, row(changes), meant)).toThrow(
    expect.objectContaining({ code: 'EnvelopeMismatch', retryable: false, message: expect.stringContaining(name) }),
  );
});

test('a signature request claims a durable nonce only when its wallet is the authority, and nothing for a blockhash', () => {
  const bytesHex = vectors.transactions['durable nonce'].messageHex;
  const asked = (hex: string) => ({ kind: 'SolanaTransaction', network: 'SolanaDevnet', bytesHex: hex }) as const;
  const read = solanaDecoderOf('SolanaDevnet').decode(bytesHex).lifetime;
  if (read.kind === 'blockhash') throw new Error('the vector has a durable nonce');
  expect(noncesOfSignature(asked(bytesHex), sender)).toEqual([
    { kind: 'durable-nonce', key: `${read.account}:${read.value}`, lane: sender, value: null },
  ]);
  expect(noncesOfSignature(asked(bytesHex), recipient)).toEqual([]);
  expect(noncesOfSignature(asked(built()), sender)).toEqual([]);
});
