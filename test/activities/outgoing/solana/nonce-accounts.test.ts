import { assertMakesNonceAccounts } from '../../../../activities/outgoing/solana/nonce-accounts';
import { solanaCodecOf } from '../../../../chains/codecs';
import { nonceSeeds, nonceSeedsOf } from '../../../../domain/nonce-accounts';
import type { SolanaRawTerms } from '../../../../domain/transactions';
import vectors from '../../../chains/solana/vectors.json';

const codec = solanaCodecOf('SolanaDevnet');
const { sender, recipient, blockhash } = vectors;
const RENT_UNITS = 1_447_680n;
const [FIRST = '', SECOND = ''] = nonceSeeds;

type Made = {
  readonly from?: string;
  readonly authority?: string;
  readonly seeds?: readonly string[];
  readonly rentUnits?: bigint;
};

async function making({
  from = sender,
  authority = from,
  seeds = [FIRST],
  rentUnits = RENT_UNITS,
}: Made): Promise<SolanaRawTerms> {
  const accounts = await Promise.all(seeds.map(async (seed) => ({ seed, address: await codec.seedAddress(from, seed) })));
  const lifetime = { kind: 'blockhash', blockhash, lastValidBlockHeight: 0n } as const;
  const terms = { lifetime, computeUnitLimit: 1_000, microLamportsPerUnit: 7n };
  const { bytesHex } = codec.buildNonceAccounts({ from, authority, accounts, rentUnits }, terms);
  return { ...codec.termsOf(bytesHex, from, 'body'), blockhash: null };
}
const asking = (
  terms: SolanaRawTerms | null,
  requestBody: Readonly<Record<string, unknown>> = { kind: 'CreateSolanaNonceAccounts' },
) => ({ form: 'Transaction', replacementKind: null, network: 'SolanaDevnet', fromAddress: sender, terms, requestBody }) as const;

test('a request may make as many nonce accounts as the requester signed for, under the authority of the wallet', async () => {
  assertMakesNonceAccounts(asking(await making({})));
  const two = await making({ seeds: [SECOND, FIRST], rentUnits: 890_880n });
  assertMakesNonceAccounts(asking(two, { kind: 'CreateSolanaNonceAccounts', count: 2 }));
});

test('accounts for another wallet have the seeds of this wallet, and only the signed authority', async () => {
  const [seed = ''] = nonceSeedsOf(sender, recipient);
  const body = { kind: 'CreateSolanaNonceAccounts', nonceAuthority: recipient };
  assertMakesNonceAccounts(asking(await making({ authority: recipient, seeds: [seed] }), body));
  for (const made of [{ seeds: [seed] }, { authority: recipient }, { authority: vectors.mint, seeds: [seed] }]) {
    const row = asking(await making(made), body);
    expect(() => assertMakesNonceAccounts(row)).toThrow('ContentDiffers terms');
  }
});

const paying = async (): Promise<SolanaRawTerms> => {
  const lifetime = { kind: 'blockhash', blockhash, lastValidBlockHeight: 0n } as const;
  const intent = { network: 'SolanaDevnet', from: sender, to: recipient, asset: { kind: 'Native' }, amountUnits: 5n } as const;
  const { bytesHex } = codec.build(intent, { lifetime, computeUnitLimit: 1_000, microLamportsPerUnit: 7n });
  return codec.termsOf(bytesHex, sender, 'body');
};

test.each<[string, () => Promise<SolanaRawTerms | null>]>([
  ['pays another address', paying],
  ['gives the authority to another key', () => making({ authority: recipient })],
  ['is for another sender', () => making({ from: recipient })],
  ['makes more accounts', () => making({ seeds: [FIRST, SECOND] })],
  ['derives accounts from a seed that the service does not use', () => making({ seeds: ['elsewhere'] })],
  ['locks up more than the rent', () => making({ rentUnits: RENT_UNITS + 1n })],
  ['has its own blockhash', async () => ({ ...(await making({})), blockhash })],
  ['has no terms', async () => null],
])('a request for nonce accounts that %s is refused', async (_what, terms) => {
  const row = asking(await terms());
  expect(() => assertMakesNonceAccounts(row)).toThrow('ContentDiffers terms');
});

test('the check lets every other transaction pass', async () => {
  assertMakesNonceAccounts(asking(await paying(), { kind: 'Transaction', transaction: '0x00' }));
});
