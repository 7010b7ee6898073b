/**
 * Only the metrics of this catalogue can be registered, and tests check the dashboard and the alerts against the catalogue. A
 * label has one of a bounded set of values (`LABELS`), never an id, an address, an amount or an organisation.
 */
export const METRICS = {
  strongroom_http_request_duration_seconds: {
    type: 'histogram',
    processes: ['api'],
    help: 'Time from the first byte of a request to the response, by operation and status',
    labels: ['operation', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  strongroom_http_requests_in_flight: {
    type: 'gauge',
    processes: ['api'],
    help: 'Requests in progress',
    labels: [],
  },
  strongroom_http_errors_total: {
    type: 'counter',
    processes: ['api'],
    help: 'Requests that ended with an error, by error code, including refused tokens and user actions',
    labels: ['code'],
  },
  strongroom_rpc_request_duration_seconds: {
    type: 'histogram',
    processes: ['api', 'worker'],
    help: 'Queries to the nodes of a network, including every node that was tried',
    labels: ['network', 'method', 'outcome'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
  },
  strongroom_db_connections: {
    type: 'gauge',
    processes: ['api', 'worker'],
    help: 'Connections of the two pools of this process',
    labels: ['pool', 'state'],
  },
  strongroom_db_waiting: {
    type: 'gauge',
    processes: ['api', 'worker'],
    help: 'Callers that wait for a connection of the pool',
    labels: ['pool'],
  },
  strongroom_scrape_errors_total: {
    type: 'counter',
    processes: ['api', 'worker'],
    help: 'Scrapes without the values of a source that failed or took too long',
    labels: ['source'],
  },
  strongroom_transfers_open: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Transfers that have not ended, over all organisations; every worker reports the same value',
    labels: ['network', 'state'],
  },
  strongroom_transfers_ended_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Events about the end of a transfer that this worker has dispatched, by the end state',
    labels: ['state'],
  },
  strongroom_wallets_creating: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Wallets that wait for their key; every worker reports the same value',
    labels: [],
  },
  strongroom_approvals_waiting: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Undecided approvals; every worker reports the same value',
    labels: [],
  },
  strongroom_approvals_oldest_age_seconds: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Age of the oldest undecided approval; absent while there is none',
    labels: [],
  },
  strongroom_mails_waiting: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Mails that no server has accepted yet; every worker reports the same value',
    labels: [],
  },
  strongroom_mails_oldest_age_seconds: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Age of the oldest mail that no server has accepted yet; absent while there is none',
    labels: [],
  },
  strongroom_chain_alarms_total: {
    type: 'counter',
    processes: ['worker'],
    labels: ['network', 'kind'],
    help: 'Transfers whose final state a reorganisation has undone, or whose nonce or coins were used by a transaction not signed here',
  },
  strongroom_altered_requests_total: {
    type: 'counter',
    processes: ['worker'],
    labels: [],
    help: 'Transfers, signature requests and changes that this worker found to differ from what was judged or approved',
  },
  strongroom_unproven_requests_total: {
    type: 'counter',
    processes: ['worker'],
    labels: ['kind'],
    help: 'Requests without a signed user action, by table: the rows were not written by the service, and nothing was signed for them',
  },
  strongroom_mails_ended_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Mails that this worker has ended, by outcome: Sent, Refused by the server of the addressee, or Expired',
    labels: ['outcome'],
  },
  strongroom_outbox_waiting_rows: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Outbox rows that are not dispatched yet; every worker reports the same value',
    labels: ['kind'],
  },
  strongroom_outbox_oldest_age_seconds: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Age of the oldest outbox row that is not dispatched yet; absent while there is none',
    labels: ['kind'],
  },
  strongroom_outbox_relayed_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Outbox rows that this worker has dispatched',
    labels: ['kind'],
  },
  strongroom_outbox_failed_attempts_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Failed attempts of this worker to dispatch an outbox row; each attempt is repeated',
    labels: ['kind'],
  },
  strongroom_outbox_shards_held: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Shards of the outbox that this worker owns; all workers together own 64',
    labels: [],
  },
  strongroom_lane_claims: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Claimed nonces whose transaction is not final, by the state of the claim; every worker reports the same value',
    labels: ['network', 'state'],
  },
  strongroom_lanes_active: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Senders with a transaction under way; every worker reports the same value',
    labels: ['network'],
  },
  strongroom_lanes_full: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Senders at their limit of transactions under way, so that others wait; every worker reports the same value',
    labels: ['network'],
  },
  strongroom_lanes_blocked: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Senders whose sent transactions cannot get into a block, by the obstacle of the first transaction; every worker reports the same value',
    labels: ['network', 'kind'],
  },
  strongroom_operations_open: {
    type: 'gauge',
    processes: ['worker'],
    help: "Sponsored requests whose sponsor's nonce is used up although their operation has not been executed; every worker reports the same value",
    labels: ['network'],
  },
  strongroom_deployment_frozen: {
    type: 'gauge',
    processes: ['worker'],
    help: '1 while the whole deployment is frozen, by kind: Restored, Operator, or Unknown if the database cannot tell; every worker reports the same value',
    labels: ['kind'],
  },
  strongroom_checkpoints_unwitnessed_seconds: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Time for which the oldest checkpoint has waited for the witness; absent without CHECKPOINT_WITNESS',
    labels: [],
  },
  strongroom_backup_age_seconds: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Seconds since the last backup began or, without one, since the deployment was founded; every worker reports the same value',
    labels: [],
  },
  strongroom_signer_up: {
    type: 'gauge',
    processes: ['worker'],
    help: '1 while the signer responds to this worker, else 0',
    labels: [],
  },
  strongroom_signer_orders_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Orders that the signer has answered since its start, by outcome: Done, Failed or the reason of the refusal',
    labels: ['op', 'outcome'],
  },
  strongroom_signer_order_seconds_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Seconds that the answered orders took inside the signer',
    labels: ['op', 'outcome'],
  },
  strongroom_signer_journal_entries: {
    type: 'gauge',
    processes: ['worker'],
    help: "Keys in the signer's journal",
    labels: [],
  },
  strongroom_signer_log_entries: {
    type: 'gauge',
    processes: ['worker'],
    help: "Signatures in the signer's log",
    labels: [],
  },
  strongroom_signer_native: {
    type: 'gauge',
    processes: ['worker'],
    help: '1 when the signer signs in compiled code and locked memory, 0 when in portable JavaScript',
    labels: [],
  },
  strongroom_signer_replica_up: {
    type: 'gauge',
    processes: ['worker'],
    help: "1 while the signer's replica acknowledges, 0 while the replica is away and the signer refuses orders; absent without a replica",
    labels: [],
  },
  strongroom_signer_orders_waiting: {
    type: 'gauge',
    processes: ['worker'],
    help: "Orders that wait in the signer for their organisation's turn",
    labels: [],
  },
  strongroom_signer_orders_running: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Orders that the signer has begun and not answered',
    labels: [],
  },
  strongroom_signer_waited_seconds_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Seconds that the orders begun so far waited for their turn',
    labels: [],
  },
  strongroom_signer_call_duration_seconds: {
    type: 'histogram',
    processes: ['worker'],
    help: 'Time that this worker waited for an order, including the time on the socket',
    labels: ['op', 'outcome'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 10],
  },
  strongroom_signer_disk_free_bytes: {
    type: 'gauge',
    processes: ['worker'],
    help: "Bytes that are free on the medium under the signer's state folder",
    labels: [],
  },
  strongroom_signer_disk_bytes: {
    type: 'gauge',
    processes: ['worker'],
    help: "Size of the medium under the signer's state folder",
    labels: [],
  },
  strongroom_certificate_left_seconds: {
    type: 'gauge',
    processes: ['api', 'worker'],
    help: 'Seconds until a certificate that the service presents or trusts expires, negative afterwards; only if one is configured',
    labels: ['holder'],
  },
  strongroom_certificate_life_seconds: {
    type: 'gauge',
    processes: ['api', 'worker'],
    help: 'Whole validity period of a certificate that the service presents or trusts, in seconds',
    labels: ['holder'],
  },
  strongroom_webhook_attempts_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Webhook delivery attempts; an attempt without a response has the status class none',
    labels: ['attempt', 'outcome', 'status_class'],
  },
  strongroom_webhook_first_send_seconds: {
    type: 'histogram',
    processes: ['worker'],
    help: 'Time from an event to the beginning of its first attempt',
    labels: [],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 5, 30, 300],
  },
  strongroom_follower_head_height: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Last block that the follower saw; only from the worker that follows, and only while a transfer is open',
    labels: ['network'],
  },
  strongroom_follower_lag_seconds: {
    type: 'gauge',
    processes: ['worker'],
    help: "Seconds since the follower's last successful poll of the network; only from the worker that follows",
    labels: ['network'],
  },
  strongroom_scan_behind_blocks: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Blocks that the network has and that are not read yet; only from the worker that reads the network',
    labels: ['network'],
  },
  strongroom_balance_sweeps_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Pages of addresses whose balances were compared with their movements; Unread: no node stated the balances',
    labels: ['network', 'outcome'],
  },
  strongroom_unexplained_balances_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Changes of balances that no movement explains; Untraced: a transfer within a call can be the cause',
    labels: ['network', 'kind'],
  },
  strongroom_scan_lag_seconds: {
    type: 'gauge',
    processes: ['worker'],
    help: "Seconds since the network's blocks were last compared with its head; only from the worker that reads the network",
    labels: ['network'],
  },
} as const satisfies Readonly<Record<string, MetricSpec>>;

/**
 * `signer` and `worker` have the certificates of the connection between them, and the `authority` signs these certificates.
 * `temporal` is the certificate of a process for its connection to Temporal.
 */
export type CertificateHolder = 'signer' | 'worker' | 'authority' | 'temporal';

export type MetricProcess = 'api' | 'worker';
export type MetricSpec = {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly processes: readonly MetricProcess[];
  readonly help: string;
  readonly labels: readonly Label[];
  /** In seconds; only for histograms. */
  readonly buckets?: readonly number[];
};

/** The source of each label's values. */
export const LABELS = {
  operation: 'operation ids, or other',
  status: 'HTTP statuses',
  code: 'domain/errors.ts',
  network: 'domain/networks.ts',
  method: 'method names in the code of a chain family',
  outcome: 'fixed words in the code',
  pool: 'read or write',
  state: 'domain/transfers.ts, states of claims, or of connections',
  source: 'sources that a scrape reads',
  kind: 'domain/outbox.ts, domain/lanes.ts, domain/deployment-freeze.ts',
  op: 'orders of the signer',
  holder: 'the holder of the certificate: signer, worker, authority or temporal',
  attempt: 'first or later',
  status_class: '2xx, 3xx, 4xx, 5xx or none',
} as const;

export type Label = keyof typeof LABELS;
export type MetricName = keyof typeof METRICS;
export type NameOf<T extends MetricSpec['type']> = {
  [N in MetricName]: (typeof METRICS)[N]['type'] extends T ? N : never;
}[MetricName];
export type LabelsOf<N extends MetricName> = Readonly<Record<(typeof METRICS)[N]['labels'][number], string>>;
