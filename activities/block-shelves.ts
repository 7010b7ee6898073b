import type { BlockBody, BlockRef, ScannedBlock, ScanSource } from '../chains/types';
import type { NetworkName } from '../domain/networks';

/** The bodies of the blocks that the scanner of one network reads in this process, for the follower of the same network. */
export type BlockShelf = {
  /**
   * The source through which the scanner must read. The scanner calls `leave` at its end. A later scanner of the process
   * replaces an earlier one.
   */
  readonly feed: (source: ScanSource) => { readonly source: ScanSource; readonly leave: () => void };
  readonly kept: (hash: string) => BlockBody | undefined;
  /**
   * The body of the block with this hash. If the scanner needs the block next, the block is read now, and the scanner does not
   * read the block again. Undefined if no scanner of this process is near the block, or if no such body comes within
   * `WAIT_MS_MAX`: the follower then reads the block for itself.
   */
  readonly body: (place: BlockRef) => Promise<BlockBody | undefined>;
};
export type BlockShelves = (network: NetworkName) => BlockShelf;

export const KEPT_BLOCKS_MAX = 128;
/** A block of Solana has about 2,000 transactions, and the follower needs the block some 40 blocks after the scanner. */
export const KEPT_TRANSACTIONS_MAX = 300_000;
/**
 * A block is read ahead only if the scanner will need it within this number of blocks. A scanner far below the head would need
 * the block only much later.
 */
export const AHEAD_BLOCKS_MAX = 4;
/** The scanner takes a block only while the block is young, because a reorganisation may have replaced an older block. */
export const HANDED_WITHIN_MS = 10_000;
/**
 * A body normally arrives after one call to a node. While a node is slow, the follower reads blocks itself, as it does without
 * a scanner.
 */
export const WAIT_MS_MAX = 1_000;
export const REST_MS = 10_000;

/** One shelf for each network. A hash does not identify a network, because forked networks share their older blocks. */
export function createBlockShelves(): BlockShelves {
  const shelves = new Map<NetworkName, BlockShelf>();
  return (network) => {
    const shelf = shelves.get(network) ?? createBlockShelf();
    shelves.set(network, shelf);
    return shelf;
  };
}

function createBlockShelf(): BlockShelf {
  const bodies = createKeptBodies();
  const readings = createReadings(bodies.keep);
  let feeding: { readonly source: ScanSource } | undefined;
  let askedHeight: number | undefined;
  let restsUntilMs = 0;

  const readAhead = ({ height }: BlockRef): Reading | undefined => {
    if (feeding === undefined || askedHeight === undefined) return undefined;
    const isNext = height > askedHeight && height <= askedHeight + AHEAD_BLOCKS_MAX;
    return isNext ? readings.start(feeding.source, height) : undefined;
  };

  return {
    feed: (source) => {
      const own = { source };
      [feeding, askedHeight] = [own, undefined];
      const block: ScanSource['block'] = (height) => {
        // A scanner that goes back follows a reorganisation, which may have replaced the blocks that were read ahead.
        if (askedHeight !== undefined && height <= askedHeight) readings.clear();
        askedHeight = height;
        const read = () => readings.start(source, height, true).whole;
        return readings.take(height)?.then((taken) => taken ?? read()) ?? read();
      };
      const leave = (): void => {
        if (feeding !== own) return;
        feeding = undefined;
        readings.clear();
      };
      return { source: { ...source, block }, leave };
    },

    kept: bodies.find,

    body: async (place) => {
      const kept = bodies.find(place.hash);
      if (kept || performance.now() < restsUntilMs) return kept;
      const reading = readings.at(place.height) ?? readAhead(place);
      if (!reading) return undefined;
      const body = await within(WAIT_MS_MAX, reading.body);
      if (body === 'Late') restsUntilMs = performance.now() + REST_MS;
      return body !== 'Late' && body?.hash === place.hash ? body : undefined;
    },
  };
}

type Reading = {
  readonly whole: ReturnType<ScanSource['block']>;
  /** Undefined if the nodes do not have the block. */
  readonly body: Promise<BlockBody | undefined>;
  readonly startedMs: number;
  /** True once the scanner has the block or waits for it. */
  isTaken: boolean;
};

/** The blocks that are being read, and the blocks that were read for the follower and not taken by the scanner yet. */
function createReadings(keep: (body: BlockBody) => void) {
  const readings = new Map<number, Reading>();
  const forget = (height: number, reading: Reading): void => {
    if (readings.get(height) === reading) readings.delete(height);
  };
  return {
    at: (height: number): Reading | undefined => readings.get(height),
    clear: (): void => readings.clear(),

    start: (source: ScanSource, height: number, isTaken = false): Reading => {
      let tell: (body: BlockBody) => void = () => undefined;
      const told = new Promise<BlockBody>((resolve) => {
        tell = resolve;
      });
      const whole = source.block(height, (body) => {
        keep(body);
        tell(body);
      });
      const body = Promise.race([told, whole.then(() => undefined)]);
      const reading: Reading = { whole, body, startedMs: performance.now(), isTaken };
      readings.set(height, reading);
      const ended = (block: unknown): void => {
        if (reading.isTaken || typeof block !== 'object') forget(height, reading);
      };
      whole.then(ended, () => ended(undefined));
      // `whole` and `body` may be rejected before any reader awaits them.
      body.catch(() => undefined);
      return reading;
    },

    /** The block that was read for the follower. A block that has been taken is forgotten, so a later call queries the nodes. */
    take: (height: number): Promise<ScannedBlock | undefined> | undefined => {
      const reading = readings.get(height);
      if (!reading || performance.now() - reading.startedMs > HANDED_WITHIN_MS) return undefined;
      reading.isTaken = true;
      return reading.whole
        .then((block) => (typeof block === 'object' ? block : undefined))
        .catch(() => undefined)
        .finally(() => forget(height, reading));
    },
  };
}

/** The newest bodies, at most `KEPT_BLOCKS_MAX` with at most `KEPT_TRANSACTIONS_MAX` transactions. */
function createKeptBodies() {
  const bodies = new Map<string, BlockBody>();
  let transactions = 0;
  const drop = ({ hash, txHashes }: BlockBody): void => {
    bodies.delete(hash);
    transactions -= txHashes.length;
  };
  return {
    find: (hash: string): BlockBody | undefined => bodies.get(hash),
    keep: (body: BlockBody): void => {
      const earlier = bodies.get(body.hash);
      if (earlier) drop(earlier);
      bodies.set(body.hash, body);
      transactions += body.txHashes.length;
      for (const oldest of bodies.values()) {
        if (bodies.size <= KEPT_BLOCKS_MAX && transactions <= KEPT_TRANSACTIONS_MAX) break;
        drop(oldest);
      }
    },
  };
}

/** Undefined if the promise is rejected. */
function within<T>(ms: number, promise: Promise<T>): Promise<T | 'Late' | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('Late'), ms);
    promise.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer));
  });
}
