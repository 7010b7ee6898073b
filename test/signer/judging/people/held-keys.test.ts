import { readAttestation } from '../../../../platform/address-attestation';
import { fingerprintOf } from '../../../../platform/fingerprint';
import { removeIndexes } from '../../../../signer/wire/operator-api';
import { type Action, actionOf, type Person, WALLET_ID } from '../../charters/chartered';
import { HELD_KEY_ID, type Holding, openHolding, walletAsked, ZOE_WALLET_ID } from '../../charters/holding';
import { FEES, keyOrder, NOW_MS, ORG, orderFor, payloadOrderFor, refusedAs, TOKEN } from '../../fixtures';

const DAY_MS = 86_400_000;

let office: Holding;
beforeEach(async () => {
  office = await openHolding();
});
afterEach(() => office.close());

test('an end user gets the requested signature, with a key or with a passkey, as often as the request is repeated', async () => {
  const { signer, endUsers, wallet, pay } = office;
  const { zoe, yan } = endUsers;
  const ofZoe = pay(zoe, await wallet());
  expect(await signer.signTransfer(ofZoe)).toEqual(await signer.signTransfer(ofZoe));
  const walletId = 'wa-00000-00yan-0000000000000000';
  const ofYan = pay(yan, await wallet(yan, walletId, 'key-yan'), walletId);
  await expect(signer.signTransfer(ofYan)).resolves.toBeDefined();
});

test('no other person gets a signature with the key: another end user, a member, the worker', async () => {
  const { signer, people, endUsers, wallet, pay } = office;
  const key = await wallet();
  for (const other of [endUsers.yan, people.ada, people.bot])
    await expect(signer.signTransfer(pay(other, key))).rejects.toEqual(refusedAs('NotInCharter'));
  const { evidence: _evidence, ...bare } = pay(endUsers.zoe, key);
  await expect(signer.signTransfer(bare)).rejects.toEqual(refusedAs('InitiatorMissing'));
  const posing: Person = { ...people.ada, userId: endUsers.zoe.userId };
  await expect(signer.signTransfer(pay(posing, key))).rejects.toEqual(refusedAs('AssertionInvalid'));
  const sameId = { ...posing, credential: { ...posing.credential, id: endUsers.zoe.credential.id } };
  await expect(signer.signTransfer(pay(sameId, key))).rejects.toEqual(refusedAs('AssertionInvalid'));
  const otherId = { ...endUsers.zoe, credential: { ...endUsers.zoe.credential, id: 'cred-00000-other-0000000000000000' } };
  await expect(signer.signTransfer(pay(otherId, key))).rejects.toEqual(refusedAs('AssertionInvalid'));
});

test('an end user cannot sign with a key that belongs to the organisation or to another end user', async () => {
  const { signer, endUsers, wallet, pay, keys, transfer } = office;
  await wallet();
  const ofYan = await wallet(endUsers.yan, 'wa-00000-00yan-0000000000000000', 'key-yan');
  await expect(signer.signTransfer(transfer(endUsers.zoe))).rejects.toEqual(refusedAs('NotInCharter'));
  await expect(signer.signTransfer(pay(endUsers.zoe, keys.free))).rejects.toEqual(refusedAs('NotInCharter'));
  await expect(signer.signTransfer(pay(endUsers.zoe, ofYan))).rejects.toEqual(refusedAs('NotInCharter'));
});

describe('a signed request of the holder is accepted only', () => {
  const refusedWith = async (reason: string, change: (order: ReturnType<Holding['pay']>) => object) => {
    const { signer, endUsers, pay } = office;
    const order = { ...pay(endUsers.zoe, key) };
    await expect(signer.signTransfer({ ...order, ...change(order) })).rejects.toEqual(refusedAs(reason));
  };
  let key: Awaited<ReturnType<Holding['wallet']>>;
  beforeEach(async () => {
    key = await office.wallet();
  });
  const withAction = (changed: (action: Action) => object) => (order: ReturnType<Holding['pay']>) => ({
    evidence: order.evidence.map((action) => ({ ...action, ...changed(action) })),
  });

  test('with its amount and recipient', async () => {
    const { signer, endUsers, pay } = office;
    await expect(signer.signTransfer(pay(endUsers.zoe, key, ZOE_WALLET_ID, { amount: '999' }))).rejects.toEqual(
      refusedAs('RequestMismatch'),
    );
    await expect(signer.signTransfer(pay(endUsers.zoe, key, ZOE_WALLET_ID, { to: TOKEN }))).rejects.toEqual(
      refusedAs('RequestMismatch'),
    );
  });

  test('with its body', () =>
    refusedWith(
      'ActionMismatch',
      withAction(({ body = '' }) => ({ body: body.replace('1000', '1001') })),
    ));

  test('for its own wallet', async () => {
    const { signer, endUsers, pay } = office;
    const other = 'wa-00000-other-0000000000000000';
    await expect(signer.signTransfer(pay(endUsers.zoe, key, other))).rejects.toEqual(refusedAs('NotInCharter'));
    await expect(signer.signTransfer(pay(endUsers.zoe, key, WALLET_ID))).rejects.toEqual(refusedAs('NotInCharter'));
  });

  test('for one request', async () => {
    const { signer, endUsers, pay } = office;
    const first = pay(endUsers.zoe, key);
    await signer.signTransfer(first);
    const second = { ...pay(endUsers.zoe, key), evidence: first.evidence };
    await expect(signer.signTransfer(second)).rejects.toEqual(refusedAs('ActionUsed'));
  });

  test('with an anchor of this signer, for a day', async () => {
    const { signer, endUsers, pay, anchorAt } = office;
    const unanchored = pay(endUsers.zoe, key, ZOE_WALLET_ID, {}, { anchor: null });
    await expect(signer.signTransfer(unanchored)).rejects.toEqual(refusedAs('ActionNotAnchored'));
    const anchor = anchorAt(NOW_MS - DAY_MS - 1);
    const old = pay(endUsers.zoe, key, ZOE_WALLET_ID, {}, { anchor, expiresMs: NOW_MS - DAY_MS });
    await expect(signer.signTransfer(old)).rejects.toEqual(refusedAs('ActionTooOld'));
  });

  test('with its key rows', async () => {
    const { signer, endUsers, pay, keys } = office;
    const { sealed, dek } = keys.free;
    await refusedWith('KeyRowMismatch', () => ({ sealed, dek }));
    await refusedWith('SenderMismatch', () => ({ sealed: { ...sealed, keyId: HELD_KEY_ID }, dek }));
    // The rows of the held key under the id of an organisation’s key, and the reverse.
    const posing = { ...pay(office.people.ada, key), keyId: sealed.keyId, sealed: { ...key.sealed, keyId: sealed.keyId } };
    await expect(signer.signTransfer(posing)).rejects.toEqual(refusedAs('NotInCharter'));
    const ofFree = pay(endUsers.zoe, keys.free);
    const renamed = { ...ofFree, keyId: HELD_KEY_ID, sealed: { ...sealed, keyId: HELD_KEY_ID } };
    await expect(signer.signTransfer(renamed)).rejects.toEqual(refusedAs('RequestMismatch'));
  });
});

test('no policy of the charter judges what an end user signs', async () => {
  const { signer, endUsers, wallet, pay, charter, follow } = office;
  const key = await wallet();
  await follow({ policies: charter.policies.map((one) => ({ ...one, filters: null, action: { kind: 'Block' } })) });
  await expect(signer.signTransfer(pay(endUsers.zoe, key))).resolves.toBeDefined();
  await expect(signer.signTransfer(office.transfer(office.people.ada))).rejects.toEqual(refusedAs('PolicyBlocked'));
});

test('a message needs the holder’s request too, at the path of the wallet or of the key', async () => {
  const { signer, endUsers, people, wallet } = office;
  const key = await wallet();
  const asking = (by: Person, path: string, requestId: string) => {
    const body = JSON.stringify({ kind: 'Eip191', message: 'hello' });
    const payload = { kind: 'Eip191' as const, messageHex: `0x${Buffer.from('hello').toString('hex')}` };
    const order = payloadOrderFor(key, requestId, payload);
    return signer.signPayload({ ...order, evidence: [actionOf('Initiator', by, { path, body })] });
  };
  for (const path of [`/wallets/${ZOE_WALLET_ID}/signatures`, `/keys/${HELD_KEY_ID}/signatures`]) {
    await expect(asking(people.ada, path, `sig-ada-${path.length}`)).rejects.toEqual(refusedAs('NotInCharter'));
    await expect(asking(endUsers.zoe, path, `sig-zoe-${path.length}`)).resolves.toBeDefined();
  }
});

test('without the holder the signer only repeats a signed payment, or uses up a nonce of a wallet on record', async () => {
  const { signer, endUsers, wallet, pay } = office;
  const key = await wallet();
  const paid = pay(endUsers.zoe, key);
  await signer.signTransfer(paid);
  const { evidence: _evidence, ...bare } = paid;
  const { bytesHex } = orderFor(key, 'x', { nonce: paid.nonce, fees: { ...FEES, gas: 59_999n } });
  const repeated = { ...bare, bytesHex, requestId: 'xfr-faster', replaces: paid.requestId };
  const self = { to: paid.intent.from, amountUnits: 0n };
  const filler = orderFor(key, 'xfr-cancel', { nonce: 9_000, intent: self });
  for (const order of [repeated, filler]) await expect(signer.signTransfer(order)).resolves.toBeDefined();
  const more = orderFor(key, 'xfr-more', { nonce: paid.nonce, intent: { amountUnits: 1_001n } });
  const elsewhere = orderFor(key, 'xfr-elsewhere', { nonce: paid.nonce, intent: { to: TOKEN } });
  const one = orderFor(key, 'xfr-one', { nonce: 9_001, intent: { ...self, amountUnits: 1n } });
  for (const order of [more, elsewhere].map((each) => ({ ...each, replaces: paid.requestId })).concat(one as never))
    await expect(signer.signTransfer(order)).rejects.toEqual(refusedAs('InitiatorMissing'));
});

test('a nonce of a held key without a wallet is not used up, because the key may have funds elsewhere', async () => {
  const { signer, endUsers, keyAsked, pay } = office;
  const key = await signer.createKey(keyAsked(endUsers.zoe, [walletAsked(endUsers.zoe)]));
  const { from } = pay(endUsers.zoe, key).intent;
  const filler = orderFor(key, 'xfr-cancel', { nonce: 9_000, intent: { to: from, amountUnits: 0n } });
  await expect(signer.signTransfer(filler)).rejects.toEqual(refusedAs('InitiatorMissing'));
});

test('a key that an end user holds is not exported, and a member cannot get a shared secret of the key', async () => {
  const { signer, endUsers, people, keyAsked } = office;
  const asked = actionOf('Initiator', endUsers.zoe, {
    path: '/keys',
    body: JSON.stringify({ scheme: 'DH', curve: 'secp256k1' }),
  });
  const key = await signer.createKey({ ...keyAsked(endUsers.zoe, [asked]), scheme: 'DH' });
  const moment = { issuedAt: new Date(NOW_MS).toISOString(), notAfter: new Date(NOW_MS + 60_000).toISOString() };
  const rows = { orgId: ORG, keyId: HELD_KEY_ID, sealed: key.sealed, dek: key.dek, ...moment };
  const derive = (by: Person) => {
    const body = JSON.stringify({ domain: '0x01', seed: '0x02' });
    const evidence = [actionOf('Initiator', by, { path: `/keys/${HELD_KEY_ID}/derive`, body })];
    return signer.deriveShared({ requestId: 'kr-1', ...rows, domainHex: '0x01', seedHex: '0x02', evidence });
  };
  await expect(derive(people.ada)).rejects.toEqual(refusedAs('NotInCharter'));
  await expect(derive(endUsers.zoe)).resolves.toBeDefined();
  const recipientKey = Buffer.alloc(32, 9).toString('base64');
  for (const by of [people.ada, endUsers.zoe]) {
    const body = JSON.stringify({ encryptionKey: recipientKey, supportedSchemes: [] });
    const evidence = [actionOf('Initiator', by, { path: `/keys/${HELD_KEY_ID}/export`, body })];
    const order = { requestId: 'kr-2', ...rows, recipientKey, evidence };
    await expect(signer.exportKey(order)).rejects.toEqual(refusedAs('NotWithCharter'));
  }
});

describe('an operator who lists the wallet in a charter', () => {
  const listed = async (changes: Parameters<Holding['follow']>[0]) => {
    const { endUsers, wallet, pay, charter, follow } = office;
    const key = await wallet();
    const address = pay(endUsers.zoe, key).intent.from;
    const own = { id: ZOE_WALLET_ID, keyId: HELD_KEY_ID, network: 'EthereumSepolia', address, tags: [] };
    await follow({ wallets: [...charter.wallets, own], ...changes });
    return key;
  };

  test('gives the wallet to no member', async () => {
    const { signer, endUsers, people, pay } = office;
    const key = await listed({});
    await expect(signer.signTransfer(pay(people.ada, key))).rejects.toEqual(refusedAs('NotInCharter'));
    await expect(signer.signTransfer(pay(endUsers.zoe, key))).resolves.toBeDefined();
  });

  test('gives the wallet to no member if the charter no longer serves end users, and stops the holder too', async () => {
    const { signer, endUsers, people, pay } = office;
    const key = await listed({ endUsers: null });
    for (const by of [endUsers.zoe, people.ada])
      await expect(signer.signTransfer(pay(by, key))).rejects.toEqual(refusedAs('NotWithCharter'));
  });
});

test('a derived key has the holder of its master key', async () => {
  const { signer, endUsers, people, wallet, pay, walletOrder, keyAsked } = office;
  const master = await wallet();
  const parent = { keyId: HELD_KEY_ID, path: "m/0'", sealed: master.sealed, dek: master.dek };
  const forYan = { ...keyAsked(endUsers.yan, [walletAsked(endUsers.yan)], 'key-child'), parent };
  await expect(signer.createKey(forYan)).rejects.toEqual(refusedAs('MalformedOrder'));
  const child = await signer.createKey({ ...keyOrder('key-child'), parent });
  const childWallet = 'wa-00000-child-0000000000000000';
  const asked = (by: Person) => [walletAsked(by, { signingKey: { deriveFrom: { keyId: HELD_KEY_ID } } })];
  for (const by of [endUsers.yan, people.ada])
    await expect(signer.amendCharter(walletOrder(childWallet, 'key-child', asked(by)))).rejects.toThrow();
  await signer.amendCharter(walletOrder(childWallet, 'key-child', asked(endUsers.zoe)));
  await expect(signer.signTransfer(pay(people.ada, child, childWallet))).rejects.toEqual(refusedAs('NotInCharter'));
  await expect(signer.signTransfer(pay(endUsers.zoe, child, childWallet))).resolves.toBeDefined();
});

test('the attestation of the address contains the holder and the fingerprints of the credentials', async () => {
  const { signer, endUsers, wallet, keys } = office;
  await wallet();
  const { attestation } = await signer.attestAddress({ orgId: ORG, keyId: HELD_KEY_ID, network: 'EthereumSepolia' });
  const credentials = [fingerprintOf(endUsers.zoe.credential.publicKey)];
  expect(readAttestation(attestation)?.holder).toEqual({ userId: endUsers.zoe.userId, credentials });
  const { keyId } = keys.free.sealed;
  const other = await signer.attestAddress({ orgId: ORG, keyId, network: 'EthereumSepolia' });
  expect(readAttestation(other.attestation)).not.toHaveProperty('holder');
});

test.each([
  ['a restart', () => undefined],
  ['a new index from the journal', (stateDir: string) => removeIndexes(stateDir)],
])('%s keeps holders and their wallets', async (_what, meanwhile) => {
  const { endUsers, people, wallet, pay, signer, open, folder } = office;
  const key = await wallet();
  await signer.close();
  await meanwhile(folder.path);
  const again = await open();
  await expect(again.signTransfer(pay(people.ada, key))).rejects.toEqual(refusedAs('NotInCharter'));
  await expect(again.signTransfer(pay(endUsers.zoe, key))).resolves.toBeDefined();
  await again.close();
});

test('a freeze of the key stops the holder, and only a member releases the freeze', async () => {
  const { signer, endUsers, people, wallet, pay } = office;
  const key = await wallet();
  const freeze = {
    orgId: ORG,
    freezeId: 'frz-1',
    issuedAt: new Date(NOW_MS).toISOString(),
    notAfter: new Date(NOW_MS + 1_000).toISOString(),
  };
  await signer.setFreeze({ ...freeze, evidence: [], target: { kind: 'Key', keyId: HELD_KEY_ID } });
  const released = (by: Person) =>
    signer.releaseFreeze({ ...freeze, evidence: [actionOf('Initiator', by, { method: 'DELETE', path: '/freezes/frz-1' })] });
  await expect(signer.signTransfer(pay(endUsers.zoe, key))).rejects.toEqual(refusedAs('Frozen'));
  await expect(released(endUsers.zoe)).rejects.toEqual(refusedAs('NotInCharter'));
  await released(people.ada);
  await expect(signer.signTransfer(pay(endUsers.zoe, key))).resolves.toBeDefined();
});
