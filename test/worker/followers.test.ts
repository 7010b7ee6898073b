import { createLogger } from '../../platform/logger';
import { keepFollowers } from '../../worker/followers';
import { openTimeSkipping } from '../support/temporal';
import { waitUntil } from '../support/wait-until';

test('a follower that was terminated is started again, and one that runs is left alone', async () => {
  const environment = await openTimeSkipping();
  try {
    const { client } = environment;
    const kept = {
      client,
      networks: ['EthereumSepolia'] as const,
      scanned: [],
      logger: createLogger('test', 'silent'),
      checkMs: 50,
    };
    const leave = await keepFollowers(kept);
    const leaveToo = await keepFollowers(kept);
    try {
      const follower = client.workflow.getHandle('follower:EthereumSepolia');
      const { runId } = await follower.describe();
      await follower.terminate('by an operator');
      const again = await waitUntil('the next run', async () => {
        const now = await follower.describe();
        return now.runId !== runId && now;
      });
      expect(again.status.name).toBe('RUNNING');
    } finally {
      await Promise.all([leave(), leaveToo()]);
    }
  } finally {
    await environment.teardown();
  }
}, 60_000);
