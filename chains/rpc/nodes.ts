import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/durations';

export type Node = {
  readonly url: string;
  /** True if the node's chain has been verified since the node's last failure. */
  verified: boolean;
  failures: number;
  restsUntil: number;
  tokens: number;
  refilledAt: number;
};

export type Nodes = {
  /** Nodes that are ready come first, then nodes at their rate limit, and nodes in back-off come last. */
  readonly inOrder: () => readonly Node[];
  /** Waits until the rate limit allows a request. Throws if the wait would be longer than the time-out of a request. */
  readonly turn: (node: Node) => Promise<void>;
  readonly answered: (node: Node) => void;
  readonly failed: (node: Node) => void;
};

const REST_FIRST_MS = 500;
const REST_MAX_MS = 60_000;

/** The first node is preferred until a failure. From then on, the node that replies in its place is preferred. */
export function createNodes(urls: readonly string[], timeoutMs: number, requestsPerSecond = Number.POSITIVE_INFINITY): Nodes {
  const nodes = urls.map(
    // A process verifies the first node's chain at the start, and any other node's chain before the node is first used.
    (url, at): Node => ({ url, verified: at === 0, failures: 0, restsUntil: 0, tokens: requestsPerSecond, refilledAt: 0 }),
  );
  let preferred = 0;

  const refill = (node: Node): void => {
    const now = performance.now();
    const earned = ((now - node.refilledAt) / SECOND_MS) * requestsPerSecond;
    node.tokens = Math.min(requestsPerSecond, node.tokens + earned);
    node.refilledAt = now;
  };
  const isLimited = requestsPerSecond !== Number.POSITIVE_INFINITY;
  const rank = (node: Node, now: number): number => {
    if (node.restsUntil > now) return 2;
    if (!isLimited) return 0;
    refill(node);
    return node.tokens >= 1 ? 0 : 1;
  };

  return {
    inOrder() {
      if (nodes.length === 1) return nodes;
      const now = performance.now();
      const turned = [...nodes.slice(preferred), ...nodes.slice(0, preferred)];
      const ranked = turned.map((node) => ({ node, rank: rank(node, now) }));
      return ranked.sort((a, b) => a.rank - b.rank).map(({ node }) => node);
    },
    async turn(node) {
      if (!isLimited) return;
      refill(node);
      // The token is taken before the wait, so that several waiting requests queue up.
      node.tokens -= 1;
      if (node.tokens >= 0) return;
      const waitMs = (-node.tokens / requestsPerSecond) * SECOND_MS;
      if (waitMs > timeoutMs) {
        node.tokens += 1;
        throw new Error(`receives more than its limit of ${requestsPerSecond} requests a second`);
      }
      await delay(waitMs);
    },
    answered(node) {
      node.failures = 0;
      node.restsUntil = 0;
      // Only a failure displaces the preferred node, never a faster reply.
      if (nodes[preferred]?.failures !== 0) preferred = nodes.indexOf(node);
    },
    failed(node) {
      node.failures += 1;
      node.verified = false;
      node.restsUntil = performance.now() + Math.min(REST_MAX_MS, REST_FIRST_MS * 2 ** (node.failures - 1));
    },
  };
}
