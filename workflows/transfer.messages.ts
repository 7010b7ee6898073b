import { defineSignal } from '@temporalio/workflow';

/** Histories, outbox rows and code contain these names, so a changed name would break waiting transfers. */
export const TRANSFER_SIGNALS = {
  /**
   * The approval has changed, or a person has confirmed that the transfer is not a duplicate. The workflow reads the rows
   * again.
   */
  approvalChanged: 'approvalChanged',
  /** The travel rule message of the transfer has a new status. */
  travelRuleChanged: 'travelRuleChanged',
  /** The sender's lane (the queue of the sender on the network) has room for another transaction. */
  laneChanged: 'laneChanged',
  /** The payload is the final state, with which the workflow ends. */
  settled: 'settled',
} as const;

export const approvalChanged = defineSignal(TRANSFER_SIGNALS.approvalChanged);
export const travelRuleChanged = defineSignal(TRANSFER_SIGNALS.travelRuleChanged);
export const laneChanged = defineSignal(TRANSFER_SIGNALS.laneChanged);
export const settled = defineSignal<[SettledState]>(TRANSFER_SIGNALS.settled);

export type SettledState = 'Confirmed' | 'Failed';
export type TransferEnd = SettledState | 'Rejected';

/** `routing` contains neither amounts nor addresses. */
export type TransferInput = {
  readonly orgId: string;
  readonly id: string;
  readonly routing: {
    readonly network: string;
    /** `true` for a workflow that is started again for a transfer that may already be signed. */
    readonly prepared?: string;
    /** Runs from earlier releases lack this member. */
    readonly judged?: string;
  };
  /** True for a run that continues an earlier run, after the transfer's bytes were prepared. */
  readonly prepared?: boolean;
};
