import { patched, upsertSearchAttributes } from '@temporalio/workflow';
import type { Stage } from '../domain/waiting-stages';
import { STAGE } from './search-keys';

/** In these stages a run waits for something outside the service. */
type Waiting = Extract<Stage, 'Approval' | 'EqualPayment' | 'Screening' | 'TravelRule' | 'Frozen' | 'OfflineSigning'>;

/** Shows the stage to a search of workflows during the wait. Runs that started under older versions show no stage. */
export async function atStage<T>(stage: Waiting, wait: () => Promise<T>): Promise<T> {
  if (!patched('stage-in-search')) return wait();
  upsertSearchAttributes([{ key: STAGE, value: stage }]);
  try {
    return await wait();
  } finally {
    upsertSearchAttributes([{ key: STAGE, value: null }]);
  }
}
