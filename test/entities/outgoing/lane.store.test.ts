import fc from 'fast-check';
import { lowestHole } from '../../../domain/nonces';
import { keyStore } from '../../../entities/keys/key.store';
import { ClaimEntity } from '../../../entities/outgoing/claim.entity';
import { laneStore, nonceClaim } from '../../../entities/outgoing/lane.store';
import { SignatureEntity } from '../../../entities/signatures/signature.entity';
import { newId } from '../../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createTransferSteps, ETHER, FEE_UNITS, type TransferSteps } from '../../support/transfer-steps';

const TOKEN = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';

let database: TestDatabase;
let steps: TransferSteps;

beforeAll(async () => {
  database = await createTestDatabase(24);
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
});

const lane = () => ({ network: 'EthereumSepolia' as const, address: steps.address });
const second = (seconds: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds));
const view = async (id: string, chainCount = 0) =>
  database.db.withOrg(steps.orgId, async (tx) => laneStore.view(tx, lane(), await steps.row(id), chainCount));

test('the lowest free nonce is the first hole at or above the chain’s count', () => {
  expect(lowestHole([], 5)).toBe(5);
  expect(lowestHole([5, 6, 8], 5)).toBe(7);
  expect(lowestHole([8, 6, 5, 5], 5)).toBe(7);
  expect(lowestHole([0, 1], 5)).toBe(5);
});

test('the lowest free nonce is free, and every nonce from the chain’s count up to that nonce is taken', () => {
  const nonce = fc.nat(50);
  fc.assert(
    fc.property(fc.array(nonce), nonce, (taken, from) => {
      const hole = lowestHole(taken, from);
      expect(hole >= from && !taken.includes(hole)).toBe(true);
      for (let below = from; below < hole; below += 1) expect(taken).toContain(below);
    }),
  );
});

test('an unused lane has nothing taken, nothing open and no transfer ahead', async () => {
  expect(await view(await steps.transfer())).toEqual({
    taken: [],
    asked: [],
    open: 0,
    unmined: 0,
    ahead: 0,
    openNativeUnits: 0n,
    openTokenUnits: 0n,
  });
});

test('amount and fee of open transactions are summed; token amounts are summed separately and only for the same contract', async () => {
  steps.node.tokenUnits = 1_000n;
  await steps.prepare(await steps.transfer());
  await steps.prepare(await steps.transfer({ contract: TOKEN, amountUnits: '70' }));
  await steps.prepare(await steps.transfer({ contract: steps.address, amountUnits: '5' }));
  const open = { taken: [0, 1, 2], asked: [], open: 3, unmined: 3, ahead: 0, openNativeUnits: ETHER + 3n * FEE_UNITS };
  const [native, token] = [await view(await steps.transfer()), await view(await steps.transfer({ contract: TOKEN }))];
  expect({ ...native, taken: [...native.taken].sort() }).toEqual({ ...open, openTokenUnits: 0n });
  expect({ ...token, taken: [...token.taken].sort() }).toEqual({ ...open, openTokenUnits: 70n });
});

test('a payment that was signed for a caller is included until its nonce is used, even while its cancellation is open', async () => {
  steps.node.tokenUnits = 100n;
  const signatureId = newId('signature');
  const { requesterUserId, userActionId, walletId } = await steps.row(await steps.transfer());
  const key = await keyStore.ofWallet(database.db.read(steps.orgId), walletId);
  const spend = { contract: TOKEN, tokenUnits: '70', nativeUnits: String(9n * FEE_UNITS) };
  await database.db.withOrg(steps.orgId, async (tx) => {
    await tx.insert(SignatureEntity, {
      ...{ orgId: tx.orgId, id: signatureId, keyId: key?.id ?? '', walletId, network: lane().network, kind: 'Transaction' },
      ...{ requesterUserId, userActionId: userActionId ?? '', requestBody: {}, requestDigest: signatureId, state: 'Signed' },
      ...{ payload: { kind: 'Hash', digestHex: `0x${'11'.repeat(32)}` }, claimNetwork: lane().network, nonce: 0 },
      ...{ fromAddress: steps.address, ...spend },
    });
    await laneStore.claimForSignature(tx, lane().network, signatureId, [nonceClaim(steps.address, 0)]);
  });
  const another = await steps.transfer({ contract: TOKEN, amountUnits: '31' });
  const open = { openNativeUnits: 9n * FEE_UNITS, openTokenUnits: 70n };
  expect(await view(another)).toMatchObject(open);

  const cancellation = { form: 'Transaction', replacementKind: 'Cancel', cancelsSignatureId: signatureId } as const;
  const id = await steps.transfer({ ...cancellation, toAddress: steps.address, amountUnits: '0' });
  await database.db.withOrg(steps.orgId, async (tx) => laneStore.takeOver(tx, await steps.row(id)));
  expect(await view(another)).toMatchObject(open);
  expect(await steps.prepare(another)).toBe('Waiting');
  await database.db.withOrg(steps.orgId, (tx) => laneStore.consume(tx, id));
  expect(await view(another, 1)).toMatchObject({ openNativeUnits: 0n, openTokenUnits: 0n });
});

test('a used nonce stays taken until the chain’s count includes it', async () => {
  const id = await steps.transfer();
  await steps.prepare(id);
  await database.db.withOrg(steps.orgId, (tx) => laneStore.consume(tx, id));
  const other = await steps.transfer();
  expect(await view(other, 0)).toMatchObject({ taken: [0], open: 0 });
  expect(await view(other, 1)).toMatchObject({ taken: [], open: 0, openNativeUnits: 0n });
});

test('transfers that have waited longer are ahead; all waiting transfers are ahead of a new one', async () => {
  const [late, early, same] = [
    await steps.transfer({ waitingSince: second(2) }),
    await steps.transfer({ waitingSince: second(1) }),
    await steps.transfer({ waitingSince: second(2) }),
  ];
  await steps.transfer({ waitingSince: second(0), state: 'Failed' });
  await steps.transfer({ waitingSince: second(0), fromAddress: '0xsomebody else' });
  const ahead = async (id: string) => (await view(id)).ahead;
  expect([await ahead(early), await ahead(late), await ahead(same), await ahead(await steps.transfer())]).toEqual([0, 1, 2, 3]);
});

test('waiting transfers are returned in the order in which they began to wait, up to the given limit', async () => {
  const ids: string[] = [];
  for (const at of [3, 1, 2, 1]) ids.push(await steps.transfer({ waitingSince: second(at) }));
  await steps.transfer();
  const next = (limit: number) => database.db.withOrg(steps.orgId, (tx) => laneStore.nextWaiting(tx, lane(), limit));
  expect(await next(10)).toEqual([ids[1], ids[3], ids[2], ids[0]]);
  expect(await next(2)).toEqual([ids[1], ids[3]]);
  expect(await next(0)).toEqual([]);
});

test('twenty transactions at once under the lane’s lock claim twenty consecutive nonces', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => steps.transfer()));
  await Promise.all(
    ids.map((id) =>
      database.db.withOrg(steps.orgId, async (tx) => {
        await laneStore.lock(tx, lane());
        const claims = await tx.rows(ClaimEntity, '');
        const taken = claims.map(({ value }) => Number(value));
        await laneStore.claim(tx, { id, ...lane() }, nonceClaim(lane().address, lowestHole(taken, 0)));
      }),
    ),
  );
  expect(await steps.claims()).toEqual(ids.map((_id, index) => `${index} Signing`));
});

test('a nonce of one address is claimed once across all organisations', async () => {
  const other = await createTransferSteps(database.db, await database.createOrganization());
  const [mine, again, foreign] = [await steps.transfer(), await steps.transfer(), await other.transfer()];
  const claim = (orgId: string, id: string, nonce: number) =>
    database.db.withOrg(orgId, (tx) => laneStore.claim(tx, { id, ...lane() }, nonceClaim(lane().address, nonce)));
  await claim(steps.orgId, mine, 4);
  await expect(claim(steps.orgId, again, 4)).rejects.toMatchObject({ code: '23505' });
  await expect(claim(other.orgId, foreign, 4)).rejects.toMatchObject({ code: '23505' });
  await expect(claim(steps.orgId, mine, 5)).rejects.toMatchObject({ code: '23505' });
  await claim(other.orgId, foreign, 5);
});

test('release deletes the claim of this transfer only, and returns whether there was one', async () => {
  const [first, kept] = [await steps.transfer(), await steps.transfer()];
  for (const id of [first, kept]) await steps.prepare(id);
  const release = (orgId: string) => database.db.withOrg(orgId, (tx) => laneStore.release(tx, { id: first, claimsOf: null }));
  expect(await release(await database.createOrganization())).toBe(0);
  expect([await release(steps.orgId), await release(steps.orgId)]).toEqual([1, 0]);
  expect(await steps.claims()).toEqual(['1 Signing']);
});
