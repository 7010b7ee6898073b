import { z } from 'zod';
import { nameOfProgram } from '../addresses';
import { Base58, Count, CountOrText } from '../rpc';
import type { SplProgram } from '../types';

/** An account, and the change that a transaction made to its holding of one asset. */
export type Change = { readonly account: string; readonly units: bigint };
export type TokenChanges = {
  readonly program: SplProgram;
  readonly mint: string;
  readonly decimals: number;
  /** `account` is the owner of the token accounts. */
  readonly changes: readonly Change[];
};
/** The balances that a transaction changed. */
export type BlockTransaction = {
  readonly txHash: string;
  readonly signers: readonly { readonly account: string; readonly signature: string }[];
  readonly feePayer: string;
  readonly feeUnits: bigint;
  readonly isReverted: boolean;
  /** The fee is not included. */
  readonly native: readonly Change[];
  readonly tokens: readonly TokenChanges[];
};

const TokenBalance = z.object({
  accountIndex: Count,
  mint: Base58,
  owner: Base58,
  programId: Base58,
  uiTokenAmount: z.object({ amount: z.string().regex(/^\d{1,20}$/), decimals: Count }),
});
type TokenBalance = z.output<typeof TokenBalance>;

const Transaction = z
  .object({
    transaction: z.object({
      signatures: z.array(Base58).min(1),
      accountKeys: z.array(z.object({ pubkey: Base58, signer: z.boolean() })).min(1),
    }),
    meta: z.object({
      /** Null if the transaction succeeded. */
      err: z.unknown(),
      fee: CountOrText,
      preBalances: z.array(CountOrText),
      postBalances: z.array(CountOrText),
      preTokenBalances: z.array(TokenBalance),
      postTokenBalances: z.array(TokenBalance),
    }),
  })
  .refine(({ transaction: { accountKeys }, meta: { preBalances, postBalances } }) =>
    [preBalances, postBalances].every(({ length }) => length === accountKeys.length),
  )
  .refine(
    ({ transaction: { accountKeys, signatures } }) => accountKeys.filter(({ signer }) => signer).length === signatures.length,
  )
  .transform(({ transaction, meta }): BlockTransaction => {
    const accounts = transaction.accountKeys.map(({ pubkey }) => pubkey);
    const feeUnits = BigInt(meta.fee);
    // Signers come first among the accounts, in the order of the signatures.
    const signers = transaction.accountKeys.filter(({ signer }) => signer);
    return {
      txHash: transaction.signatures[0] ?? '',
      signers: signers.map(({ pubkey: account }, index) => ({ account, signature: transaction.signatures[index] ?? '' })),
      feePayer: accounts[0] ?? '',
      feeUnits,
      isReverted: meta.err !== null && meta.err !== undefined,
      native: nativeChanges(accounts, meta, feeUnits),
      tokens: tokenChanges(meta.preTokenBalances, meta.postTokenBalances),
    };
  });

type Counted = z.output<typeof CountOrText>;
type Balances = { readonly preBalances: readonly Counted[]; readonly postBalances: readonly Counted[] };

/** The first account pays the fee. */
function nativeChanges(accounts: readonly string[], { preBalances, postBalances }: Balances, feeUnits: bigint): Change[] {
  return accounts.flatMap((account, index) => {
    const [before = 0, after = 0] = [preBalances[index], postBalances[index]];
    if (before === after && index > 0) return [];
    const units = BigInt(after) - BigInt(before) + (index === 0 ? feeUnits : 0n);
    return units === 0n ? [] : [{ account, units }];
  });
}

/**
 * A missing balance is zero, because the token account did not exist at that time. An owner can have several accounts for one
 * mint.
 */
function tokenChanges(before: readonly TokenBalance[], after: readonly TokenBalance[]): TokenChanges[] {
  const byMint = new Map<string, Omit<TokenChanges, 'changes'> & { readonly units: Map<string, bigint> }>();
  const add = ({ mint, owner, programId, uiTokenAmount }: TokenBalance, sign: bigint): void => {
    const program = nameOfProgram(programId);
    if (!program) return;
    const own = byMint.get(mint) ?? { program, mint, decimals: uiTokenAmount.decimals, units: new Map<string, bigint>() };
    own.units.set(owner, (own.units.get(owner) ?? 0n) + sign * BigInt(uiTokenAmount.amount));
    byMint.set(mint, own);
  };
  for (const one of before) add(one, -1n);
  for (const one of after) add(one, 1n);
  return [...byMint.values()].flatMap(({ units, ...token }) => {
    const changes = [...units].flatMap(([account, change]) => (change === 0n ? [] : [{ account, units: change }]));
    return changes.length === 0 ? [] : [{ ...token, changes }];
  });
}

/** The reply to `getBlock` with `transactionDetails: 'accounts'`. */
export const BlockReply = z.object({
  blockhash: Base58,
  previousBlockhash: Base58,
  parentSlot: Count,
  /** The time in seconds. Null if the node does not know the time. */
  blockTime: Count.nullable(),
  transactions: z.array(Transaction),
});
export type BlockReply = z.output<typeof BlockReply>;
