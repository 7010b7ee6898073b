/** The waits and ends of one workflow that recordings cover. */
export type Recorded = {
  /** Every wait, by the text of its call in the source, with the recordings that go through the wait. */
  readonly waits: Readonly<Record<string, readonly string[]>>;
  /** Every end, as the last event names it, with the recordings of this end. */
  readonly ends: Readonly<Record<string, readonly string[]>>;
};

const TOO_LONG = 'continued in a new run: its recording would have thousands of events, so a test plays it';

/** Ends without a recording, each with the test that plays the end instead. */
export const PLAYED_INSTEAD: Readonly<Record<string, { readonly why: string; readonly test: string }>> = {
  transfer: { why: TOO_LONG, test: 'test/workflows/long-waits.test.ts' },
  signature: { why: TOO_LONG, test: 'test/workflows/signature-renewal.test.ts' },
  amendments: { why: TOO_LONG, test: 'test/workflows/amendments.test.ts' },
  freeze: { why: TOO_LONG, test: 'test/workflows/freeze.test.ts' },
  'network-follower': { why: TOO_LONG, test: 'test/workflows/network-follower.test.ts' },
  lane: { why: TOO_LONG, test: 'test/workflows/lane.test.ts' },
  housekeeping: { why: TOO_LONG, test: 'test/workflows/housekeeping.test.ts' },
  'rotate-kek': { why: TOO_LONG, test: 'test/workflows/rotate-kek.test.ts' },
  'rotate-dek': { why: TOO_LONG, test: 'test/workflows/rotate-dek.test.ts' },
};

/** Every wait and every end of every workflow. A new wait or end needs a recording and a line here. */
export const RECORDED: Readonly<Record<string, Recorded>> = {
  transfer: {
    waits: {
      'condition(() => wake.travelRule, Math.min(standing.waitMs, pauseMs)': [
        'travel-rule-accepted',
        'travel-rule-declined',
        'travel-rule-invalid',
        'travel-rule-timed-out',
        'travel-rule-cleared',
        'travel-rule-polls-fail',
        'travel-rule-answer-beats-time',
        'travel-rule-woken-for-nothing',
      ],
      'condition(() => wake.approval, judgement.failsAfterMs': [
        'equal-confirmed',
        'equal-not-confirmed',
        'equal-confirmed-in-time',
        'stages',
      ],
      'condition(isWoken, ahead': ['reminded-in-line', 'escalated-in-line', 'notice-broken-in-line'],
      'condition(isWoken, left': ['approved-in-line', 'denied-in-line', 'expired-in-line', 'vote-beats-expiry-in-line'],
      'condition(isWoken)': ['two-votes-in-line', 'vote-before-answer-in-line', 'held-twice-in-line', 'cancel-requested-in-line'],
      'condition(() => wake.freeze, FREEZE_REREAD_MS': [
        'stages',
        'stages-in-line',
        'frozen-released',
        'frozen-after-approval',
        'frozen-after-approval-in-line',
        'frozen-before-signing',
        'frozen-while-signing',
        'frozen-while-sending',
      ],
      'condition(() => wake.approval || hasEnded': [
        'approved',
        'denied',
        'two-votes',
        'vote-before-answer',
        'held-twice',
        'cancel-requested',
        'approval-cancel-requested',
        'notice-broken',
      ],
      'condition(isWoken, LOST_RETRY_MS': ['approval-lost', 'screening-lost'],
      'condition(() => wake.lane, LANE_RETRY_MS': ['lane-full'],
      'sleep(FEE_RETRY_MS': ['fee-above-ceiling'],
      'sleep(OPERATOR_RETRY_MS': ['stopped-signing', 'stopped-sending'],
      'condition(() => end !== undefined, REREAD_MS': ['lost-signal', 'network-down', 'policy-changed'],
    },
    ends: {
      'completed "Confirmed"': [
        'confirmed',
        'began-before',
        'judged-here',
        'judged-by-queue',
        'sent-at-once',
        'started-again',
        'escalated',
        'vote-beats-expiry',
        'vote-beats-expiry-in-line',
        'equal-confirmed',
        'equal-confirmed-in-time',
        'renewed-before-signing',
        'renewed-while-signing',
        'travel-rule-accepted',
        'travel-rule-cleared',
        'travel-rule-answer-beats-time',
        'travel-rule-woken-for-nothing',
      ],
      'completed "Failed"': [
        'reverted',
        'equal-not-confirmed',
        'cannot-be-prepared',
        'signer-refuses',
        'broken-judgement',
        'broken-preparation',
      ],
      'completed "Rejected"': [
        'blocked',
        'approval-lost',
        'upgraded',
        'denied',
        'denied-in-line',
        'expired',
        'expired-in-line',
        'reminded',
        'reminded-in-line',
        'travel-rule-declined',
        'travel-rule-invalid',
        'travel-rule-refused',
        'travel-rule-timed-out',
        'travel-rule-vendor-away',
        'travel-rule-polls-fail',
        'screened',
        'screened-in-line',
        'never-finishes',
        'never-finishes-in-line',
      ],
      terminated: ['details', 'details-in-line', 'screening-lost'],
    },
  },
  signature: {
    waits: {
      // All judged records share the code of the next two waits. A signature makes no payment and never reaches them.
      'condition(() => wake.approval, judgement.failsAfterMs': [],
      'condition(() => wake.travelRule, Math.min(standing.waitMs, pauseMs)': [],
      'condition(isWoken, ahead': ['reminded-in-line'],
      'condition(isWoken, left': ['approved-in-line', 'denied-in-line', 'expired-in-line'],
      'condition(isWoken)': ['two-votes-in-line'],
      'condition(() => wake.approval || hasEnded': ['approved', 'denied', 'two-votes', 'reminded'],
      'condition(isWoken, LOST_RETRY_MS': ['screening-lost'],
      'condition(() => wake.freeze, FREEZE_REREAD_MS': ['frozen'],
      'sleep(OPERATOR_RETRY_MS': ['stopped-signing'],
      'sleep(againMs': ['filled-in'],
    },
    ends: {
      'completed "Signed"': [
        'signed',
        'filled-in',
        'filling-policy-changed',
        'approved',
        'approved-in-line',
        'two-votes',
        'policy-changed',
        'signer-away',
        'stopped-signing',
        'renewed-while-signing',
      ],
      'completed "Failed"': ['signer-refuses', 'broken-judgement', 'broken-before-signing', 'filling-failed'],
      'completed "Rejected"': [
        'blocked',
        'denied',
        'expired',
        'expired-in-line',
        'screened',
        'screened-in-line',
        'one-vendor-fails',
        'one-vendor-fails-in-line',
      ],
      terminated: ['screening-lost'],
    },
  },
  'change-request': {
    waits: {
      'condition(isWoken, ahead': ['reminded-in-line', 'escalated-in-line'],
      'condition(isWoken, left': ['approved-in-line', 'expired-in-line', 'vote-beats-expiry-in-line'],
      'condition(isWoken)': ['denied-in-line', 'held-twice-in-line', 'cancel-requested-in-line'],
      'condition(() => wake.approval || hasEnded': ['approved', 'denied', 'held-twice', 'cancel-requested'],
      'condition(isWoken, LOST_RETRY_MS': [],
    },
    ends: {
      'completed "Applied"': [
        'approved',
        'vote-beats-expiry',
        'escalated',
        'decided-before',
        'cancel-requested',
        'database-away',
      ],
      'completed "Rejected"': ['denied', 'expired', 'held-twice', 'reminded'],
      'completed "Failed"': ['broken'],
    },
  },
  approval: {
    waits: {
      'condition(isWoken, ahead': [
        'transfer-reminded',
        'transfer-escalated',
        'transfer-notice-broken',
        'signature-reminded',
        'change-request-reminded',
        'change-request-escalated',
      ],
      'condition(isWoken, left': [
        'transfer-approved',
        'transfer-expired',
        'transfer-vote-beats-expiry',
        'signature-approved',
        'signature-denied',
        'signature-expired',
        'change-request-approved',
      ],
      'condition(isWoken)': [
        'transfer-two-votes',
        'transfer-vote-before-answer',
        'transfer-cancel-requested',
        'transfer-approval-cancel-requested',
        'transfer-stages',
        'transfer-frozen-after-approval',
        'signature-two-votes',
      ],
    },
    ends: {
      'completed "Approved"': ['transfer-approval-lost-2', 'transfer-upgraded', 'transfer-held-twice', 'transfer-held-twice-2'],
      'completed "Denied"': ['transfer-denied'],
      'completed "Expired"': ['transfer-expired'],
      'completed "Applied"': ['change-request-approved', 'change-request-cancel-requested', 'change-request-vote-beats-expiry'],
      'completed "Rejected"': ['change-request-denied', 'change-request-expired', 'change-request-held-twice-2'],
      'completed "HeldAnew"': ['change-request-held-twice'],
      terminated: ['transfer-approval-lost'],
    },
  },
  recover: {
    waits: {
      'condition(() => woken, standing.waitMs': ['applied', 'stopped', 'woken-for-nothing', 'early-timer', 'cancel-requested'],
    },
    ends: {
      'completed "Applied"': ['applied', 'woken-for-nothing', 'early-timer', 'cancel-requested', 'database-away'],
      'completed "Stopped"': ['stopped', 'stopped-before'],
      failed: ['broken'],
    },
  },
  amendments: {
    waits: { 'sleep(OPERATOR_RETRY_MS': ['signer-away'] },
    ends: { 'completed "Done"': ['offered', 'recorded-meanwhile', 'signer-away', 'cancel-requested'] },
  },
  freeze: {
    waits: {
      'condition(() => wake.freeze, RETELL_MS': ['released', 'released-meanwhile', 'told-again', 'cancel-requested'],
      'sleep(OPERATOR_RETRY_MS': ['signer-away'],
    },
    ends: { completed: ['released', 'released-meanwhile', 'told-again', 'signer-away', 'cancel-requested'] },
  },
  'create-key': { waits: {}, ends: { completed: ['created', 'signer-away', 'cancel-requested'], failed: ['refused'] } },
  'key-request': { waits: {}, ends: { completed: ['answered', 'signer-away', 'cancel-requested'], failed: ['broken'] } },
  backtest: { waits: {}, ends: { 'completed "Played"': ['played'], 'completed "GivenUp"': ['given-up'] } },
  'list-signers': { waits: {}, ends: { completed: ['answered'], failed: ['signer-away'] } },
  'create-wallet': {
    waits: {},
    ends: { completed: ['created', 'signer-away', 'cancel-requested'], failed: ['refused'] },
  },
  'deliver-webhook': {
    waits: { 'sleep(Math.max(0, dueMs - Date.now())': ['delivered', 'given-up', 'stopped', 'database-away'] },
    ends: {
      'completed "Delivered"': ['delivered'],
      'completed "GivenUp"': ['given-up'],
      'completed "Stopped"': ['stopped'],
    },
  },
  'ping-webhook': { waits: {}, ends: { completed: ['answered'], failed: ['not-sent'] } },
  'send-mail': {
    waits: {},
    ends: {
      'completed "Sent"': ['sent'],
      'completed "Refused"': ['refused'],
      'completed "Expired"': ['server-away'],
      'completed "Gone"': ['gone'],
    },
  },
  'network-follower': { waits: {}, ends: { terminated: ['following', 'round-failed'] } },
  'rotate-kek': { waits: {}, ends: { completed: ['two-pages', 'does-not-open', 'long-journal', 'signer-away'] } },
  'rotate-dek': {
    waits: {},
    ends: { completed: ['one-organization', 'all-organizations', 'does-not-open', 'signer-away'] },
  },
  lane: {
    waits: { 'sleep(pauseMs': ['mended', 'node-down'] },
    ends: { 'completed "Healthy"': ['healthy', 'mended', 'node-down'] },
  },
  housekeeping: { waits: {}, ends: { completed: ['one-round', 'two-pages', 'database-away'] } },
  'incoming-transaction': {
    waits: { 'condition(isWoken, LOST_RETRY_MS': ['screening-lost'] },
    ends: {
      'completed "Judged"': ['screened', 'screened-in-line', 'vendor-fails', 'vendor-fails-in-line'],
      terminated: ['screening-lost'],
    },
  },
  screening: {
    waits: {},
    ends: {
      completed: [
        'incoming-transaction-screened',
        'incoming-transaction-vendor-fails',
        'transfer-screened',
        'transfer-screened-2',
        'transfer-never-finishes',
        'signature-screened',
        'signature-screened-2',
        'signature-one-vendor-fails',
        'signature-one-vendor-fails-2',
      ],
      terminated: ['transfer-screening-lost', 'signature-screening-lost', 'incoming-transaction-screening-lost'],
    },
  },
  'test-integration': { waits: {}, ends: { completed: ['answered'], failed: ['lost'] } },
};
