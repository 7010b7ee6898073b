import { MockActivityEnvironment } from '@temporalio/testing';
import type { HeadAttestingParts } from '../../activities/housekeeping/attest-heads';
import type { AttestingParts } from '../../activities/housekeeping/attest-wallets';
import { createHousekeepingActivities } from '../../activities/housekeeping/duties';
import type { HoldingParts } from '../../activities/housekeeping/refresh-holdings';
import type { PriceParts } from '../../activities/housekeeping/refresh-prices';
import type { SweepParts } from '../../activities/housekeeping/sweep-balances';
import type { WorkflowStatus, WorkflowStatusOf } from '../../application/dispatch/workflow-status';
import type { DutyResult, HousekeepingDuty } from '../../domain/housekeeping';
import { type HousekeepingStore, openHousekeepingStore } from '../../entities/housekeeping/housekeeping.store';
import { OutboxRowEntity } from '../../entities/outbox/outbox-row.entity';
import type { CheckpointWitness } from '../../platform/checkpoint-witness';
import { createLogger } from '../../platform/logger';
import { createTestDatabase, type TestDatabase } from './database';
import { asSuperuser } from './roles';

export type Housekeeping = {
  readonly database: TestDatabase;
  readonly store: HousekeepingStore;
  /** The status that Temporal reports for a workflow. A workflow that is not in the map is `Unknown`. */
  readonly standing: Map<string, WorkflowStatus>;
  /** The ids of the workflows whose status a duty (a scheduled housekeeping task) has requested. */
  readonly asked: string[];
  /** The level and the message of every log line since the last call. */
  readonly lines: () => string[];
  /** Carries out all rounds of a duty, as the workflow does, and returns the sums. */
  readonly keep: (duty: HousekeepingDuty) => Promise<DutyResult>;
  /** The routing of every start row that waits in the outbox, by the id of its record. */
  readonly starts: (orgId: string) => Promise<Record<string, Readonly<Record<string, string>>>>;
  /** Runs a statement as the database's superuser, without any rules, so that a test can age or break rows. */
  readonly upset: (sql: string, values?: readonly unknown[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

type Given = {
  readonly database?: TestDatabase;
  readonly statusOf?: WorkflowStatusOf;
  readonly witness?: CheckpointWitness;
} & Partial<Omit<PriceParts, 'db'>> &
  Partial<HoldingParts> &
  Pick<SweepParts, 'sweepObserver'> & {
    readonly signer?: Partial<AttestingParts['signer'] & HeadAttestingParts['signer']>;
  };

const noNode = (): never => {
  throw new Error('there is no node here');
};
const noSigner = () => Promise.reject(new Error('there is no signer here'));

/** The duties of housekeeping over a test database. The test sets the statuses that Temporal reports. */
export async function openHousekeeping(given: Given = {}): Promise<Housekeeping> {
  const database = given.database ?? (await createTestDatabase());
  const store = openHousekeepingStore(database.relayUrl);
  const standing = new Map<string, WorkflowStatus>();
  const [asked, written]: [string[], string[]] = [[], []];
  const { doHouseRound } = createHousekeepingActivities({
    db: database.db,
    housekeeping: store,
    statusOf:
      given.statusOf ??
      (async (id) => {
        asked.push(id);
        return standing.get(id) ?? { kind: 'Unknown' };
      }),
    logger: createLogger('housekeeping', 'debug', {
      write: (line) => {
        const { level, msg } = JSON.parse(line) as { level: string; msg: string };
        written.push(`${level}: ${msg}`);
      },
    }),
    outboxRetentionDays: 7,
    signer: { attestAddress: noSigner, attestFeed: noSigner, attestAuditLog: noSigner, ...given.signer },
    witness: given.witness,
    prices: given.prices ?? { priceOf: async () => undefined },
    networks: given.networks ?? [],
    readers: given.readers ?? noNode,
    sweepObserver: given.sweepObserver,
    priceAgeMaxMs: given.priceAgeMaxMs ?? 300_000,
  });
  return {
    database,
    store,
    standing,
    asked,
    lines: () => written.splice(0),
    keep: async (duty) => {
      const sums = { looked: 0, done: 0 };
      let after: string | undefined;
      do {
        const round = { duty, ...(after === undefined ? {} : { after }) };
        const result: DutyResult = await new MockActivityEnvironment().run(doHouseRound, round);
        sums.looked += result.looked;
        sums.done += result.done;
        after = result.next;
      } while (after !== undefined);
      return sums;
    },
    starts: async (orgId) => {
      const tail = `WHERE t.kind = 'start' AND t.date_relayed IS NULL ORDER BY t.id`;
      const rows = await database.db.read(orgId).rows(OutboxRowEntity, tail);
      return Object.fromEntries(rows.map(({ aggregateId, routing }) => [aggregateId, routing]));
    },
    upset: (sql, values = []) =>
      asSuperuser(async (client) => {
        await client.query(`SET session_replication_role = 'replica'`);
        await client.query(sql, [...values]);
      }, database.name),
    close: async () => {
      await store.close();
      if (given.database === undefined) await database.close();
    },
  };
}
