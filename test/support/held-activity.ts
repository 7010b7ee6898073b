import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex } from '@noble/curves/utils.js';
import type { HeldApproval } from '../../application/approvals/request-approval';
import { evaluateWalletSign, type PolicyEvaluation, type WalletSign } from '../../application/policies/evaluate-activity';
import { evmCodecOf } from '../../chains/codecs';
import type { Action, ActivityKind, Filters, PolicyMode, Rule } from '../../domain/policies';
import type { Database } from '../../entities/database';
import { KeyEntity } from '../../entities/keys/key.entity';
import { organizationStore } from '../../entities/organizations/organization.store';
import { policyStore } from '../../entities/policies/policy.store';
import { WalletEntity } from '../../entities/wallets/wallet.entity';
import { WalletTagEntity } from '../../entities/wallets/wallet-tag.entity';
import { newId } from '../../platform/ids';
import { ALWAYS, RECIPIENT } from './policies';

type Content = {
  readonly activityKind?: ActivityKind;
  readonly rule?: Rule;
  readonly action: Action;
  readonly filters?: Filters | null;
  readonly name?: string;
  readonly mode?: PolicyMode;
};

/** Inserts a policy in force. */
export function insertPolicy(db: Database, orgId: string, content: Content): Promise<string> {
  return db.withOrg(orgId, async (tx) => {
    await organizationStore.beginPolicyChange(tx);
    const id = await policyStore.create(tx, {
      name: 'Some policy',
      activityKind: 'Wallets:Sign',
      rule: ALWAYS,
      filters: null,
      ...content,
    });
    await organizationStore.bumpPolicyEpoch(tx);
    return id;
  });
}

/** Inserts an active wallet with a key that cannot sign. Policies can still judge requests of the wallet. */
export async function insertWallet(
  db: Database,
  orgId: string,
  tags: readonly string[] = [],
  delegatedTo?: string,
): Promise<string> {
  const [keyId, walletId] = [newId('key'), newId('wallet')];
  await db.withOrg(orgId, async (tx) => {
    const delegated = delegatedTo === undefined ? {} : { delegatedTo };
    const publicKey = bytesToHex(secp256k1.getPublicKey(secp256k1.utils.randomSecretKey()));
    const kind = { scheme: 'ECDSA', curve: 'secp256k1', status: 'Active' } as const;
    await tx.insert(KeyEntity, { orgId, id: keyId, ...kind, publicKey, ...delegated });
    const address = evmCodecOf('EthereumSepolia').addressOf(publicKey);
    const wallet = { orgId, id: walletId, network: 'EthereumSepolia' as const, keyId, status: 'Active' as const, address };
    await tx.insert(WalletEntity, { ...wallet, requestDigest: '', createdBy: 'us-nobody' });
    for (const tag of tags) await tx.insert(WalletTagEntity, { orgId, walletId, tag });
  });
  return walletId;
}

/** Judges a transfer of one dollar out of this wallet. */
export function judgeTransfer(
  db: Database,
  orgId: string,
  set: Partial<WalletSign> & Pick<WalletSign, 'walletId' | 'initiatorId'>,
): Promise<PolicyEvaluation> {
  const activityId = set.activityId ?? newId('transfer');
  return db.withOrg(orgId, async (tx) =>
    evaluateWalletSign(
      tx,
      {
        activityId,
        activityVersion: 1,
        activity: { kind: 'Wallets:Sign', transferRequest: { id: activityId, walletId: set.walletId, status: 'Pending' } },
        recipients: [RECIPIENT],
        amountUsdMicro: '1000000',
        movement: null,
        network: 'EthereumSepolia',
        envelope: { to: RECIPIENT, amountUnits: '1', feeCeilingUnits: '2' },
        ...set,
      },
      await organizationStore.policyStand(tx),
    ),
  );
}

/** Judges a transfer of one dollar, and returns its approval. Throws unless a policy in force holds the transfer. */
export async function holdTransfer(
  db: Database,
  orgId: string,
  set: Partial<WalletSign> & Pick<WalletSign, 'walletId' | 'initiatorId'>,
): Promise<HeldApproval> {
  const judged = await judgeTransfer(db, orgId, set);
  const approval = judged.outcome === 'Asking' ? null : judged.approval;
  if (!approval) throw new Error('no policy holds this transfer');
  return approval;
}
