import { type Charter, charterDigest } from '../../../../signer/charters/charter';
import type { CreatedKey, FleetOrders } from '../../../../signer/protocol';
import { actionOf, type Chartered, openChartered, WALLET_ID } from '../../charters/chartered';
import { codec, FEES, ORG, orderFor, payloadOrderFor, refusedAs } from '../../fixtures';
import { addStore, assignOrder, formOf, OFFLINE, poolKey, withGenesis } from '../../orders/fleets/fleeting';

const VAULT_WALLET_ID = 'wa-00000-vault-0000000000000000';
const KEY_ID = 'key-off-1';

let office: Chartered;
let vault: CreatedKey;
beforeEach(async () => {
  office = await openChartered();
  await addStore(office.signer, office.operatorSecret);
  const { fleet } = await withGenesis(office.signer);
  await office.signer.assignFleetKey(assignOrder(poolKey(fleet, 0), KEY_ID));
  const form = formOf(poolKey(fleet, 0));
  const sealed = { orgId: ORG, keyId: KEY_ID, ...form, dekId: 'dek-none', ciphertextHex: '' };
  vault = { publicKeyHex: form.publicKeyHex, sealed, dek: {} as CreatedKey['dek'] };
});
afterEach(() => office.close());

type StoreFilter = NonNullable<NonNullable<Charter['policies'][number]['filters']>['storeId']>;
const blocking = (storeId: StoreFilter): Charter => {
  const [held] = office.charter.policies;
  const [free] = office.charter.wallets;
  if (!held || !free) throw new Error('no policy');
  const wallet = { ...free, id: VAULT_WALLET_ID, keyId: KEY_ID, address: codec.addressOf(vault.publicKeyHex) };
  const policies = [{ ...held, action: { kind: 'Block' as const }, filters: { storeId } }];
  return { ...office.charter, wallets: [...office.charter.wallets, wallet], policies };
};

const offline = ({ sealed, dek: _dek, ...order }: ReturnType<typeof orderFor>): FleetOrders['vouchTransfer'] => ({
  ...order,
  ...{ scheme: sealed.scheme, curve: sealed.curve, publicKeyHex: sealed.publicKeyHex },
  store: { storeId: OFFLINE, groupId: 'fg-1' },
});
const vouched = () => {
  const order = orderFor(vault, 'xfr-vault');
  const body = JSON.stringify({ kind: 'Native', to: order.intent.to, amount: order.intent.amountUnits });
  const evidence = [actionOf('Initiator', office.people.ada, { path: `/wallets/${VAULT_WALLET_ID}/transfers`, body })];
  return office.signer.vouchTransfer(offline({ ...order, evidence }));
};
const signed = () => office.signer.signTransfer(office.transfer(office.people.ada));

test('a charter demands the offline store: the signer vouches for its keys and signs with no other key', async () => {
  await office.adopt(blocking({ notIn: [OFFLINE] }));
  await expect(signed()).rejects.toEqual(refusedAs('PolicyBlocked'));
  await expect(vouched()).resolves.toBeDefined();
});

test('a charter demands the software store: the signer signs with its keys and vouches for no other key', async () => {
  await office.adopt(blocking({ in: [OFFLINE] }));
  await expect(vouched()).rejects.toEqual(refusedAs('PolicyBlocked'));
  await expect(signed()).resolves.toBeDefined();
});

test('a signature with a key is judged by the store of the key', async () => {
  await office.adopt(blocking({ in: ['software'] }));
  const { people, signer, keys } = office;
  const order = payloadOrderFor(keys.free, 'sig-1', { kind: 'Message', messageHex: '0x616263' });
  const body = JSON.stringify({ kind: 'Message', message: '0x616263' });
  const evidence = [actionOf('Initiator', people.ada, { path: `/keys/${order.keyId}/signatures`, body })];
  await expect(signer.signPayload({ ...order, evidence })).rejects.toEqual(refusedAs('PolicyBlocked'));
});

test('a store that the worker states has no effect', async () => {
  await office.adopt(blocking({ notIn: [OFFLINE] }));
  const order = office.transfer(office.people.ada);
  const attested = { amountUsdMicro: '1', storeId: OFFLINE } as never;
  await expect(office.signer.signTransfer({ ...order, attested })).rejects.toEqual(refusedAs('PolicyBlocked'));
});

test('the fee of a sponsor is judged by the store of the key that pays', async () => {
  const { signer, people, keys, adopt } = office;
  const sponsor = codec.addressOf(vault.publicKeyHex);
  const plain = orderFor(keys.free, 'xfr-sponsored', { nonce: 600 });
  const { from: sender, to, amountUnits } = plain.intent;
  const operation = {
    ...{ sender, nonce: 600n << 64n, calls: [{ to, valueUnits: amountUnits, dataHex: '0x' }] },
    ...{ verificationGas: 1n, callGas: 1n },
  };
  const { unsigned } = codec.buildSponsored({ operation, sponsor, authorizationNonce: 600 }, 600, FEES);
  const body = JSON.stringify({ kind: 'Native', to, amount: amountUnits, feeSponsorId: 'fs-1' });
  const order = {
    ...{ ...plain, bytesHex: unsigned.bytesHex, sponsor, part: 'Operation' as const },
    evidence: [actionOf('Initiator', people.ada, { path: `/wallets/${WALLET_ID}/transfers`, body })],
  };
  const feeSponsors = [{ id: 'fs-1', walletId: VAULT_WALLET_ID }];
  const first = { ...blocking({ in: [OFFLINE] }), feeSponsors };
  await adopt(first);
  await expect(signer.signSponsored(order)).rejects.toEqual(refusedAs('PolicyBlocked'));
  const previous = charterDigest(JSON.stringify(first));
  await adopt({ ...blocking({ in: ['ks-other'] }), feeSponsors, sequence: 2, previous });
  await expect(signer.signSponsored(order)).resolves.toBeDefined();
});
