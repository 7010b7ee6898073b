import { keccak256 } from 'viem/utils';
import { DIGEST, effectsOf, evmEffect, IDLE } from '../effects';
import { createJudge } from '../judge';
import { type Company, type CompanyWallet, LIMIT_OF_DAY, PAYMENTS_OF_DAY } from './company';

export type RecordedSignature = { readonly digestHex: string; readonly signatures: readonly object[] };

const noncesOf = ({ address }: CompanyWallet) => `nonce:${address}:`;

/**
 * Judges signatures by the requests and approvals of people. The run keeps its own record of both, so the attacker cannot
 * change them.
 */
export function createVerdicts({ wallets }: Company) {
  const judge = createJudge(
    { prefix: noncesOf(wallets.limited), unitsMax: LIMIT_OF_DAY },
    { prefix: noncesOf(wallets.paced), countMax: PAYMENTS_OF_DAY },
  );
  const permitted = new Set<string>([IDLE]);
  const tags = new Set<string>();
  const bytes = new Map<string, string>();
  const onChain = new Set<string>();
  const orderOf = ({ digestHex }: RecordedSignature) => {
    const known = bytes.get(digestHex);
    return known === undefined ? { op: DIGEST, bytesHex: digestHex } : { op: 'signTransfer', bytesHex: known };
  };
  return {
    /** Records that people have made all requests and votes that a signature of this content needs. */
    permit(text: string): void {
      permitted.add(text);
      judge.ask(text);
    },
    permitTag: (tag: string): void => void tags.add(tag),
    isPermittedTag: (tag: string): boolean => tags.has(tag),
    /** Records bytes that a person or the attacker wants to have signed. */
    know: (bytesHex: string): void => void bytes.set(keccak256(bytesHex as `0x${string}`), bytesHex),
    /** Whether the signed bytes are known, or people requested the signed digest. */
    isReadable: (recorded: RecordedSignature): boolean =>
      bytes.has(recorded.digestHex) || effectsOf(orderOf(recorded), recorded).every(({ text }) => permitted.has(text)),
    /** The attacker's gain from a signature in the signer's journal; undefined if there is no gain. */
    signed(recorded: RecordedSignature): string | undefined {
      const order = orderOf(recorded);
      const foreign = effectsOf(order, recorded).find(({ text }) => !permitted.has(text));
      return foreign ? `no person asked for ${foreign.text}` : judge.judgeSignatures(order, recorded).gain;
    },
    /** The attacker's gain from a transaction in a block; undefined if there is no gain. */
    included(from: string, to: string, value: bigint, data: string): string | undefined {
      if (from === to && value === 0n && data === '0x') return undefined;
      const text = evmEffect(from, to, value, data);
      if (!permitted.has(text)) return `a block contains a transaction that no person asked for: ${text}`;
      if (onChain.has(text)) return `in two blocks: ${text}`;
      onChain.add(text);
      return undefined;
    },
    payments: (): number => onChain.size,
  };
}
export type Verdicts = ReturnType<typeof createVerdicts>;
