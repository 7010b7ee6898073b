import type { RestoreLock } from '../../application/deployment/restore-lock';
import type { Preparation, TransferRef } from '../../domain/transfer-steps';
import { createTransferPreparation } from './prepare';
import { createBroadcastActivities } from './send';
import { createSigningActivities } from './sign';

/**
 * The highest number of transfers of a network that these activities sign and send at once. The limit leaves room for the
 * queue's other activities while the signer is slow.
 */
const ONWARD_MAX = 16;

type Steps = Parameters<typeof createTransferPreparation>[0] &
  Parameters<typeof createSigningActivities>[0] &
  Parameters<typeof createBroadcastActivities>[0];
type Dependencies = Steps & {
  readonly freeze: RestoreLock;
  /** Logs the beginning and end of a step inside an activity, as if the step were an activity of its own. */
  readonly reported: <T>(name: string, step: (ref: TransferRef) => Promise<T>) => (ref: TransferRef) => Promise<T>;
};

/** Activities of a network's queue that advance a transfer as far as possible without waiting. */
export function createStraightThroughActivities(dependencies: Dependencies) {
  const { freeze, reported } = dependencies;
  const { prepareTransfer } = createTransferPreparation(dependencies);
  const sign = reported('signTransfer', createSigningActivities(dependencies).signTransfer);
  const send = reported('broadcastTransfer', createBroadcastActivities(dependencies).broadcastTransfer);
  let signing = 0;

  /** Each step continues from the committed rows, so an interrupted transfer resumes on the queue of the step that failed. */
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
     * Prepares as `createTransferPreparation` does. With `through`, also signs and sends, which saves two of three activities.
     * If a fault, a freeze or the limit `ONWARD_MAX` prevents these steps, the steps run on their own queues.
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
