import { readdirSync, rmSync } from 'node:fs';
import { keyOrder } from '../fixtures';
import { compileSigner } from '../process';
import { freshOrder, installReplicated, journalIn, killed } from './rig';

const compiled = compileSigner();
let rig: ReturnType<typeof installReplicated>;
beforeEach(() => {
  rig = installReplicated(compiled.main);
});
afterEach(() => rig.remove());
afterAll(compiled.remove);

test('after the loss of the disk, a signer on the replica has every key and signature, and refuses to sign a nonce again', async () => {
  const replica = await rig.newReplica('copy');
  const first = await rig.start(undefined, rig.toReplica('copy'));
  const [created, order, signature] = await rig.clientOn('state', async (client) => {
    const key = await client.createKey(keyOrder('key-1'));
    const asked = freshOrder(key, 'xfr-1');
    return [key, asked, await client.signTransfer(asked)] as const;
  });
  expect(journalIn(rig.dirOf('copy'))).toBe(journalIn(rig.dirOf('state')));
  expect(await killed(first)).toBe('SIGKILL');
  rmSync(rig.dirOf('state'), { recursive: true });
  expect(await killed(replica, 'SIGTERM')).toBe(0);

  const refused = rig.run({ ...rig.on('copy'), ...rig.operator });
  expect(await refused.exited).toBe(1);
  expect(refused.output()).toContain('the journal has a replica');

  await rig.signAlone('copy');
  const second = await rig.start(undefined, { ...rig.on('copy'), ...rig.operator });
  await rig.clientOn('copy', async (client) => {
    expect(await client.createKey(keyOrder('key-1'))).toEqual(created);
    await expect(client.signTransfer(freshOrder(created, 'xfr-2', { intent: { amountUnits: 1n } }))).rejects.toMatchObject({
      details: { reason: 'NonceSignedAlready' },
    });
    expect(await client.signTransfer(order)).toEqual(signature);
  });
  expect(readdirSync(rig.dirOf('copy'))).not.toContain('replica.json');
  expect(await killed(second, 'SIGTERM')).toBe(0);
});
