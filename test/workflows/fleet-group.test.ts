import { ApplicationFailure, type WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { Activities } from '../../activities';
import { FLEET_REMINDER_BEFORE_MS, type FleetStanding, lapsesAfterMs } from '../../domain/fleet-groups';
import type { FleetKind, FleetState } from '../../domain/fleets';
import { routeOf } from '../../domain/routes';
import { newId } from '../../platform/ids';
import { FLEET_GROUP, FLEET_GROUP_CHANGED } from '../../workflows/fleet-group.messages';
import { recordHistory } from '../support/recording';
import { openTimeSkipping } from '../support/temporal';
import { waitUntil } from '../support/wait-until';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

type Steps = Pick<
  Activities,
  | ('readFleetGroup' | 'remindOfFleetGroup' | 'lapseFleetGroup')
  | ('sealFleetArchive' | 'checkFleetOutput' | 'recordFleetApproval')
>;

/** The rows of one group, as far as the steps see them. */
type Rows = {
  status: FleetState;
  hasArchive: boolean;
  isSubmitted: boolean;
  isReviewed: boolean;
  isReminded: boolean;
  /** When the group was canceled because its time was over. */
  lapsedAtMs?: number;
  readonly endsAtMs: number;
};

/** The outcome of each step of the service; `log` has the steps in their order. */
type Script = {
  readonly kind?: FleetKind;
  readonly seal?: (rows: Rows, attempt: number) => Promise<void> | void;
  readonly check?: (rows: Rows) => Promise<void> | void;
  readonly record?: (rows: Rows) => Promise<void> | void;
};

const sealed = (rows: Rows) => {
  rows.hasArchive = true;
};

function stepsOver(rows: Rows, log: string[], now: () => Promise<number>, script: Script): Steps {
  const { kind = 'Genesis', seal = sealed } = script;
  const standing = async (): Promise<FleetStanding> => {
    const { status, hasArchive, isSubmitted, isReviewed, isReminded, endsAtMs } = rows;
    if (status !== 'Initialized' && status !== 'InReview') return { next: 'Ended', status };
    const endsInMs = endsAtMs - (await now());
    const nextOf = () => {
      if (status === 'InReview') return isReviewed ? 'Record' : 'Review';
      if (!hasArchive) return 'Seal';
      return isSubmitted ? 'Check' : 'Output';
    };
    const next = nextOf();
    const reminder = isReminded ? {} : { reminderInMs: Math.max(0, endsInMs - FLEET_REMINDER_BEFORE_MS) };
    return { next, kind, storeId: 'vault', endsInMs, ...reminder };
  };
  const did = async (step: string, work: () => Promise<void> | void) => {
    log.push(step);
    await work();
  };
  return {
    readFleetGroup: standing,
    remindOfFleetGroup: async () => {
      await did('remind', () => {
        rows.isReminded = true;
      });
      return standing();
    },
    lapseFleetGroup: async () => {
      rows.lapsedAtMs = await now();
      await did('lapse', () => {
        rows.status = 'Canceled';
      });
      return standing();
    },
    sealFleetArchive: () => did('seal', () => seal(rows, log.filter((step) => step === 'seal').length)),
    checkFleetOutput: () => did('check', () => script.check?.(rows)),
    recordFleetApproval: () => did('record', () => script.record?.(rows)),
  };
}

type Played = { readonly log: readonly string[]; readonly result: unknown; readonly days: number };
type Story = (handle: WorkflowHandle, rows: Rows, log: readonly string[]) => Promise<void>;

async function play(title: string | undefined, script: Script, story: Story = async () => undefined): Promise<Played> {
  const { main, signer } = routeOf('or-1');
  const connection = environment.nativeConnection;
  const id = newId('fleetGroup');
  const began = await environment.currentTimeMs();
  const log: string[] = [];
  const rows: Rows = {
    ...{ status: 'Initialized', hasArchive: false, isSubmitted: false, isReviewed: false, isReminded: false },
    endsAtMs: began + lapsesAfterMs(script.kind ?? 'Genesis'),
  };
  const { sealFleetArchive, checkFleetOutput, recordFleetApproval, ...onMain } = stepsOver(
    rows,
    log,
    () => environment.currentTimeMs(),
    script,
  );
  const activities = { sealFleetArchive, checkFleetOutput, recordFleetApproval };
  const mains = await Worker.create({ connection, taskQueue: main, workflowBundle: WORKFLOW_BUNDLE, activities: onMain });
  const signers = await Worker.create({ connection, taskQueue: signer, activities });
  return mains.runUntil(
    signers.runUntil(async () => {
      const args = [{ orgId: 'or-1', id, routing: {} }];
      const handle = await environment.client.workflow.start(FLEET_GROUP, { workflowId: id, taskQueue: main, args });
      await story(handle, rows, log);
      const result: unknown = await handle.result();
      if (title !== undefined) await recordHistory('fleet-group', title, handle);
      return { log, result, days: ((rows.lapsedAtMs ?? began) - began) / 86_400_000 };
    }),
  );
}

const change = async (handle: WorkflowHandle, rows: Rows, changes: Partial<Rows>) => {
  Object.assign(rows, changes);
  await handle.signal(FLEET_GROUP_CHANGED);
};
const accepted = (rows: Rows) => {
  rows.isSubmitted = false;
  rows.status = 'InReview';
};
const refused = (rows: Rows) => {
  rows.isSubmitted = false;
};
const step = (log: readonly string[], name: string, times = 1) =>
  waitUntil(`${name} to be done`, () => log.filter((one) => one === name).length === times);

test('a group gets its archive, its output is verified, and its approval is recorded', async () => {
  const { result, log } = await play(
    'approved',
    {
      check: accepted,
      record: (rows) => {
        rows.status = 'Approved';
      },
    },
    async (handle, rows, done) => {
      await step(done, 'seal');
      await change(handle, rows, { isSubmitted: true });
      await step(done, 'check');
      await change(handle, rows, { isReviewed: true });
    },
  );
  expect([result, log]).toEqual(['Approved', ['seal', 'check', 'record']]);
});

test('a proof of control is approved by its verified output, without a review', async () => {
  const { result, log } = await play(
    'proven',
    {
      kind: 'ProofOfControl',
      check: (rows) => {
        rows.status = 'Approved';
      },
    },
    async (handle, rows, done) => {
      await step(done, 'seal');
      await change(handle, rows, { isSubmitted: true });
    },
  );
  expect([result, log]).toEqual(['Approved', ['seal', 'check']]);
});

test('after a refused output the group waits for another one, and after a refused approval for another review', async () => {
  let checks = 0;
  let records = 0;
  const { result, log } = await play(
    'refused-and-repeated',
    {
      check: (rows) => (++checks === 1 ? refused(rows) : accepted(rows)),
      record: (rows) => {
        if (++records === 1) rows.isReviewed = false;
        else rows.status = 'Approved';
      },
    },
    async (handle, rows, done) => {
      await step(done, 'seal');
      await change(handle, rows, { isSubmitted: true });
      await step(done, 'check');
      await change(handle, rows, { isSubmitted: true });
      await step(done, 'check', 2);
      await change(handle, rows, { isReviewed: true });
      await step(done, 'record');
      await change(handle, rows, { isReviewed: true });
    },
  );
  expect([result, log]).toEqual(['Approved', ['seal', 'check', 'check', 'record', 'record']]);
});

test.each<[string, 'Rejected' | 'Canceled']>([
  ['rejected', 'Rejected'],
  ['canceled', 'Canceled'],
])('a group that people have %s ends at once', async (title, status) => {
  const { result, log } = await play(title, { check: accepted }, async (handle, rows, done) => {
    await step(done, 'seal');
    await change(handle, rows, { isSubmitted: true });
    await step(done, 'check');
    await change(handle, rows, { status });
  });
  expect([result, log]).toEqual([status, ['seal', 'check']]);
});

test('a group ends at once if the signer refuses its archive', async () => {
  const script: Script = {
    seal: (rows) => {
      rows.status = 'Canceled';
    },
  };
  expect(await play('refused-by-signer', script)).toMatchObject({ result: 'Canceled', log: ['seal'] });
});

test.each<[FleetKind, number, string]>([
  ['Genesis', 30, 'lapsed-ceremony'],
  ['OnchainSign', 7, 'lapsed-key-use'],
])('a group of %s without an output gets one reminder, and is canceled after %i days', async (kind, days, title) => {
  const played = await play(title, { kind });
  expect(played).toMatchObject({ result: 'Canceled', log: ['seal', 'remind', 'lapse'] });
  expect(played.days).toBeGreaterThanOrEqual(days);
  expect(played.days).toBeLessThan(days + 0.01);
});

test('a group in review is canceled at the same time', async () => {
  const { result, log } = await play('lapsed-in-review', { check: accepted }, async (handle, rows, done) => {
    await step(done, 'seal');
    await change(handle, rows, { isSubmitted: true });
    await step(done, 'check');
  });
  expect([result, log]).toEqual(['Canceled', ['seal', 'check', 'remind', 'lapse']]);
});

test('an output that arrives while the archive is being made is not missed', async () => {
  let told = () => {};
  const isTold = new Promise<void>((resolve) => {
    told = resolve;
  });
  const { result, log } = await play(
    'changed-meanwhile',
    {
      seal: async (rows) => {
        await isTold;
        rows.hasArchive = true;
      },
      check: (rows) => {
        rows.status = 'Canceled';
      },
    },
    async (handle, rows, done) => {
      await step(done, 'seal');
      await change(handle, rows, { isSubmitted: true });
      told();
    },
  );
  expect([result, log]).toEqual(['Canceled', ['seal', 'check']]);
});

test('an unreachable signer is asked until it answers, and a step that fails for good is repeated after an operator’s intervention', async () => {
  const { result, log } = await play(
    'signer-away',
    {
      seal: (rows, attempt) => {
        if (attempt < 3) throw new Error('the signer cannot be reached');
        if (attempt === 3) throw ApplicationFailure.nonRetryable('a broken invariant', 'Internal');
        sealed(rows);
      },
    },
    async (handle, rows, done) => {
      await step(done, 'seal', 3);
      await environment.sleep('6 minutes');
      await step(done, 'seal', 4);
      await change(handle, rows, { status: 'Canceled' });
    },
  );
  expect([result, log]).toEqual(['Canceled', ['seal', 'seal', 'seal', 'seal']]);
});

test('a request to cancel the workflow ends no group', async () => {
  const { result } = await play('cancel-requested', { check: accepted }, async (handle, rows, done) => {
    await step(done, 'seal');
    await handle.cancel();
    await change(handle, rows, { isSubmitted: true });
    await step(done, 'check');
    await change(handle, rows, { status: 'Rejected' });
  });
  expect(result).toBe('Rejected');
});

test('the details say what the group waits for, and until when', async () => {
  await play(undefined, {}, async (handle, rows, done) => {
    await step(done, 'seal');
    await waitUntil('the details', async () => {
      const details = await handle.query<string>('__temporal_workflow_metadata').then((data) => JSON.stringify(data));
      return /Genesis for the key store vault.*operator carries the archive.*canceled at \d{4}-/.test(details);
    });
    await change(handle, rows, { status: 'Canceled' });
  });
});

test('a group with many refused outputs continues in new runs', async () => {
  const OUTPUTS = 160;
  let checks = 0;
  const { result } = await play(
    undefined,
    {
      check: (rows) => {
        checks += 1;
        if (checks === OUTPUTS) rows.status = 'Canceled';
      },
    },
    async (handle, rows, done) => {
      await step(done, 'seal');
      await change(handle, rows, { isSubmitted: true });
      await handle.result();
      const { runId } = await environment.client.workflow.getHandle(handle.workflowId).describe();
      expect(runId).not.toBe((handle as { firstExecutionRunId?: string }).firstExecutionRunId);
    },
  );
  expect([result, checks]).toEqual(['Canceled', OUTPUTS]);
}, 120_000);
