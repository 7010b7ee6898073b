import type { RestoreLock } from '../../application/deployment/restore-lock';
import type { Preparation, TransferRef } from '../../domain/transfer-steps';
import { createTransferPreparation } from './prepare';
import { createBroadcastActivities } from './send';
import { createSigningActivities } from './sign';

/** The limit leaves room for the queue's other activities while the signer is slow. */
const ONWARD_MAX = 16;

type Steps = Parameters<typeof createTransferPreparation>[0] &
  Parameters<typeof createSigningActivities>[0] &
  Parameters<typeof createBroadcastActivities>[0];
type Dependencies = Steps & {
  readonly freeze: RestoreLock;
  /** The log shows the step like an activity of its own. */
  readonly reported: <T>(name: string, step: (ref: TransferRef) => Promise<T>) => (ref: TransferRef) => Promise<T>;
};

export function createStraightThroughActivities(dependencies: Dependencies) {
  const { freeze, reported } = dependencies;
  const { prepareTransfer } = createTransferPreparation(dependencies);
  const sign = reported('signTransfer', createSigningActivities(dependencies).signTransfer);
  const send = reported('broadcastTransfer', createBroadcastActivities(dependencies).broadcastTransfer);
  let signing = 0;

  /** Each step continues from the committed rows, so after a fault the transfer resumes on the queue of the failed step. */
  const onward = async (ref: TransferRef): Promise<Preparation> => {
    await freeze.assertThawed();
    const signed = await sign(ref);
    if (signed === 'Refused') return 'Failed';
    if (signed !== 'Signed') return 'Ready';
    await freeze.assertThawed();
    return (await send(ref)) === undefined ? 'Sent' : 'Ready';
  };

  return {
    /**
     * With `through`, also signs and sends, which saves two of three activities. After a fault, during a freeze or above
     * `ONWARD_MAX`, the remaining steps run on their own queues.
     */
    async prepareTransfer({ through = false, ...ref }: TransferRef & { readonly through?: boolean }): Promise<Preparation> {
      const prepared = await prepareTransfer(ref);
      if (!through || prepared !== 'Ready' || signing >= ONWARD_MAX) return prepared;
      signing += 1;
      try {
        return await onward(ref);
      } catch {
        return 'Ready';
      } finally {
        signing -= 1;
      }
    },
  };
}
