type Duty = {
  readonly everyMinutes: number;
  /** Operators see this text with the schedule. */
  readonly note: string;
};

/** The schedule of each duty is named `house:` followed by the name of the duty. Names are durable. */
export const HOUSEKEEPING_DUTIES = {
  'reconcile-transfers': {
    everyMinutes: 10,
    note: 'Starts the workflow of an open transfer again when Temporal has none, and wakes lanes that have free places.',
  },
  'reconcile-signatures': {
    everyMinutes: 10,
    note: 'Starts the workflow of an open request for a signature again when Temporal has none.',
  },
  'reconcile-wallets': {
    everyMinutes: 10,
    note: 'Starts the workflow of an unfinished wallet again when Temporal has none. A refusal by the signer is an error in the log.',
  },
  'attest-wallets': {
    everyMinutes: 5,
    note: 'Has the signer attest the addresses of wallets without an attestation. A different address is an error in the log.',
  },
  'attest-feeds': {
    everyMinutes: 1,
    note: 'Has the signer attest the feeds that have new events. A feed that has lost events is an error in the log.',
  },
  'attest-audit-logs': {
    everyMinutes: 1,
    note: 'Has the signer attest the audit logs that have new entries. An audit log that has lost entries is an error in the log.',
  },
  'witness-checkpoints': {
    everyMinutes: 1,
    note: 'Sends new checkpoints of feeds and audit logs to the witness (CHECKPOINT_WITNESS).',
  },
  'reconcile-webhooks': {
    everyMinutes: 15,
    note: 'Starts overdue deliveries again when Temporal has no workflow for them, and closes attempts that no process will finish.',
  },
  'reconcile-changes': {
    everyMinutes: 10,
    note: 'Starts the workflow of a waiting change request again when Temporal has none.',
  },
  'reconcile-recoveries': {
    everyMinutes: 10,
    note: 'Starts the workflow of a waiting recovery again when Temporal has none.',
  },
  'reconcile-freezes': {
    everyMinutes: 10,
    note: 'Starts the workflow of a freeze again when Temporal has none, so that the signer learns of the freeze and its release.',
  },
  'reconcile-amendments': {
    everyMinutes: 10,
    note: 'Starts the workflow of waiting amendments again when Temporal has none, so that the charter follows what members signed.',
  },
  'reconcile-backfills': {
    everyMinutes: 10,
    note: 'Starts the workflow of a back-fill again when Temporal has none, so that the reading of earlier blocks continues.',
  },
  'reconcile-fleet-groups': {
    everyMinutes: 10,
    note: 'Starts the workflow of an open group of fleet operations again when Temporal has none.',
  },
  'reconcile-claims': {
    everyMinutes: 30,
    note: 'Compares nonce claims with their transfers. Repairs the claims of transfers that are final on the chain; any other difference is an error in the log.',
  },
  'watch-approvals': {
    everyMinutes: 1_440,
    note: 'Finds waiting approvals that can no longer reach their quorum, and emits one event for each.',
  },
  'watch-outbox': {
    everyMinutes: 1,
    note: 'Logs an error when outbox rows wait too long to reach Temporal or the webhooks.',
  },
  'refresh-prices': {
    everyMinutes: 1,
    note: 'Queries the price sources for the assets in use, so that the API can value wallets and transfers.',
  },
  'refresh-holdings': {
    everyMinutes: 1,
    note: 'Reads the balances that final movements have changed, so that wallets can be listed by what they hold.',
  },
  'sweep-balances': {
    everyMinutes: 1,
    note: 'Compares balances that nodes state with the movements that were read from blocks. A difference is an error in the log.',
  },
  'remove-user-actions': {
    everyMinutes: 60,
    note: 'Removes user actions that ended a day ago and were never used. Used user actions are evidence and stay.',
  },
  'remove-webhook-events': { everyMinutes: 60, note: 'Removes webhook deliveries that are older than 31 days.' },
  'remove-mails': {
    everyMinutes: 60,
    note: 'Removes the rows of mails, whose content is already erased, a day after they expired.',
  },
  'remove-challenges': {
    everyMinutes: 60,
    note: 'Removes challenges of logins, registrations and recoveries that ended a day ago.',
  },
  'remove-one-time-codes': { everyMinutes: 60, note: 'Removes one-time codes that ended a day ago.' },
  'remove-used-id-tokens': { everyMinutes: 60, note: 'Removes records of used id tokens that expired a day ago.' },
  'remove-travel-rule-callbacks': {
    everyMinutes: 60,
    note: 'Removes received callbacks of the travel rule vendor after a day; older ones are refused because of their age.',
  },
  'remove-key-requests': {
    everyMinutes: 60,
    note: "Removes callers' key requests, and the signer's results, after a day.",
  },
  'remove-outbox-rows': {
    everyMinutes: 60,
    note: 'Removes outbox rows that were dispatched days ago (OUTBOX_RETENTION_DAYS).',
  },
} as const satisfies Readonly<Record<string, Duty>>;

export type HousekeepingDuty = keyof typeof HOUSEKEEPING_DUTIES;

/** Duties that start the workflow of a record again if a restore has brought back the record but not its workflow. */
export const RESTARTING_DUTIES = [
  'reconcile-freezes',
  'reconcile-amendments',
  'reconcile-recoveries',
  'reconcile-changes',
  'reconcile-wallets',
  'reconcile-transfers',
  'reconcile-signatures',
  'reconcile-webhooks',
  'reconcile-backfills',
  'reconcile-fleet-groups',
] as const satisfies readonly HousekeepingDuty[];

/** One page of a duty; `after` is the end of the previous page. */
export type DutyRound = { readonly duty: HousekeepingDuty; readonly after?: string };

/** `done` counts the repaired, removed or reported rows; `next` is present if there is more to do. */
export type DutyResult = { readonly looked: number; readonly done: number; readonly next?: string };
