import { base58 } from '@scure/base';
import { getBase64Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import type { NaiveMovement } from './naive-movement';

type Ask = (method: string, ...params: unknown[]) => unknown;
type Block = { readonly blockhash: string; readonly blockTime: number; readonly signatures: readonly string[] };
type Done = { readonly meta: { readonly err: unknown; readonly fee: number }; readonly transaction: readonly [string, 'base64'] };
type Instruction = { readonly programAddress: string; readonly accounts: readonly string[]; readonly data: Uint8Array };
/** One instruction takes `taken` from `from` and gives `given` to `to`. The program keeps the difference. */
type Payment = {
  readonly asset: string;
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  readonly taken: bigint;
  readonly given: bigint;
};

const SYSTEM = '11111111111111111111111111111111';
const KINDS: Readonly<Record<string, string>> = {
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'SplTransfer',
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: 'Spl2022Transfer',
};
const SYSTEM_TRANSFER = 2;
const TRANSFER_CHECKED = 12;
/** The tokens of the newer program in these tests withhold one hundredth. */
const WITHHELD_PART = 100n;

const numberIn = (data: Uint8Array, at: number) => Buffer.from(data).readBigUInt64LE(at);

function instructionsOf(wire: string): { readonly payer: string; readonly instructions: readonly Instruction[] } {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(wire));
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const accounts = message.staticAccounts as readonly string[];
  const list = 'instructions' in message ? message.instructions : [];
  return {
    payer: accounts[0] ?? '',
    instructions: list.map(({ programAddressIndex, accountIndices = [], data }) => ({
      programAddress: accounts[programAddressIndex] ?? '',
      accounts: accountIndices.map((index) => accounts[index] ?? ''),
      data: Uint8Array.from(data ?? []),
    })),
  };
}

function paymentOf(ask: Ask, { programAddress, accounts, data }: Instruction): Payment {
  const [first = '', second = '', third = ''] = accounts;
  if (programAddress === SYSTEM && data[0] === SYSTEM_TRANSFER) {
    const units = numberIn(data, 4);
    return { asset: '', kind: 'NativeTransfer', from: first, to: second, taken: units, given: units };
  }
  const kind = KINDS[programAddress];
  if (kind === undefined || data[0] !== TRANSFER_CHECKED) throw new Error(`${programAddress} does something else`);
  const ownerOf = (account: string) => {
    const { value } = ask('getAccountInfo', account, { encoding: 'base64' }) as { value: { data: [string, string] } };
    return base58.encode(Buffer.from(value.data[0], 'base64').subarray(32, 64));
  };
  const taken = numberIn(data, 1);
  // The program withholds nothing if the account pays itself.
  const withheld = kind === 'Spl2022Transfer' && first !== third ? (taken + WITHHELD_PART - 1n) / WITHHELD_PART : 0n;
  return { asset: second, kind, from: ownerOf(first), to: ownerOf(third), taken, given: taken - withheld };
}

type Told = Pick<NaiveMovement, 'kind' | 'direction' | 'address' | 'contract' | 'from' | 'to' | 'amount' | 'fee' | 'isReverted'>;

/** The net effect of all payments of a transaction in one asset. */
function sidesOf(payments: readonly Payment[], asset: string, kind: string): Told[] {
  const net = new Map<string, bigint>();
  for (const { from, to, taken, given } of payments.filter((one) => one.asset === asset)) {
    net.set(from, (net.get(from) ?? 0n) - taken);
    net.set(to, (net.get(to) ?? 0n) + given);
  }
  const [losers, winners] = [[...net].filter(([, units]) => units < 0n), [...net].filter(([, units]) => units > 0n)];
  const only = (some: readonly (readonly [string, bigint])[]) => (some.length === 1 ? (some[0]?.[0] ?? '') : '');
  const common = { kind, contract: asset, fee: '', isReverted: false };
  return [
    ...losers.map(([address, units]) => ({
      ...{ ...common, address, direction: 'Out' as const, from: address, to: only(winners), amount: String(-units) },
    })),
    ...winners.map(([address, units]) => ({
      ...{ ...common, address, direction: 'In' as const, from: only(losers), to: address, amount: String(units) },
    })),
  ];
}

/** Reads the instructions of each transaction. The scanner, in contrast, reads the balances before and after the transaction. */
function movementsOf(ask: Ask, { meta, transaction }: Done): Told[] {
  const { payer, instructions } = instructionsOf(transaction[0]);
  const isReverted = meta.err !== null;
  const payments = isReverted ? [] : instructions.map((one) => paymentOf(ask, one));
  const native = sidesOf(payments, '', 'NativeTransfer');
  const fee = { fee: String(meta.fee), isReverted };
  const isPayersOut = ({ address, direction }: Told) => address === payer && direction === 'Out';
  const none = { kind: 'NativeTransfer', contract: '', address: payer, direction: 'Out' as const, from: payer, to: '' };
  const paid = native.some(isPayersOut) ? [] : [{ ...none, amount: '0', ...fee }];
  const assets = new Map(payments.filter(({ asset }) => asset !== '').map(({ asset, kind }) => [asset, kind]));
  return [
    ...paid,
    ...native.map((one) => (isPayersOut(one) ? { ...one, ...fee } : one)),
    ...[...assets].flatMap(([asset, kind]) => sidesOf(payments, asset, kind)),
  ];
}

/** Asks the node for the block and for each of its transactions, and stores nothing. */
export function naiveSolanaMovements(ask: Ask, slot: number): NaiveMovement[] {
  const block = ask('getBlock', slot, { commitment: 'confirmed', transactionDetails: 'signatures' }) as Block;
  const where = { height: slot, blockHash: block.blockhash, date: new Date(block.blockTime * 1_000).toISOString() };
  return block.signatures.flatMap((txHash) => {
    const done = ask('getTransaction', txHash, { commitment: 'confirmed', encoding: 'base64' }) as Done;
    return movementsOf(ask, done).map((told) => ({ ...told, ...where, txHash, tokenId: '', logIndex: '' }));
  });
}
