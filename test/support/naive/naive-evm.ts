import { type Abi, decodeEventLog, encodeAbiParameters, encodeEventTopics, getAddress, type Hex, parseAbi } from 'viem';
import type { NaiveMovement } from './naive-movement';
import type { NaiveNode } from './node';

type Log = { readonly address: string; readonly topics: [Hex, ...Hex[]]; readonly data: Hex; readonly logIndex: string };
type Receipt = {
  readonly status: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  readonly contractAddress: string | null;
  readonly logs: readonly Log[];
};
type Transaction = { readonly hash: string; readonly from: string; readonly to: string | null; readonly value: string };
type Block = { readonly hash: string; readonly timestamp: string; readonly transactions: readonly Transaction[] };
/** A step of a transaction in the flat list of `trace_transaction`. `traceAddress` is the path to the step. */
type Step = {
  readonly type: string;
  readonly traceAddress: readonly number[];
  readonly error?: string;
  readonly action: Readonly<Record<'from' | 'to' | 'value' | 'callType' | 'address' | 'refundAddress' | 'balance', string>>;
  readonly result: { readonly address?: string } | null;
};
type Told = Partial<NaiveMovement> & Pick<NaiveMovement, 'kind'>;

const EVENTS: readonly { readonly kind: string; readonly abi: Abi }[] = [
  { kind: 'Erc20Transfer', abi: parseAbi(['event Transfer(address indexed a, address indexed b, uint256 value)']) },
  { kind: 'Erc721Transfer', abi: parseAbi(['event Transfer(address indexed a, address indexed b, uint256 indexed id)']) },
  {
    kind: 'Erc7984Transfer',
    abi: parseAbi(['event ConfidentialTransfer(address indexed a, address indexed b, bytes32 indexed handle)']),
  },
];

/** A log is a standard transfer if the decoded event, encoded again, is the same log. */
function tokenIn({ address, topics, data, logIndex }: Log): Told[] {
  for (const { kind, abi } of EVENTS) {
    try {
      const decoded: { readonly eventName?: string | undefined; readonly args?: unknown } = decodeEventLog({ abi, topics, data });
      const { eventName = '', args } = decoded;
      const told = args as { a: Hex; b: Hex; value?: bigint; id?: bigint };
      const again = encodeEventTopics({ abi, eventName, args: told });
      const body = told.value === undefined ? '0x' : encodeAbiParameters([{ type: 'uint256' }], [told.value]);
      if (again.join() !== topics.join() || (kind !== 'Erc7984Transfer' && body !== data)) continue;
      const common = { kind, from: told.a, to: told.b, contract: getAddress(address), logIndex: String(Number(logIndex)) };
      if (kind === 'Erc20Transfer') return [{ ...common, amount: String(told.value) }];
      return [kind === 'Erc721Transfer' ? { ...common, tokenId: String(told.id) } : common];
    } catch {
      // Not this event.
    }
  }
  return [];
}

/** Value that calls within a transaction have moved and that no failure has undone. */
function stepsThatPay(steps: readonly Step[]): Told[] {
  const failed = steps.filter(({ error }) => error !== undefined).map(({ traceAddress }) => traceAddress.join());
  const isUndone = ({ traceAddress }: Step) =>
    traceAddress.some((_, at) => failed.includes(traceAddress.slice(0, at + 1).join())) || failed.includes('');
  const native = (from: string, to: string, amount: string): Told[] =>
    BigInt(amount) === 0n ? [] : [{ kind: 'NativeTransfer', from, to, amount: String(BigInt(amount)) }];
  return steps.flatMap((step) => {
    const { type, action, result, traceAddress } = step;
    if (traceAddress.length === 0 || isUndone(step)) return [];
    if (type === 'suicide') return native(action.address, action.refundAddress, action.balance);
    if (type === 'create') return native(action.from, result?.address ?? '', action.value);
    return action.callType === 'call' ? native(action.from, action.to, action.value) : [];
  });
}

function movesOf(tx: Transaction, receipt: Receipt, steps: readonly Step[]): Told[] {
  const to = tx.to ?? receipt.contractAddress ?? '';
  const fee = String(BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice));
  const own = { kind: 'NativeTransfer', from: tx.from, to, fee };
  if (BigInt(receipt.status) === 0n) return [{ ...own, amount: '0', isReverted: true }];
  return [{ ...own, amount: String(BigInt(tx.value)) }, ...stepsThatPay(steps), ...receipt.logs.flatMap(tokenIn)];
}

const EMPTY = { from: '', to: '', contract: '', tokenId: '', logIndex: '', amount: '', fee: '', isReverted: false };

/** Asks the node for everything and stores nothing. Shares no code with the product. */
export async function naiveEvmMovements(node: NaiveNode, height: number, watched: readonly string[]): Promise<NaiveMovement[]> {
  const block = await node.ask<Block>('eth_getBlockByNumber', `0x${height.toString(16)}`, true);
  const hashes = block.transactions.map(({ hash }) => hash);
  const receipts = await node.askAll<Receipt>(hashes.map((hash) => ['eth_getTransactionReceipt', hash]));
  const steps = await node.askAll<Step[]>(hashes.map((hash) => ['trace_transaction', hash]));
  const date = new Date(Number(block.timestamp) * 1_000).toISOString();
  return block.transactions.flatMap((tx, at) =>
    movesOf(tx, receipts[at] as Receipt, steps[at] as Step[]).flatMap((told) => {
      const [from, to] = [told.from, told.to].map((one) => (one ? getAddress(one) : '')) as [string, string];
      const all = { ...EMPTY, ...told, from, to, height, date, blockHash: block.hash, txHash: tx.hash };
      const isPayment = told.amount !== '0';
      const out =
        watched.includes(from) && (isPayment || told.fee !== undefined)
          ? [{ ...all, address: from, direction: 'Out' as const }]
          : [];
      const into = watched.includes(to) && isPayment ? [{ ...all, fee: '', address: to, direction: 'In' as const }] : [];
      return [...out, ...into];
    }),
  );
}
