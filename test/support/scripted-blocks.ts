import { createHash } from 'node:crypto';
import { logsIn } from '../../chains/evm/scan/block-logs';
import type { LogReply } from '../../chains/evm/scan/block-schemas';
import type { Block, ChainSignature, ScannedBlock, ScanSource } from '../../chains/types';
import { AppError } from '../../domain/errors';
import type { ChainMovement } from '../../domain/movements';

/** A payment of the native asset, or of the token with this contract. */
export type Paid = Pick<ChainMovement, 'from' | 'to' | 'contract'> & { readonly txHash: string; readonly amountUnits: bigint };
type Mined = {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly date: Date;
  readonly paid: readonly Paid[];
};

export type ScriptedBlocks = {
  readonly source: ScanSource;
  readonly gateway: { readonly block: (height: number) => Promise<Block | undefined> };
  /** Oldest first. */
  readonly blocks: readonly Mined[];
  /** While true, no call is answered. */
  isDown: boolean;
  /** Another node, which confirms blocks, shows this hash instead of the true one. */
  otherHash: string | undefined;
  /** The network declares blocks up to this height final. */
  finalHeight: number;
  /** The node claims that there are no blocks at these heights. */
  readonly hidden: Set<number>;
  /** Leaves this number of heights without a block before the next block. */
  readonly skip: (heights: number) => void;
  /** The signatures on the chain. Each belongs to the block of its transaction. */
  readonly signatures: ChainSignature[];
  /** The logs of each transaction, by its hash. */
  readonly logs: Map<string, readonly Omit<LogReply, 'logIndex'>[]>;
  readonly mine: (paid?: readonly Paid[]) => number;
  /** Removes the newest blocks. Later blocks have different hashes. */
  readonly drop: (count: number) => readonly Paid[];
};

const ADDRESS_BYTES = 20;
const BLOCK_MS = 1_000;
const BLOCKS_AT_ONCE = 16;
export const DATE_LAG_MS_MAX = 60_000;
const hashOf = (...parts: readonly unknown[]) => `0x${createHash('sha256').update(parts.join('/')).digest('hex')}`;
const START = new Date('2026-01-01T00:00:00Z');

const sidesOf = (
  { from, to, contract, txHash, amountUnits }: Paid,
  place: number,
  isWatched: (plain: string) => boolean,
): ChainMovement[] => {
  const native = { kind: 'NativeTransfer' as const, ordinal: 'value' };
  const what =
    contract === undefined ? native : { kind: 'Erc20Transfer' as const, ordinal: 'log:0', logIndex: String(place), contract };
  const common = { ...what, txHash, place, amountUnits };
  const parties = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const side = (address: string | undefined, direction: 'In' | 'Out'): ChainMovement[] =>
    address !== undefined && isWatched(address.toLowerCase()) ? [{ ...common, ...parties, address, direction }] : [];
  return [...side(from, 'Out'), ...side(to, 'In')];
};

function receiptsOf(paid: readonly Paid[], logs: ScriptedBlocks['logs']) {
  let index = 0;
  return paid.map(({ txHash }) => ({
    transactionHash: txHash,
    logs: (logs.get(txHash) ?? []).map((log) => ({ ...log, logIndex: `0x${(index++).toString(16)}` })),
  }));
}

/** A chain of payments with reorganisations and silence on demand, which no real node offers. */
export function createScriptedBlocks(start = START, blockMs = BLOCK_MS): ScriptedBlocks {
  const blocks: Mined[] = [{ height: 0, hash: hashOf('genesis'), parentHash: hashOf(), date: start, paid: [] }];
  let forks = 0;
  const ask = <T>(answer: () => T): Promise<T> =>
    chain.isDown ? Promise.reject(new AppError('NetworkUnavailable', 'The node does not answer')) : Promise.resolve(answer());
  const tip = () => blocks.at(-1) as Mined;
  // Without skipped heights a block is at the place of its height, so a long chain needs no search.
  const at = (height: number) =>
    blocks[height]?.height === height ? blocks[height] : blocks.find((block) => block.height === height);
  const parentOf = ({ height, parentHash }: Mined) =>
    at(height - 1)?.hash === parentHash ? at(height - 1) : blocks.find((one) => one.hash === parentHash);
  let skipped = 0;
  const scanned = (block: Mined): ScannedBlock => {
    const { height, hash, parentHash, date, paid } = block;
    return {
      ...{ height, hash, parentHash, parentHeight: parentOf(block)?.height ?? height - 1 },
      ...{ date, proof: 'Root', sight: 'Traces' },
      contents: async (isWatched) => ({
        movements: paid.flatMap((one, place) => sidesOf(one, place, isWatched)),
        signatures: chain.signatures.filter(
          (one) => paid.some(({ txHash }) => txHash === one.txHash) && isWatched(one.address.toLowerCase()),
        ),
        logs: logsIn(receiptsOf(paid, chain.logs), isWatched),
      }),
    };
  };
  const chain: ScriptedBlocks = {
    blocks,
    isDown: false,
    otherHash: undefined,
    finalHeight: Number.MAX_SAFE_INTEGER,
    hidden: new Set(),
    signatures: [],
    logs: new Map(),
    source: {
      head: () => ask(() => ({ height: tip().height, hash: tip().hash })),
      block: (height) =>
        ask(() => {
          const block = at(height);
          if (block && !chain.hidden.has(height)) return scanned(block);
          return height < tip().height ? 'Skipped' : undefined;
        }),
      finalHeight: () => ask(() => chain.finalHeight),
      blocksAtOnce: BLOCKS_AT_ONCE,
      dateLagMsMax: DATE_LAG_MS_MAX,
      plain: (address) => address.toLowerCase(),
      key: { bytes: ADDRESS_BYTES, write: (plain, into) => void into.write(plain.slice(2), 'hex') },
    },
    gateway: {
      block: (height) =>
        ask(() => {
          const block = at(height);
          return block && { ...block, hash: chain.otherHash ?? block.hash, txHashes: block.paid.map(({ txHash }) => txHash) };
        }),
    },
    mine: (paid = []) => {
      const { hash, date } = tip();
      const height = tip().height + skipped + 1;
      skipped = 0;
      blocks.push({
        height,
        hash: hashOf(hash, forks, ...paid.map(({ txHash }) => txHash)),
        parentHash: hash,
        date: new Date(date.getTime() + blockMs),
        paid,
      });
      return height;
    },
    skip: (heights) => {
      skipped = heights;
    },
    drop: (count) => {
      forks += 1;
      return blocks.splice(blocks.length - count, count).flatMap(({ paid }) => paid);
    },
  };
  return chain;
}
