import { SOFTWARE_STORE_ID } from '../../../../domain/key-stores';
import { ceremonyOutput, createFleet, type Fleet, genesisTask } from '../../../support/fleet-outputs';
import { type Chartered, openChartered } from '../../charters/chartered';
import { codec, keyOrder, refusedAs } from '../../fixtures';
import { entryText, signedBy } from '../../key-stores/storing';
import { addStore, assignOrder, inputFor, OFFLINE, poolKey, recordOrder, sealOrder } from '../../orders/fleets/fleeting';
import { amendmentBy, charterNow } from './amending';

const KEY_ID = 'key-off-1';
let office: Chartered;
let fleet: Fleet;
beforeEach(async () => {
  office = await openChartered();
  fleet = createFleet();
  const { signer } = office;
  await addStore(signer, office.operatorSecret);
  const input = inputFor(signer, genesisTask({ secp256k1: 2, ed25519: 1 }), null);
  const sealed = await signer.sealFleetInput(sealOrder(input));
  await signer.recordFleet(recordOrder(input, sealed, ceremonyOutput({ fleet, input, head: null })));
});
afterEach(() => office.close());

const assign = () => office.signer.assignFleetKey(assignOrder(poolKey(fleet, 0), KEY_ID));
const creation = (signingKey: object | undefined, keyId = KEY_ID) =>
  amendmentBy({
    by: office.people.ada,
    amendment: { kind: 'createWallet', walletId: 'wa-00000-00new-0000000000000000', keyId },
    body: { network: 'EthereumSepolia', ...(signingKey === undefined ? {} : { signingKey }) },
  });
const makePrimary = () => {
  const { signer, operatorSecret } = office;
  return signer.keyStores.changeKeyStores(signedBy(operatorSecret, entryText(signer, { kind: 'MakePrimary', storeId: OFFLINE })));
};

test('a wallet gets a key of the store that the member named', async () => {
  await office.adopt();
  await assign();
  await office.signer.amendCharter(creation({ storeId: OFFLINE }));
  const address = codec.addressOf(poolKey(fleet, 0).publicKey);
  expect(charterNow(office).wallets.at(-1)).toMatchObject({ keyId: KEY_ID, network: 'EthereumSepolia', address });
});

test('a key of another store than the member named, or of another store than the primary one, is refused', async () => {
  await office.adopt();
  await assign();
  await office.signer.createKey(keyOrder('key-soft'));
  const refused = (order: ReturnType<typeof creation>) =>
    expect(office.signer.amendCharter(order)).rejects.toEqual(refusedAs('RequestMismatch'));
  await refused(creation({ storeId: OFFLINE }, 'key-soft'));
  await refused(creation({ storeId: SOFTWARE_STORE_ID }));
  await refused(creation(undefined));
  await makePrimary();
  await refused(creation(undefined, 'key-soft'));
  await expect(office.signer.amendCharter(creation(undefined))).resolves.toBeDefined();
});

test('a key that was assigned before the charter is refused, because it may have signed anything', async () => {
  await assign();
  await office.adopt();
  await expect(office.signer.amendCharter(creation({ storeId: OFFLINE }))).rejects.toEqual(refusedAs('KeyRowMismatch'));
});
