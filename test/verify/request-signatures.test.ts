import { RECIPIENT } from '../support/transfer-api';
import { createAsking } from './asking';
import { type Office, openOffice } from './office';

/** USDC on Sepolia, which is on this release's list of tokens. */
const USDC = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
const word = (hex: string) => hex.replace(/^0x/, '').toLowerCase().padStart(64, '0');
const PAYMENT = `0xa9059cbb${word(RECIPIENT)}${word('0x16e360')}`;
const APPROVAL = `0x095ea7b3${word(RECIPIENT)}${'f'.repeat(64)}`;

let office: Office;
let asking: ReturnType<typeof createAsking>;
beforeAll(async () => {
  office = await openOffice();
  asking = createAsking(office);
  office.trusted(await office.draft());
});
afterAll(() => office?.close());

const transaction = (body: object) => asking.wish('POST', `/wallets/${office.wallet.id}/transactions`, body);
const signature = (body: object) => asking.wish('POST', `/wallets/${office.wallet.id}/signatures`, body);
const seen = async (wish: ReturnType<typeof signature>) => (await asking.signing(wish)).shown;

test('a raw transaction is shown with the effect of its bytes, and confirmed with the last characters of the wallet’s id', async () => {
  const wish = transaction({ kind: 'Evm', to: RECIPIENT, value: '2000000000000000000' });
  const { shown } = await asking.signing(wish, { typed: office.wallet.id.slice(-6) });
  expect(shown).toContain(`Recipient     ${RECIPIENT}  (NOT IN YOUR ADDRESS BOOK)`);
  expect(shown).toContain('Amount        2 ETH');
  const token = await seen(transaction({ kind: 'Evm', to: USDC, data: PAYMENT }));
  expect(token).toContain(`Recipient     ${RECIPIENT}`);
  expect(token).toContain('Amount        1.5 USDC');
  const call = await seen(transaction({ kind: 'Transaction', transaction: { to: USDC, data: APPROVAL } }));
  expect(call).toContain(`Calls         ${USDC}`);
  expect(call).toContain('Data          68 bytes, whose EFFECT IS UNKNOWN');
});

test('a raw transaction is refused if its chain or sender is wrong, or its format is unknown', async () => {
  const of = (members: object) => transaction({ kind: 'Transaction', transaction: { to: RECIPIENT, ...members } });
  expect(await asking.refused(of({ chainId: 1 }))).toContain('a transaction of this wallet');
  expect(await asking.refused(of({ from: RECIPIENT }))).toContain('a transaction of this wallet');
  expect(await asking.refused(of({ gas: 1 }))).toContain('a transaction of this wallet');
  expect(await asking.refused(transaction({ kind: 'Sweep' }))).toContain('a transaction of this wallet');
  const calls = { kind: 'UserOperations', userOperations: [{ to: RECIPIENT }], feeSponsorId: 'fs-1' };
  expect(await asking.refused(transaction(calls))).toContain('does not have the fee sponsor fs-1');
});

test('a signature request is shown with the signed content, and a hash with a warning that its content cannot be shown', async () => {
  expect(await seen(signature({ kind: 'Hash', hash: `0x${'ab'.repeat(32)}` }))).toContain('Signs         a HASH. Nothing shows');
  expect(await seen(signature({ kind: 'Eip191', message: 'Hi\u001b[8m' }))).toContain('Signs         the message "Hi\\u{1b}[8m"');
  const typed = { types: {}, domain: { name: 'Permit2', chainId: 11_155_111 }, message: {} };
  expect(await seen(signature({ kind: 'Eip712', ...typed }))).toContain('typed data for "Permit2", no contract, chain 11155111');
  const shown = await seen(signature({ kind: 'Transaction', transaction: { to: RECIPIENT, value: '1000000000000000' } }));
  expect(shown).toContain('Amount        0.001 ETH');
  expect(await asking.refused(signature({ kind: 'Hash', hash: '0xab' }))).toContain('does not ask for a signature');
  const elsewhere = { kind: 'Transaction', network: 'BaseSepolia', transaction: { to: RECIPIENT } };
  expect(await asking.refused(signature(elsewhere))).toContain('another network than the wallet');
});

test('a signature with a key is shown with all wallets of the key, and confirmed with the last characters of the key’s id', async () => {
  const { id } = office.wallet.signingKey;
  const wish = (keyId: string) => asking.wish('POST', `/keys/${keyId}/signatures`, { kind: 'Eip191', message: 'Hello' });
  const { shown } = await asking.signing(wish(id), { typed: id.slice(-6) });
  expect(shown).toContain('valid for all wallets of the key');
  expect(shown).toContain(`Wallet        ${office.wallet.id}`);
  expect(await asking.refused(wish('key-other'))).toContain('no wallet of the key');
});
