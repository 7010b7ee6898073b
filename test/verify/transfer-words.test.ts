import { charterInForce } from '../../signer/charters/charter-in-force';
import { transferWords } from '../../verify/asking/transfer-words';
import { refusal } from './office';

const WALLETS = [
  { network: 'SolanaDevnet', address: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T' },
  { network: 'BitcoinSignet', address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' },
  { network: 'XdcApothem', address: '0x588830fd4346c413dA97A5dbe5c4e48d8cF1CDc4' },
].map((one) => ({ ...one, id: `wa-${one.network}`, keyId: `key-${one.network}`, tags: [] }));
const MEMBER = { userId: 'us-1', hand: 'us-1', isServiceAccount: false, credentials: [] };
const CHARTER = charterInForce(
  {
    ...{ v: 1, signerId: 'sgn-1', organizationId: 'or-1', sequence: 1, previous: null, dateIssued: '2026-11-28T00:00:00.000Z' },
    ...{ members: [MEMBER], wallets: WALLETS, registryAddresses: [], policies: [], changePolicies: [], limits: [] },
    feeSponsors: [{ id: 'fs-1', walletId: 'wa-SolanaDevnet' }],
  },
  'digest',
);
const CREDENTIAL = { id: 'cr-1', kind: 'Key' as const, publicKey: '', operations: [] };
const said = (network: string, body: object): string => {
  const params = { walletId: `wa-${network}` };
  const asking = { charter: CHARTER, member: MEMBER, credential: CREDENTIAL, params, body: JSON.stringify(body), book: [] };
  return transferWords(asking).lines.join('\n');
};
const MINT = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU';
const RECIPIENT = 'Vote111111111111111111111111111111111111111';

test('a transfer on Solana is shown with its memo, its account, its nonce and its sponsor', () => {
  const native = { kind: 'Native', to: RECIPIENT, amount: '1500000000' };
  expect(said('SolanaDevnet', native)).toContain('Amount        1.5 SOL');
  const more = { memo: 'Rent \u202eMay', createDestinationAccount: true, useDurableNonce: true, feeSponsorId: 'fs-1' };
  const text = said('SolanaDevnet', { ...native, kind: 'Spl', mint: MINT, ...more });
  expect(text).toContain('In units      1500000000');
  expect(text).toContain(MINT);
  expect(text).toContain('Memo          "Rent \\u{202e}May"');
  expect(text).toContain('pays for an account of the recipient');
  expect(text).toContain('uses a durable nonce');
  expect(text).toContain('(fs-1)');
});

test('a transfer of the Bitcoin family is shown in its coin, and is refused with members of other families', async () => {
  const native = { kind: 'Native', to: 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7', amount: '250000' };
  expect(said('BitcoinSignet', native)).toMatch(/Amount {8}0\.0025 \S*BTC/);
  expect(await refusal(() => said('BitcoinSignet', { ...native, memo: 'x' }))).toContain('signer would refuse');
  expect(await refusal(() => said('BitcoinSignet', { ...native, kind: 'Erc20', contract: native.to }))).toContain('would refuse');
});

test('an address with the prefix of its network, such as xdc, is shown with 0x', () => {
  const to = 'xdc70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const text = said('XdcApothem', { kind: 'Native', to, amount: '1' });
  expect(text).toContain('Recipient     0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
});
