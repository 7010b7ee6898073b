import { NONCE_ACCOUNT_BYTES } from '../../domain/nonce-accounts';
import type { CreatedNonceAccounts, DecodedSolana, SolanaInstruction } from './types';

const SYSTEM = '11111111111111111111111111111111';
const BUDGET: readonly SolanaInstruction['kind'][] = ['ComputeUnitLimit', 'ComputeUnitPrice'];

/**
 * The nonce accounts that a message creates, all for one authority. Undefined if the message does anything else, has several
 * signers or uses a durable nonce.
 */
export function nonceAccountsIn({
  opaque,
  signers,
  feePayer,
  lifetime,
  instructions,
}: DecodedSolana): CreatedNonceAccounts | undefined {
  if (opaque.length > 0 || signers.length !== 1 || lifetime.kind !== 'blockhash') return undefined;
  const steps = instructions.filter(({ kind }) => !BUDGET.includes(kind));
  const seeds: string[] = [];
  const authorities = new Set<string>();
  let dearestUnits = 0n;
  for (let at = 0; at < steps.length; at += 2) {
    const [made, ready] = [steps[at], steps[at + 1]];
    if (made?.kind !== 'CreateAccountWithSeed' || ready?.kind !== 'InitializeNonce') return undefined;
    const isOwn = made.payer === feePayer && made.base === feePayer && made.owner === SYSTEM;
    if (!isOwn || ready.account !== made.account || made.space !== BigInt(NONCE_ACCOUNT_BYTES)) return undefined;
    seeds.push(made.seed);
    authorities.add(ready.authority);
    if (made.lamports > dearestUnits) dearestUnits = made.lamports;
  }
  const [authority] = authorities;
  if (authority === undefined || authorities.size > 1 || new Set(seeds).size < seeds.length) return undefined;
  return { owner: feePayer, authority, seeds, dearestUnits };
}
