import { rmSync } from 'node:fs';
import type { CreatedKey, SignerClient } from '../../../signer/protocol';
import { waitUntil } from '../../support/wait-until';
import { keyOrder } from '../fixtures';
import { compileSigner, type Run } from '../process';
import { freshOrder, installReplicated, journalIn, killed } from './rig';

const compiled = compileSigner();
const rig = installReplicated(compiled.main);
afterAll(() => {
  rig.remove();
  compiled.remove();
});

const ROUNDS = 20;
const LANES = 6;

/** Returns a generator of numbers from 0 to 1, which yields the same sequence for the same seed. */
function drawFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('whatever is killed and whichever disk is lost, a returned signature stays on record, and its nonce is never signed again', async () => {
  const draw = drawFrom(20_261_129);
  let replica = await rig.newReplica('copy');
  const startSigner = () => rig.start(undefined, rig.toReplica('copy'));
  let signer: Run = await startSigner();
  const created = await rig.clientOn('state', (client) => client.createKey(keyOrder('key-1')));
  const answered = new Map<number, unknown>();
  let next = 0;

  for (let round = 0; round < ROUNDS; round += 1) {
    let isOver = false;
    const goal = answered.size + 5 + Math.floor(draw() * 40);
    const load = rig.clientOn('state', async (client) => {
      const lane = async () => {
        while (!isOver) {
          const nonce = next++;
          await signed(client, created, nonce).then(
            (signature) => answered.set(nonce, signature),
            () => undefined,
          );
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
    });
    await waitUntil('answers', () => answered.size >= goal, 30_000);
    const [killsSigner, killsReplica, losesDisk] = [draw() < 0.6, draw() < 0.6, draw() < 0.3];
    if (killsReplica) await killed(replica, draw() < 0.5 ? 'SIGKILL' : 'SIGTERM');
    // A signature that the signer returned before the replica's acknowledgement would be lost with the disk.
    if (killsReplica && losesDisk)
      await rig.clientOn('state', (client) =>
        waitUntil('the signer to miss the replica', async () => (await client.replica()).replica === 'Away'),
      );
    if (killsSigner || losesDisk) await killed(signer);
    isOver = true;
    if (losesDisk) {
      if (!killsReplica) await killed(replica, 'SIGTERM');
      rmSync(rig.dirOf('state'), { recursive: true });
      rig.copy('copy', 'state');
    }
    if (killsReplica || losesDisk) replica = await rig.replica('copy').start();
    if (killsSigner || losesDisk) signer = await startSigner();
    await load;
  }

  await rig.clientOn('state', async (client) => {
    await waitUntil('the signer', () => client.signTransfer(freshOrder(created, 'last', { nonce: next })).catch(() => undefined));
    // The rival comes first, because repeating the request would not reveal a lost claim: the signature would be the same.
    for (const [nonce, signature] of answered) {
      const rival = client.signTransfer(freshOrder(created, `rival-${nonce}`, { nonce, intent: { amountUnits: 1n } }));
      await expect(rival).rejects.toMatchObject({ details: { reason: 'NonceSignedAlready' } });
      expect(await signed(client, created, nonce)).toEqual(signature);
    }
  });
  expect(journalIn(rig.dirOf('copy'))).toBe(journalIn(rig.dirOf('state')));
}, 900_000);

const signed = (client: SignerClient, created: CreatedKey, nonce: number) =>
  client.signTransfer(freshOrder(created, `xfr-${nonce}`, { nonce }));
