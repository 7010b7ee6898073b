import { codecOf } from '../../../../chains/codecs';
import { decoderOf } from '../../../../chains/decoders';
import { factsOf, networkOf } from '../../../../chains/networks';
import { NETWORK_NAMES } from '../../../../domain/networks';
import { type Chartered, openChartered, WALLET_ID } from '../../charters/chartered';
import { codec, keyOrder, ORG, orderFor, refusedAs } from '../../fixtures';
import { amendmentBy, charterNow } from './amending';

const NEW_ID = 'wa-00000-00new-0000000000000000';
const KEY_ID = 'key-new';
let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
  await office.adopt();
});
afterEach(() => office.close());

type Changes = { readonly body?: object; readonly given?: object; readonly by?: Chartered['people']['ada'] };
const creation = ({ body = {}, given = {}, by = office.people.ada }: Changes = {}) =>
  amendmentBy({
    by,
    amendment: { kind: 'createWallet', walletId: NEW_ID, keyId: KEY_ID, ...given },
    body: { network: 'EthereumSepolia', ...body },
  });

test('a wallet that a member created can pay without a new charter by the operator', async () => {
  const key = await office.signer.createKey(keyOrder(KEY_ID));
  const transfer = { ...orderFor(key, 'xfr-new'), ...transferFrom(NEW_ID) };
  await expect(office.signer.signTransfer(transfer)).rejects.toEqual(refusedAs('NotInCharter'));
  const head = await office.signer.amendCharter(creation({ body: { name: 'New', tags: ['b', 'a', 'b'] } }));
  const { wallets, sequence } = charterNow(office);
  expect(sequence).toBe(2);
  expect(head.sequence).toBe(2);
  const address = codec.addressOf(key.publicKeyHex);
  expect(wallets.at(-1)).toEqual({ id: NEW_ID, keyId: KEY_ID, network: 'EthereumSepolia', address, tags: ['a', 'b'] });
  await expect(office.signer.signTransfer(transfer)).resolves.toBeDefined();
});

const transferFrom = (walletId: string) => {
  const { evidence } = office.transfer(office.people.ada, { walletId });
  return { evidence };
};

test('a repeated order gets the same charter, also after a restart, and that charter is the predecessor of the operator’s next one', async () => {
  await office.signer.createKey(keyOrder(KEY_ID));
  const order = creation();
  const head = await office.signer.amendCharter(order);
  expect(await office.signer.amendCharter(order)).toEqual(head);
  await office.signer.close();
  const again = await office.open();
  expect(await again.amendCharter(order)).toEqual(head);
  expect(again.listCharters({})).toEqual({ charters: [{ orgId: ORG, ...head }] });
  expect(again.listCharters({ after: ORG })).toEqual({ charters: [] });
  const next = { ...office.charter, sequence: 2, previous: head.digest };
  await expect(again.charters.adopt(office.signedBy(next))).rejects.toEqual(refusedAs('CharterNotNext'));
  await expect(again.charters.adopt(office.signedBy({ ...next, sequence: 3 }))).resolves.toMatchObject({ sequence: 3 });
  await again.close();
});

test('one action creates one wallet', async () => {
  await office.signer.createKey(keyOrder(KEY_ID));
  await office.signer.createKey(keyOrder('key-two'));
  const order = creation();
  await office.signer.amendCharter(order);
  const second = { ...order, amendmentId: 'amd-second', amendment: { ...order.amendment, walletId: 'wa-two', keyId: 'key-two' } };
  await expect(office.signer.amendCharter(second)).rejects.toEqual(refusedAs('ActionUsed'));
});

test.each<[string, Changes, string]>([
  ['for the key of a wallet in the charter', { given: { keyId: 'key-free' } }, 'RequestMismatch'],
  ['under the id of a wallet in the charter', { given: { walletId: WALLET_ID } }, 'RequestMismatch'],
  ['for a key that does not exist', { given: { keyId: 'key-none' } }, 'KeyRowMismatch'],
  ['on a mainnet that the charter does not list', { body: { network: 'Ethereum' } }, 'MainnetNotAllowed'],
  ['on an unknown network', { body: { network: 'Nowhere' } }, 'UnknownNetwork'],
  ['on a network that needs a different kind of key', { body: { network: 'SolanaDevnet' } }, 'RequestMismatch'],
  ['with a different scheme than the request', { body: { signingKey: { scheme: 'EdDSA' } } }, 'RequestMismatch'],
  ['with a different curve than the request', { body: { signingKey: { curve: 'ed25519' } } }, 'RequestMismatch'],
  ['on an existing key', { body: { signingKey: { id: 'key-x' } } }, 'RequestMismatch'],
  ['on a derived key', { body: { signingKey: { deriveFrom: { keyId: 'key-x' } } } }, 'RequestMismatch'],
  ['for an end user', { body: { delegateTo: 'us-x' } }, 'RequestMismatch'],
  ['that may be delegated later', { body: { delayDelegation: true } }, 'RequestMismatch'],
])('a wallet %s is refused', async (_name, changes, reason) => {
  await office.signer.createKey(keyOrder(KEY_ID));
  await expect(office.signer.amendCharter(creation(changes))).rejects.toEqual(refusedAs(reason));
  expect(charterNow(office)).toEqual(office.charter);
});

test('another organisation’s key and an imported key are refused', async () => {
  const refused = () => expect(office.signer.amendCharter(creation())).rejects.toEqual(refusedAs('KeyRowMismatch'));
  const created = await office.signer.createKey(keyOrder(KEY_ID, 'or-other'));
  await refused();
  const sealed = { ...created.sealed, orgId: ORG };
  await office.signer.keyLog.record({ ...created, sealed, dek: { ...created.dek, orgId: ORG } }, { importedBy: 'req-1' });
  await refused();
});

test('a key with the secret of an imported key is refused, and so is an exported key', async () => {
  const { sealed, ...created } = await office.signer.createKey(keyOrder(KEY_ID));
  await office.signer.keyLog.record({ ...created, sealed: { ...sealed, keyId: 'key-twin' } }, { importedBy: 'req-1' });
  await expect(office.signer.amendCharter(creation())).rejects.toEqual(refusedAs('KeyRowMismatch'));
  const second = await office.signer.createKey(keyOrder('key-exported'));
  const exported = { requestId: 'req-2', orgId: ORG, keyId: second.sealed.keyId, recipientKey: 'x' };
  await office.signer.keyLog.recordExport(exported);
  await expect(office.signer.amendCharter(creation({ given: { keyId: 'key-exported' } }))).rejects.toEqual(
    refusedAs('KeyRowMismatch'),
  );
});

test('only a credential that may create wallets can create one, and setting tags needs the right to tag', async () => {
  await office.signer.createKey(keyOrder(KEY_ID));
  const { ada } = office.people;
  const allow = (operations: ('createWallet' | 'tagWallet' | 'transferAsset')[]) =>
    office.charter.members.map((member) =>
      member.userId === ada.userId ? { ...member, credentials: [{ ...ada.credential, operations }] } : member,
    );
  const { digest } = await office.signer.charters.adopt(office.signedBy(office.next({ members: allow(['transferAsset']) })));
  await expect(office.signer.amendCharter(creation())).rejects.toEqual(refusedAs('NotPermitted'));
  const third = { ...office.charter, sequence: 3, previous: digest, members: allow(['createWallet']) };
  await office.signer.charters.adopt(office.signedBy(third));
  await expect(office.signer.amendCharter(creation({ body: { tags: ['a'] } }))).rejects.toEqual(refusedAs('NotPermitted'));
  await expect(office.signer.amendCharter(creation())).resolves.toMatchObject({ sequence: 4 });
});

test('on every test network the signer computes the address that the service shows', async () => {
  for (const name of NETWORK_NAMES.filter((one) => !networkOf(one).isMainnet)) {
    const network = networkOf(name);
    for (const { scheme, curve } of [network, ...(factsOf(network).otherForms ?? [])]) {
      const keyId = `key-${scheme}-${curve}`;
      const { publicKeyHex } = await office.signer.createKey({ orgId: ORG, keyId, scheme, curve });
      expect([name, decoderOf(name).addressOf(publicKeyHex)]).toEqual([name, codecOf(name).addressOf(publicKeyHex)]);
    }
  }
});
