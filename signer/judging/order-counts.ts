import type { OrderCount, OrderOp, OrderOutcome } from '../protocol';

export type OrderCounts = {
  readonly add: (op: OrderOp, outcome: OrderOutcome, seconds: number) => void;
  readonly list: () => OrderCount[];
};

/** Counts orders since the start of the process. The counts do not identify any organisation. */
export function createOrderCounts(): OrderCounts {
  const counts = new Map<string, { op: OrderOp; outcome: OrderOutcome; count: number; seconds: number }>();
  return {
    add: (op, outcome, seconds) => {
      const key = `${op} ${outcome}`;
      const entry = counts.get(key) ?? { op, outcome, count: 0, seconds: 0 };
      entry.count += 1;
      entry.seconds += seconds;
      counts.set(key, entry);
    },
    list: () => [...counts.values()].map((entry) => ({ ...entry })),
  };
}
