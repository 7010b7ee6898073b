/** Who has asked for a turn within this time still waits for it. */
const WAITS_MS = 60_000;

export type Turns = {
  /** Returns false while another back-fill has the turn, rests, or has waited longer. */
  readonly take: (id: string) => boolean;
  /** `restMs` is the time in which no back-fill of the network asks a node. */
  readonly leave: (id: string, restMs: number) => void;
};

/**
 * One back-fill of a network at a time, in the order in which they ask. So back-fills take only their share of the nodes' time, and
 * one place of the network's queue, on which payments wait too.
 */
export function createTurns(now: () => number = () => performance.now()): Turns {
  /** The ids in the order of their first request, with the time of the last one. */
  const waiting = new Map<string, number>();
  let holder: string | undefined;
  let restsUntil = 0;
  return {
    take: (id) => {
      for (const [other, askedAt] of waiting) if (now() - askedAt > WAITS_MS) waiting.delete(other);
      waiting.set(id, now());
      const [first] = waiting.keys();
      if (holder !== undefined || first !== id || now() < restsUntil) return false;
      waiting.delete(id);
      holder = id;
      return true;
    },
    leave: (id, restMs) => {
      if (holder !== id) return;
      holder = undefined;
      restsUntil = now() + restMs;
    },
  };
}
