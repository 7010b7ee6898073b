import type { Context } from '@temporalio/activity';
import { AppError } from '../../../domain/errors';
import { chainQueueOf, sharedRoute } from '../../../domain/routes';
import { activityFreeze } from '../../../worker/interceptors/freeze';

const frozen = { assertThawed: () => Promise.reject(new AppError('Frozen', 'frozen')) };
const thawed = { assertThawed: () => Promise.resolve() };

const carriedOut = async (freeze: typeof frozen | typeof thawed, taskQueue: string): Promise<unknown> => {
  const { inbound } = activityFreeze(freeze)({ info: { taskQueue } } as Context);
  return inbound.execute?.({ args: [], headers: {} }, async () => 'done');
};

test('a frozen deployment carries out nothing that reaches the signer or a chain', async () => {
  for (const queue of [sharedRoute.signer, chainQueueOf('EthereumSepolia')]) {
    await expect(carriedOut(frozen, queue)).rejects.toMatchObject({ code: 'Frozen', retryable: true });
    expect(await carriedOut(thawed, queue)).toBe('done');
  }
});

test('rows, mails and webhooks are still processed while the deployment is frozen', async () => {
  expect(await carriedOut(frozen, sharedRoute.main)).toBe('done');
});
