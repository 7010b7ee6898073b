import { type Chartered, openChartered } from '../../charters/chartered';
import { keyOrder, orderFor, refusedAs } from '../../fixtures';
import { amendmentBy } from './amending';

const NEW_WALLET = { walletId: 'wa-new', keyId: 'key-new' };
let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());

const walletFor = (given: Partial<typeof NEW_WALLET> = {}) =>
  amendmentBy({
    by: office.people.ada,
    amendment: { kind: 'createWallet', ...NEW_WALLET, ...given },
    body: { network: 'EthereumSepolia' },
  });

test('a key that the signer made before the organisation had a charter gets no wallet: it may have signed anything', async () => {
  const key = await office.signer.createKey(keyOrder(NEW_WALLET.keyId));
  await office.signer.signTransfer(orderFor(key, 'xfr-stored', { nonce: 0 }));
  await office.adopt();
  await expect(office.signer.amendCharter(walletFor())).rejects.toEqual(refusedAs('KeyRowMismatch'));
  await office.signer.createKey(keyOrder(NEW_WALLET.keyId));
  await expect(office.signer.amendCharter(walletFor())).rejects.toEqual(refusedAs('KeyRowMismatch'));
  await office.signer.createKey(keyOrder('key-later'));
  await expect(office.signer.amendCharter(walletFor({ keyId: 'key-later' }))).resolves.toMatchObject({ sequence: 2 });
});
