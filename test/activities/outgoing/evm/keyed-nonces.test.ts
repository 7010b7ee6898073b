import { createLaneActivities } from '../../../../activities/outgoing/lanes/lanes';
import { evmDecoderOf } from '../../../../chains/decoders';
import { keyedNonceIn } from '../../../../chains/evm/keyed-nonce-context';
import type { LaneLook } from '../../../../domain/lanes';
import { ClaimEntity } from '../../../../entities/outgoing/claim.entity';
import { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { createTransferSteps, ETHER, type TransferSteps } from '../../../support/transfer-steps';

const NETWORK = 'TempoModerato' as const;
const USD = '0x20C0000000000000000000000000000000000000';

let database: TestDatabase;
let steps: TransferSteps;
beforeAll(async () => {
  database = await createTestDatabase(24);
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization(), NETWORK);
  Object.assign(steps.node, { nativeUnits: 10n ** 6n * ETHER, tokenUnits: 10n ** 12n });
});

const pay = () => steps.transfer({ contract: USD, amountUnits: '1' });
const laneOf = async (id: string) => {
  const { unsignedHex, nonce, context } = await steps.payload(id);
  const read = evmDecoderOf(NETWORK).decode(unsignedHex);
  expect(read.opaque).toEqual([]);
  expect(keyedNonceIn(context)?.nonceKey).toBe(read.nonceKey);
  return `${read.nonceKey ?? 0n}:${read.nonce} ${nonce}`;
};

test("each lane (with its own nonce) takes one transaction, the lowest free lane first, and the rest use the account's own nonce", async () => {
  const ids: string[] = [];
  for (let count = 0; count < 10; count += 1) ids.push(await pay());
  for (const id of ids) expect(await steps.prepare(id)).toBe('Ready');
  const lanes = await Promise.all(ids.map(laneOf));
  expect(lanes).toEqual(['0:0 0', ...[1, 2, 3, 4, 5, 6, 7, 8].map((key) => `${key}:0 null`), '0:1 1']);
  const claims = await database.db.read(steps.orgId).rows(ClaimEntity, "WHERE t.kind = 'keyed-nonce' ORDER BY t.key");
  expect(claims.map(({ key }) => key)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((lane) => `${steps.address}:${lane}:0`));
});

test("a transfer uses the account's own nonce when that nonce is free, and the order to the signer names the key of any other lane", async () => {
  const first = await pay();
  await steps.send(first);
  steps.node.chainCount = 1;
  const second = await pay();
  await steps.send(second);
  expect(await laneOf(second)).toBe('0:1 1');
  const third = await pay();
  await steps.send(third);
  expect(steps.orders.map(({ nonce, nonceKey }) => [nonce, nonceKey])).toEqual([
    [0, undefined],
    [1, undefined],
    [0, '1'],
  ]);
});

test("a node is asked only about empty lanes, and not while the account's own nonce is free; two transfers at once get two lanes", async () => {
  const asked = jest.spyOn(steps.reader, 'keyedCount');
  const first = await pay();
  await steps.prepare(first);
  expect(asked).not.toHaveBeenCalled();
  await steps.prepare(await pay());
  expect(asked.mock.calls.map(([, key]) => key)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n]);
  asked.mockClear();
  await steps.prepare(await pay());
  expect(asked.mock.calls.map(([, key]) => key)).toEqual([2n, 3n, 4n, 5n, 6n, 7n, 8n]);

  steps = await createTransferSteps(database.db, await database.createOrganization(), NETWORK);
  Object.assign(steps.node, { nativeUnits: 10n ** 6n * ETHER, tokenUnits: 10n ** 12n });
  const both = [await pay(), await pay()];
  // Both preparations have read the fees before either takes the lock.
  let open = () => {};
  const quoted = new Promise<void>((resolve) => {
    open = resolve;
  });
  let waiting = 0;
  steps.readFees = async () => {
    waiting += 1;
    if (waiting === 2) open();
    await quoted;
    return steps.node.fees;
  };
  expect(await Promise.all(both.map((id) => steps.prepare(id)))).toEqual(['Ready', 'Ready']);
  expect((await Promise.all(both.map(laneOf))).sort()).toEqual(['0:0 0', '1:0 null']);
});

test('a transaction of a keyed lane is sent again when the node has forgotten it, and sped up when it pays too little', async () => {
  const [first, second] = [await pay(), await pay()];
  await steps.send(first);
  const txHash = await steps.send(second);
  // The chain has used the account's own nonce, so only the keyed lane is in trouble.
  steps.node.chainCount = 1;
  steps.chain.forget(txHash);
  let baseFeePerGas = 1n;
  const tier = { maxPriorityFeePerGas: 1n, maxFeePerGas: 2n };
  const feeEstimates = async () => ({
    ...{ kind: 'Eip1559' as const, blockNumber: 1, baseFeePerGas },
    tiers: { Slow: tier, Standard: tier, Fast: tier },
  });
  const readers = () => ({ ...steps.reader, feeEstimates });
  const { careForLane } = createLaneActivities({ db: database.db, readers, gateways: () => steps.chain.gateway });
  const look = (seen?: LaneLook) =>
    careForLane({
      ...{ orgId: steps.orgId, network: NETWORK, address: steps.address },
      ...(seen?.kind === 'Watched' ? { memory: seen.memory } : {}),
    });
  const before = steps.chain.sent.length;
  expect(await look()).toMatchObject({ kind: 'Watched', trouble: null });
  expect(steps.chain.sent.length).toBe(before + 1);
  baseFeePerGas = 10n ** 12n;
  const seen = await look();
  steps.chain.mine([], { empty: 3 });
  expect(await look(seen)).toMatchObject({ trouble: 'Underpriced', acted: true });
  const made = await database.db.read(steps.orgId).rows(OutgoingEntity, 'WHERE t.made_by_service');
  expect(made).toMatchObject([{ replacementKind: 'SpeedUp', replacesId: second, claimsOf: second }]);
  const [faster] = made;
  await steps.approve(faster?.id ?? '');
  steps.node.fees = { gas: 21_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n };
  expect(await steps.prepare(faster?.id ?? '')).toBe('Ready');
  expect(await laneOf(faster?.id ?? '')).toBe('1:0 null');
});
