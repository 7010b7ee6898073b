import { patched, upsertSearchAttributes } from '@temporalio/workflow';
import type { Stage } from '../domain/waiting-stages';
import { STAGE } from './search-keys';

/** Stages in which a run waits for something outside the service. A single query lists all runs in a stage. */
type Waiting = Extract<Stage, 'Approval' | 'EqualPayment' | 'Screening' | 'TravelRule' | 'Frozen'>;

/** Sets the search attribute for the stage only while the run waits. Runs that started under older versions show no stage. */
export async function atStage<T>(stage: Waiting, wait: () => Promise<T>): Promise<T> {
  if (!patched('stage-in-search')) return wait();
  upsertSearchAttributes([{ key: STAGE, value: stage }]);
  try {
    return await wait();
  } finally {
    upsertSearchAttributes([{ key: STAGE, value: null }]);
  }
}
