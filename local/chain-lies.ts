import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import type { Anvil } from './anvil';

/** `Invented` is a receipt for a transaction that is in no block. */
const ReceiptLie = z.enum(['OtherTransaction', 'OtherBlock', 'OtherStatus', 'Missing', 'Invented']);
const Answer = z.looseObject({ result: z.looseObject({ status: z.string() }).nullish() });
const Hex = z.string().startsWith('0x');
const BlockHash = z.object({ hash: Hex });

/** The depth at which a block is final on every network of the trial. */
const INVENTED_DEPTH = 5;
const REFUSED_CODE = -32_000;

type Call = { readonly id?: unknown; readonly method: string; readonly params: readonly unknown[] };

export interface Lies {
  /** True if the method controls a lie. */
  control(method: string, value: unknown): boolean;
  /** The reply to a call that must not reach the node; undefined for any other call. */
  insteadOf(call: Call): string | undefined;
  /** Returns the reply that the caller gets. `answer` is the node's true reply. */
  told(call: Call, answer: string): Promise<string>;
}

/** Control methods of the proxy switch each lie on and off. */
export function createLies(node: Anvil): Lies {
  const lies: { drop: boolean; refusal: string | undefined; receipts: z.output<typeof ReceiptLie> | undefined } = {
    drop: false,
    refusal: undefined,
    receipts: undefined,
  };
  const say = ({ id }: Call, rest: object) => JSON.stringify({ jsonrpc: '2.0', id: id ?? null, ...rest });

  const invented = async (txHash: string) => {
    const depth = Number(await node.call('eth_blockNumber')) - INVENTED_DEPTH;
    const blockNumber = `0x${Math.max(0, depth).toString(16)}`;
    const { hash } = BlockHash.parse(await node.call('eth_getBlockByNumber', [blockNumber, false]));
    const paid = { gasUsed: '0x5208', effectiveGasPrice: '0x1', status: '0x1' };
    return { transactionHash: txHash, blockNumber, blockHash: hash, ...paid };
  };

  return {
    control(method, value) {
      if (method === 'strongroom_dropTransactions') lies.drop = value === true;
      else if (method === 'strongroom_refuseTransactions') lies.refusal = z.string().nullish().parse(value) ?? undefined;
      else if (method === 'strongroom_lieInReceipts') lies.receipts = ReceiptLie.nullish().parse(value) ?? undefined;
      else return false;
      return true;
    },

    insteadOf(call) {
      if (call.method !== 'eth_sendRawTransaction') return undefined;
      if (lies.refusal !== undefined) return say(call, { error: { code: REFUSED_CODE, message: lies.refusal } });
      if (!lies.drop) return undefined;
      const raw = Hex.parse(call.params[0]);
      return say(call, { result: `0x${bytesToHex(keccak_256(hexToBytes(raw.slice(2))))}` });
    },

    async told(call, answer) {
      if (lies.receipts === undefined || call.method !== 'eth_getTransactionReceipt') return answer;
      const { result } = Answer.parse(JSON.parse(answer));
      if (!result)
        return lies.receipts === 'Invented' ? say(call, { result: await invented(Hex.parse(call.params[0])) }) : answer;
      if (lies.receipts === 'Missing') return say(call, { result: null });
      if (lies.receipts === 'OtherTransaction')
        return say(call, { result: { ...result, transactionHash: mirrored(result['transactionHash']) } });
      if (lies.receipts === 'OtherBlock') return say(call, { result: { ...result, blockHash: mirrored(result['blockHash']) } });
      if (lies.receipts === 'OtherStatus')
        return say(call, { result: { ...result, status: result.status === '0x1' ? '0x0' : '0x1' } });
      return answer;
    },
  };
}

/** A different hash in the same form. */
const mirrored = (hash: unknown): string => `0x${[...Hex.parse(hash).slice(2)].reverse().join('')}`;
