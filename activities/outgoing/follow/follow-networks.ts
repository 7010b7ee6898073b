import { Context } from '@temporalio/activity';
import type { Dispatcher } from '../../../application/dispatch/dispatcher';
import type { createGateways } from '../../../chains/gateways';
import { findNetwork } from '../../../chains/networks';
import type { Gateway } from '../../../chains/types';
import { AppError } from '../../../domain/errors';
import type { NetworkName } from '../../../domain/networks';
import type { Database } from '../../../entities/database';
import type { OpenPayloads } from '../../../entities/outgoing/open-payloads';
import type { Logger } from '../../../platform/logger';
import type { BlockShelves } from '../../block-shelves';
import { inRounds } from '../../in-rounds';
import { createLaneCareRequests } from '../lanes/request-lane-care';
import { type ChainAlarm, createFollower, type OnAlarm } from './follower';

type Dependencies = {
  readonly db: Database;
  readonly gateways: ReturnType<typeof createGateways>;
  readonly blockShelves: BlockShelves;
  readonly openPayloads: OpenPayloads;
  readonly dispatcher: Pick<Dispatcher, 'tryNow'>;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
  readonly followObserver?: FollowObserver | undefined;
};

/** Must not throw. */
export type FollowObserver = {
  /** Called at the start and after each poll. The height is known only if the poll requested the head from the node. */
  readonly looked: (network: NetworkName, height: number | undefined) => void;
  readonly alarmed: (network: NetworkName, kind: ChainAlarm, count: number) => void;
  readonly left: (network: NetworkName) => void;
};

const ALARM_WORDS: Readonly<Record<ChainAlarm, string>> = {
  Reversed: 'a reorganisation deeper than finality has undone the end of these transfers: they are open again',
  SpentElsewhere:
    'a transaction that was not signed here has used the nonce or coins of these transfers: another party may have the key',
};

const BUSY_POLL_MS = 200;
const IDLE_POLL_MS = 1_000;

export function createFollowingActivities({
  db,
  gateways,
  blockShelves,
  openPayloads,
  dispatcher,
  logger,
  stopping,
  followObserver,
}: Dependencies) {
  return {
    /** While a node is down, the activity waits and does not fail. */
    async followNetwork({ network: name }: { readonly network: string }): Promise<void> {
      const network = findNetwork(name);
      if (!network) throw new AppError('NetworkNotEnabled', `${name} has no record`);
      let height: number | undefined;
      const gateway: Gateway = {
        ...gateways(network.name),
        head: async () => {
          const head = await gateways(network.name).head();
          height = head.height;
          return head;
        },
      };
      const onAlarm: OnAlarm = (kind, transferIds) => {
        followObserver?.alarmed(network.name, kind, transferIds.length);
        logger.error({ network: name, names: transferIds }, ALARM_WORDS[kind]);
      };
      const callForCare = createLaneCareRequests({ db, dispatcher, network });
      const shelf = blockShelves(network.name);
      const follower = createFollower({ db, gateway, shelf, openPayloads, network, callForCare, onAlarm });
      followObserver?.looked(network.name, undefined);
      const step = async (): Promise<number> => {
        height = undefined;
        const open = await follower.step();
        followObserver?.looked(network.name, height);
        return open ? BUSY_POLL_MS : IDLE_POLL_MS;
      };
      const onFailure = (error: unknown): number => {
        logger.warn({ err: error, network: name }, 'the follower failed and tries again');
        return IDLE_POLL_MS;
      };
      try {
        await inRounds({ context: Context.current(), stopping, step: () => step().catch(onFailure) });
      } finally {
        followObserver?.left(network.name);
      }
    },
  };
}
