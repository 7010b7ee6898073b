import { MockActivityEnvironment } from '@temporalio/testing';
import { createBlockShelves } from '../../../../activities/block-shelves';
import { createFollowingActivities } from '../../../../activities/outgoing/follow/follow-networks';
import { createFollower } from '../../../../activities/outgoing/follow/follower';
import { networkOf } from '../../../../chains/networks';
import type { Gateway } from '../../../../chains/types';
import { openPayloadsOver } from '../../../../entities/outgoing/open-payloads';
import { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import { createLogger } from '../../../../platform/logger';
import { createTestDatabase } from '../../../support/database';
import { createTransferSteps } from '../../../support/transfer-steps';
import { waitUntil } from '../../../support/wait-until';

const network = networkOf('EthereumSepolia');

test('a settlement that fails delays no other organisation', async () => {
  const database = await createTestDatabase();
  const openPayloads = openPayloadsOver(database.relayUrl);
  try {
    const broken = await createTransferSteps(database.db, await database.createOrganization());
    const sound = await createTransferSteps(database.db, await database.createOrganization());
    const [one, other] = [await broken.transfer(), await sound.transfer()];
    const hashes = [await broken.send(one), await sound.send(other)];
    await database.db.withOrg(broken.orgId, (tx) => tx.update(OutgoingEntity, { id: one }, { state: 'Rejected' }));
    const { chain } = sound;
    chain.mine(hashes, { empty: network.confirmations - 1 });
    const follower = createFollower({ db: database.db, gateway: chain.gateway, network, openPayloads });
    await expect(follower.step()).rejects.toMatchObject({ code: 'WrongState' });
    expect((await sound.row(other)).state).toBe('Confirmed');
  } finally {
    await openPayloads.close();
    await database.close();
  }
});

test('the follower sends heartbeats while it waits for a silent node, so that its worker is not treated as dead', async () => {
  const database = await createTestDatabase();
  const openPayloads = openPayloadsOver(database.relayUrl);
  try {
    const steps = await createTransferSteps(database.db, await database.createOrganization());
    await steps.send(await steps.transfer());
    let answer = () => {};
    const silent = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const gateway: Gateway = { ...steps.chain.gateway, head: () => silent.then(() => steps.chain.gateway.head()) };
    const stop = new AbortController();
    const { followNetwork } = createFollowingActivities({
      dispatcher: { tryNow: async () => undefined },
      db: database.db,
      gateways: () => gateway,
      blockShelves: createBlockShelves(),
      openPayloads,
      logger: createLogger('test', 'silent'),
      stopping: stop.signal,
    });
    const environment = new MockActivityEnvironment();
    let beats = 0;
    environment.on('heartbeat', () => {
      beats += 1;
    });
    const following = environment.run(followNetwork, { network: network.name });
    await waitUntil('a heartbeat while the node is silent', () => beats > 1, 10_000);
    stop.abort();
    answer();
    await following;
  } finally {
    await openPayloads.close();
    await database.close();
  }
}, 30_000);
