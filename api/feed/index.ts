import type { Operation } from '../http/operation';
import { exportActivities } from './export-activities';
import { listEvents } from './list-events';
import { listFeedCheckpoints } from './list-feed-checkpoints';

export const feedOperations: readonly Operation[] = [listEvents, listFeedCheckpoints, exportActivities];
