/** A back-fill that has asked for a turn within this time is treated as waiting. */
const WAITS_MS = 60_000;

export type Turns = {
  /** Returns false while another back-fill has the turn or has waited longer, and during the rest after a turn. */
  readonly take: (id: string) => boolean;
  /** `restMs` is the time in which no back-fill of the network queries a node. */
  readonly leave: (id: string, restMs: number) => void;
};

/**
 * Lets the back-fills of a network run one at a time, in the order of their requests. The back-fills then take only their share
 * of the nodes' time, and occupy only one slot of the network's task queue, which payments need too.
 */
export function createTurns(now: () => number = () => performance.now()): Turns {
  /** The ids in the order of their first request, each with the time of its last request. */
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
