import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { actionOf, keyHolder, type Person } from '../charters/chartered';
import { HELD_KEY_ID, type Holding, holderOf, openHolding, walletAsked, ZOE_WALLET_ID } from '../charters/holding';
import { keyOrder, NOW_MS, ORG, refusedAs } from '../fixtures';

const DAY_MS = 86_400_000;

let office: Holding;
beforeEach(async () => {
  office = await openHolding();
});
afterEach(() => office.close());

const created = (by: Person, evidence: ReturnType<typeof walletAsked>[], keyId?: string) =>
  office.signer.createKey(office.keyAsked(by, evidence, keyId));
const keyRequest = (by: Person, body: object = {}) =>
  actionOf('Initiator', by, { path: '/keys', body: JSON.stringify({ scheme: 'ECDSA', curve: 'secp256k1', ...body }) });

test('a key gets a holder by a request from the end user, or from a member who gives the key to the end user', async () => {
  const { endUsers, people } = office;
  const { zoe } = endUsers;
  const asked = [
    walletAsked(zoe),
    walletAsked(zoe, { delegateTo: zoe.userId, signingKey: { scheme: 'ECDSA', curve: 'secp256k1' } }),
    keyRequest(zoe, { name: 'Mine' }),
    walletAsked(people.bot, { delegateTo: zoe.userId }),
    keyRequest(people.ada, { delegateTo: zoe.userId }),
  ];
  for (const [index, action] of asked.entries()) {
    const { sealed } = await created(zoe, [action], `key-zoe-${index}`);
    expect(office.signer.keyLog.holderOf(sealed)).toMatchObject(holderOf(zoe));
  }
});

test('a repeated order gets the same key, also later and after a restart', async () => {
  const { endUsers, clock, keyAsked, signer, open } = office;
  const order = keyAsked(endUsers.zoe, [walletAsked(endUsers.zoe)]);
  const key = await signer.createKey(order);
  clock.nowMs += 2 * DAY_MS;
  expect(await signer.createKey(order)).toEqual(key);
  await signer.close();
  const again = await open();
  expect(await again.createKey(order)).toEqual(key);
  await again.close();
});

test('the holder is fixed: a later order with a different holder for the key has no effect', async () => {
  const { endUsers, signer } = office;
  const { zoe, yan } = endUsers;
  const { sealed } = await created(zoe, [walletAsked(zoe)]);
  await expect(created(yan, [walletAsked(yan)])).rejects.toEqual(refusedAs('KeyIdReused'));
  const planted = { ...keyHolder('zoe'), anchorAt: office.anchorAt };
  expect(await created(planted, [walletAsked(planted)])).toMatchObject({ sealed });
  expect(await signer.createKey(keyOrder(HELD_KEY_ID))).toMatchObject({ sealed });
  expect(signer.keyLog.holderOf(sealed)).toMatchObject(holderOf(zoe));
});

test('a key of the organisation cannot be given a holder later', async () => {
  const { endUsers, keys } = office;
  const { keyId } = keys.free.sealed;
  await expect(created(endUsers.zoe, [walletAsked(endUsers.zoe)], keyId)).rejects.toEqual(refusedAs('KeyIdReused'));
});

describe('no key with a holder is made', () => {
  const refused = (reason: string, by: Person, evidence: ReturnType<typeof walletAsked>[]) =>
    expect(created(by, evidence)).rejects.toEqual(refusedAs(reason));

  test('by a charter that does not serve end users, or without a charter', async () => {
    const { signer, follow, endUsers, keyAsked } = office;
    await follow({ endUsers: null });
    await refused('NotWithCharter', endUsers.zoe, [walletAsked(endUsers.zoe)]);
    const byMember = walletAsked(office.people.bot, { delegateTo: endUsers.zoe.userId });
    await refused('NotWithCharter', endUsers.zoe, [byMember]);
    const elsewhere = { ...keyAsked(endUsers.zoe, [walletAsked(endUsers.zoe)]), orgId: `${ORG.slice(0, -1)}2` };
    await expect(signer.createKey(elsewhere)).rejects.toEqual(refusedAs('NotWithCharter'));
  });

  test('for a member of the charter', async () => {
    await refused('RequestMismatch', office.people.ada, [walletAsked(office.people.ada)]);
  });

  test('by another end user’s request, or by a request for another end user or for none', async () => {
    const { zoe, yan } = office.endUsers;
    await refused('NotInCharter', zoe, [walletAsked(yan)]);
    await refused('NotInCharter', zoe, [walletAsked(yan, { delegateTo: zoe.userId })]);
    await refused('RequestMismatch', zoe, [walletAsked(zoe, { delegateTo: yan.userId })]);
    await refused('RequestMismatch', zoe, [walletAsked(office.people.ada)]);
    await refused('RequestMismatch', zoe, [walletAsked(office.people.ada, { delegateTo: yan.userId })]);
  });

  test('by a request for another key', async () => {
    const { zoe } = office.endUsers;
    await refused('RequestMismatch', zoe, [walletAsked(zoe, { signingKey: { id: 'key-other' } })]);
    await refused('RequestMismatch', zoe, [walletAsked(zoe, { signingKey: { deriveFrom: { keyId: 'key-other' } } })]);
    await refused('RequestMismatch', zoe, [walletAsked(zoe, { signingKey: { curve: 'ed25519' } })]);
    await refused('RequestMismatch', zoe, [keyRequest(zoe, { scheme: 'Schnorr' })]);
    await refused('RequestMismatch', zoe, [keyRequest(zoe, { delayDelegation: true })]);
    await refused('RequestMismatch', zoe, [walletAsked(zoe, {}, { path: '/wallets/x/transfers' })]);
    await refused('RequestMismatch', zoe, [walletAsked(zoe, {}, { method: 'PUT' })]);
  });

  test('by a request without an anchor, or by a request that is older than a day', async () => {
    const { zoe } = office.endUsers;
    await refused('ActionNotAnchored', zoe, [walletAsked(zoe, {}, { anchor: null })]);
    const old = { anchor: office.anchorAt(NOW_MS - DAY_MS - 1), expiresMs: NOW_MS - DAY_MS };
    await refused('ActionTooOld', zoe, [walletAsked(zoe, {}, old)]);
  });

  test('by a request that made another key', async () => {
    const { zoe } = office.endUsers;
    const action = walletAsked(zoe);
    await created(zoe, [action], 'key-first');
    await refused('ActionUsed', zoe, [action]);
  });

  test('by a request that another credential signed', async () => {
    const { zoe } = office.endUsers;
    const other = { ...keyHolder('zoe'), anchorAt: office.anchorAt };
    await refused('AssertionInvalid', zoe, [walletAsked(other)]);
    await refused('InitiatorMissing', zoe, [walletAsked(zoe), walletAsked(zoe)]);
  });
});

describe('a member who begins the registration of an end user', () => {
  const registration = (by: Person, body: object = {}) =>
    actionOf('Initiator', by, {
      path: '/auth/registration/delegated',
      body: JSON.stringify({ email: 'zoe@example.com', kind: 'EndUser', ...body }),
    });
  const offered = (action: ReturnType<typeof registration>, walletId: string, keyId: string, network?: string) => {
    const { amendment, ...order } = office.walletOrder(walletId, keyId, [action]);
    return office.signer.amendCharter({ ...order, amendment: { ...amendment, ...(network === undefined ? {} : { network }) } });
  };
  const [first, second] = ['wa-00000-first-0000000000000000', 'wa-00000-secon-0000000000000000'];

  test('gets the first wallets for this end user only', async () => {
    const { signer, endUsers, people, pay } = office;
    const { zoe, yan } = endUsers;
    const action = registration(people.bot);
    const keys = [await created(zoe, [action], 'key-first'), await created(zoe, [action], 'key-second')];
    await expect(created(yan, [action], 'key-third')).rejects.toEqual(refusedAs('ActionUsed'));
    await offered(action, first, 'key-first', 'EthereumSepolia');
    await offered(action, second, 'key-second', 'EthereumSepolia');
    for (const [index, walletId] of [first, second].entries())
      await expect(signer.signTransfer(pay(zoe, keys[index] as never, walletId))).resolves.toBeDefined();
    await expect(offered(action, 'wa-00000-third-0000000000000000', 'key-first', 'BaseSepolia')).rejects.toEqual(
      refusedAs('RequestMismatch'),
    );
  });

  test('gets no wallet without a stated network or on a mainnet, and is refused for a different kind of registration', async () => {
    const { endUsers, people } = office;
    const action = registration(people.bot);
    await created(endUsers.zoe, [action], 'key-first');
    await expect(offered(action, first, 'key-first')).rejects.toEqual(refusedAs('RequestMismatch'));
    await expect(offered(action, first, 'key-first', 'Ethereum')).rejects.toEqual(refusedAs('MainnetNotAllowed'));
    await expect(offered(registration(people.bot), first, 'key-first', 'EthereumSepolia')).rejects.toEqual(
      refusedAs('RequestMismatch'),
    );
    const other = registration(people.bot, { kind: 'CustomerEmployee' });
    await expect(created(endUsers.zoe, [other], 'key-other')).rejects.toEqual(refusedAs('RequestMismatch'));
    await expect(created(endUsers.zoe, [registration(endUsers.zoe)], 'key-own')).rejects.toEqual(refusedAs('RequestMismatch'));
  });
});

describe('a wallet of a held key', () => {
  const offered = (evidence: ReturnType<typeof walletAsked>[], walletId = ZOE_WALLET_ID, keyId = HELD_KEY_ID) =>
    office.signer.amendCharter(office.walletOrder(walletId, keyId, evidence));

  test('does not change a charter, and a repeated order gets the same reply', async () => {
    const { signer, endUsers, walletOrder } = office;
    const evidence = [walletAsked(endUsers.zoe)];
    await created(endUsers.zoe, evidence);
    const [before] = signer.listCharters({}).charters;
    const order = walletOrder(ZOE_WALLET_ID, HELD_KEY_ID, evidence);
    const head = await signer.amendCharter(order);
    expect(await signer.amendCharter(order)).toEqual(head);
    expect(signer.listCharters({}).charters).toEqual([before]);
    expect(before).toMatchObject(head);
  });

  test('needs the request that created the key', async () => {
    const { endUsers, people } = office;
    const evidence = [walletAsked(endUsers.zoe)];
    await created(endUsers.zoe, evidence);
    for (const by of [endUsers.zoe, endUsers.yan, people.ada]) await expect(offered([walletAsked(by)])).rejects.toThrow();
    await expect(offered([walletAsked(people.ada, { delegateTo: endUsers.zoe.userId })])).rejects.toEqual(
      refusedAs('RequestMismatch'),
    );
    await offered(evidence);
    await expect(offered(evidence, 'wa-00000-other-0000000000000000')).rejects.toEqual(refusedAs('ActionUsed'));
  });

  test('can be added to an existing key only by the holder of the key, once for each network', async () => {
    const { endUsers, people, wallet } = office;
    await wallet();
    const asking = (by: Person, network: string, id = HELD_KEY_ID) => [walletAsked(by, { network, signingKey: { id } })];
    const second = 'wa-00000-00two-0000000000000000';
    await expect(offered(asking(people.ada, 'BaseSepolia'), second)).rejects.toEqual(refusedAs('RequestMismatch'));
    await expect(offered(asking(endUsers.yan, 'BaseSepolia'), second)).rejects.toEqual(refusedAs('NotInCharter'));
    await expect(offered(asking(endUsers.zoe, 'BaseSepolia', 'key-other'), second)).rejects.toEqual(refusedAs('RequestMismatch'));
    await expect(offered(asking(endUsers.zoe, 'EthereumSepolia'), second)).rejects.toEqual(refusedAs('RequestMismatch'));
    await expect(offered(asking(endUsers.zoe, 'BaseSepolia'))).rejects.toEqual(refusedAs('RequestMismatch'));
    await expect(offered(asking(endUsers.zoe, 'Ethereum'), second)).rejects.toEqual(refusedAs('MainnetNotAllowed'));
    await offered(asking(endUsers.zoe, 'BaseSepolia'), second);
  });

  test('cannot have the id of a wallet of the organisation', async () => {
    const { endUsers, charter } = office;
    const evidence = [walletAsked(endUsers.zoe)];
    await created(endUsers.zoe, evidence);
    await expect(offered(evidence, charter.wallets[0]?.id)).rejects.toEqual(refusedAs('RequestMismatch'));
  });

  test('never becomes a wallet of the charter', async () => {
    const { signer, endUsers, people } = office;
    await created(endUsers.zoe, [walletAsked(endUsers.zoe)]);
    await expect(offered([walletAsked(people.ada)])).rejects.toEqual(refusedAs('RequestMismatch'));
    expect(signer.charters.of(ORG)?.walletsOfKey(HELD_KEY_ID)).toEqual([]);
  });

  test('is not limited in number, however many wallets end users request in an hour', async () => {
    const { endUsers } = office;
    const names = Array.from({ length: 101 }, (_one, index) => String(index).padStart(5, '0'));
    for (const name of names) {
      const evidence = [walletAsked(endUsers.zoe)];
      await created(endUsers.zoe, evidence, `key-many-${name}`);
      await offered(evidence, `wa-00000-${name}-0000000000000000`, `key-many-${name}`);
    }
  });
});

test('the journal keeps the signed request of a held key without its body', async () => {
  const { endUsers, wallet, folder, signer } = office;
  await wallet();
  await signer.close();
  const [file = ''] = readdirSync(folder.path).filter((name) => name.startsWith('journal') && !name.endsWith('.index'));
  const text = readFileSync(join(folder.path, file), 'utf8');
  expect(text).toContain(endUsers.zoe.credential.id);
  expect(text).not.toContain('"body"');
});
